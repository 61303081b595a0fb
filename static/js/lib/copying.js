// Buttons that copy (data-copy, data-copy-from) or print (data-print).
// Browsers give a page the clipboard over https and on the own machine only.
import { byId, make } from "./dom.js";
import { problem, say, toast } from "./announcements.js";
import { onClick } from "./clicks.js";
import { words } from "./words.js";

const done = () => {
  say(words.copied);
  toast(words.copied);
};

const copyByHand = (text) => {
  const box = make("textarea", { class: "sr" });
  const before = document.activeElement;
  box.value = text;
  document.body.append(box);
  box.select();
  const worked = document.execCommand("copy");
  box.remove();
  before.focus();
  if (worked) done();
  else problem(words.notCopied);
};

const copy = (text) => {
  if (!navigator.clipboard) copyByHand(text);
  else navigator.clipboard.writeText(text).then(done, () => copyByHand(text));
};

onClick("[data-copy], [data-copy-from]", (button) => {
  copy(button.dataset.copy || byId(button.dataset.copyFrom)?.textContent || "");
});
onClick("[data-print]", () => print());
