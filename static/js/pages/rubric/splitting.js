// Splitting a line at the place somebody pointed at. Rows of a text are lines to be, which is said
// while they are typed.
import { $, make } from "../../lib/dom.js";
import { fill } from "../../lib/words.js";

let caret = null; // in the text of the open line

export const forgetCaret = () => {
  caret = null;
};

const isText = (el) => el.id === "line-text";
const rowsOf = (text) => text.split(/\n/).filter((row) => row.trim()).length;

for (const name of ["keyup", "click", "input"]) {
  document.addEventListener(name, ({ target }) => {
    if (isText(target)) caret = target.selectionStart;
  });
}
document.addEventListener("input", ({ target }) => {
  if (!isText(target)) return;
  const hint = $("[data-rows]", target.form);
  const n = rowsOf(target.value);
  if (hint) hint.textContent = n > 1 ? fill(hint.dataset.rows, { n }) : "";
});

const namePlace = ({ target: form, submitter: by }) => {
  const text = form.elements.text;
  if (!by?.hasAttribute("data-split") || !text) return;
  let at = $("input[data-at]", form);
  if (!at) {
    at = make("input", { type: "hidden", name: "at", "data-at": "" });
    form.append(at);
  }
  const isInside = caret !== null && caret > 0 && caret < text.value.trim().length;
  at.value = isInside && rowsOf(text.value) <= 1 ? caret : "";
};
document.addEventListener("submit", namePlace, true);
