// A step on the rubric: the lines that look different now come back, and the order of all.
import { $, all, byId, mark } from "../../lib/dom.js";
import { replaceParts } from "../../lib/parts.js";
import { saveDone } from "../../lib/saving.js";
import { heightOfLine, showToasts, stepTaken, takeStepsBy } from "../../lib/steps.js";
import { fill } from "../../lib/words.js";
import { openEditor, removeEditor } from "./editor.js";
import { allLines, currentLine, viewOf } from "./lines.js";

const shown = () =>
  allLines()
    .map((line) => {
      const { looks } = (viewOf(line) ?? line).dataset;
      return [line.dataset.pk, looks, line.dataset.talk].join(":");
    })
    .join(",");

// Puts the lines into the order of the step: fresh ones in the place of those they replace.
const putLines = (list, step) => {
  const order = step.dataset.order.split(".").filter(Boolean);
  const chosen = step.dataset.chosen.split(".");
  const { current } = step.dataset;
  const fresh = new Map(all(".line", step).map((line) => [line.dataset.pk, line]));
  all(".line[data-pk]", list).forEach((line) => {
    if (!order.includes(line.dataset.pk)) line.remove();
  });
  let place = list.firstElementChild;
  order.forEach((pk, at) => {
    const old = byId(`line-${pk}`);
    const line = fresh.get(pk) ?? old;
    const pick = $(".pick", line);
    if (old && line !== old) {
      if (place === old) place = line;
      old.replaceWith(line);
    }
    if (place === line) place = line.nextElementSibling;
    else list.insertBefore(line, place);
    const n = at + 1;
    line.dataset.line = $(".line-n", line).textContent = n;
    line.classList.toggle("is-current", pk === current);
    mark(line, "aria-current", pk === current);
    pick.checked = chosen.includes(pk);
    pick.setAttribute("aria-label", fill(list.dataset.chooseLabel, { n }));
  });
};

const took = (answer, form, same) => {
  const top = heightOfLine();
  const list = byId("line-list");
  document.dispatchEvent(new CustomEvent("assay:leaving"));
  all("[data-editor]", list).forEach((editor) => removeEditor(editor.closest(".line")));
  const step = replaceParts(answer.html, form).getElementById("step");
  putLines(list, step);
  all('input[name="seen"]').forEach((seen) => {
    seen.value = step.dataset.revision;
  });
  saveDone("step", step.dataset.saved);
  if (form.matches(".add-line") && same) {
    form.elements.text.value = "";
    delete form.dataset.kept;
  }
  if (currentLine()) openEditor(currentLine());
  showToasts(all("[data-toast]", step));
  stepTaken(answer.page, top, !same && document.activeElement === form.elements.text);
};

takeStepsBy({ shown, took });
