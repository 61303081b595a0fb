// The right pane folds away; this browser remembers which way it was left. Until somebody chooses,
// the width of the window decides (assay.css).
import { $, byId } from "../../lib/dom.js";
import { onClick } from "../../lib/clicks.js";
import { recall, remember } from "../../lib/storage.js";

const KEY = "assay:fold:rubric";

const show = () => {
  const page = byId("workbench");
  const pane = byId("balance-pane");
  const button = $("[data-fold]");
  if (!page || !pane || !button) return;
  const kept = recall(KEY);
  if (kept) page.dataset.side = kept;
  button.setAttribute("aria-expanded", String(pane.offsetWidth > 0));
};

onClick("[data-fold]", (button) => {
  remember(KEY, button.getAttribute("aria-expanded") === "true" ? "folded" : "open");
  show();
});
document.addEventListener("assay:page", show);
addEventListener("resize", show);
show();
