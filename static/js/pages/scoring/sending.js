// Sending the sheet: only when no line is open, and with what is not saved yet.
import { $ } from "../../lib/dom.js";
import { askIn } from "../../lib/dialogs.js";
import { fill } from "../../lib/words.js";
import { goOn, goTo } from "./moving.js";
import { chosenOf, complain, lackOf, lineOf, lines, showLine } from "./rows.js";

const dirty = new Set(); // keys of lines that were changed since their last save

const touched = (event) => {
  const line = lineOf(event.target);
  if (!line) return;
  dirty.add(line.dataset.pk);
  showLine(line);
  if (event.target.type === "radio" || !lackOf(line)) complain(line, "");
};
for (const name of ["input", "change", "assay:filled"]) document.addEventListener(name, touched);
document.addEventListener("assay:saved", (event) => {
  const line = lineOf(event.target);
  if (line) dirty.delete(line.dataset.pk);
});

// Sent too early: say how many lines are open, and ask whether to go to the first of them.
const askAbout = (open) => {
  const dialog = $("#lines-open");
  const title = $("h2", dialog);
  const yes = $("[data-go-open]", dialog);
  const [first] = open;
  const { one, many } = title.dataset;
  title.textContent =
    open.length === 1 ? one : fill(many, { n: open.length, t: lines.length });
  yes.textContent = fill(yes.dataset.goOpen, { n: first.dataset.line });
  askIn(dialog, "go", () => {
    goTo(first);
    complain(first, lackOf(first));
  });
};

const pending = () =>
  lines
    .filter((line) => dirty.has(line.dataset.pk))
    .map((line) => ({
      line: line.dataset.pk,
      met: chosenOf(line),
      rationale: $("textarea", line).value,
      version: $("[name=version]", line).value,
    }));

// Capturing: Next only moves on here, and autosave must not take the line's form for sent.
const onSubmit = (event) => {
  const form = event.target;
  if (form.classList.contains("score-form")) {
    event.preventDefault();
    goOn(lineOf(form));
    return;
  }
  if (!form.matches("[data-submit-sheet]")) return;
  const open = lines.filter(lackOf);
  if (!open.length) {
    form.elements.pending.value = JSON.stringify(pending());
    return;
  }
  event.preventDefault();
  event.stopPropagation();
  askAbout(open);
};
document.addEventListener("submit", onSubmit, true);
