// The page around the lines: the box follows the current line, and links need no page load.
import { $, all, byId } from "../../lib/dom.js";
import { askFor, beginBox, closeBox, openBox } from "./box.js";
import { filterBy, filterLines } from "./filter.js";
import { showPlace } from "./verdicts.js";

document.addEventListener("assay:current", (event) => {
  const finishes = $("#dock .finish .btn-primary");
  all(".line:not(.is-current)").forEach(closeBox);
  all("#dock [data-verdict]").forEach((button) => {
    button.classList.toggle("btn-primary", button.dataset.verdict === "approve" && !finishes);
  });
  openBox(event.target);
  showPlace();
});

const openAt = (line, asks) => {
  if (!line.classList.contains("is-current")) line.click();
  const form = openBox(line);
  if (asks && form) askFor(form);
  else line.focus({ preventScroll: true });
};

const onClick = (event) => {
  const { target } = event;
  const asks = target.closest("[data-ask]");
  const chip = target.closest("[data-filter]");
  const every = target.closest("[data-all-lines]");
  if (event.ctrlKey || event.metaKey) return;
  if (asks || target.closest("a[data-open]")) {
    event.preventDefault();
    setTimeout(openAt, 0, target.closest(".line"), Boolean(asks));
  }
  if (chip) {
    event.preventDefault();
    filterBy(chip.dataset.filter);
  }
  if (every) {
    const single = byId("line-list").classList.toggle("one-on-phone");
    every.setAttribute("aria-pressed", String(!single));
  }
};
document.addEventListener("click", onClick, true);
beginBox();
filterLines();
showPlace();
