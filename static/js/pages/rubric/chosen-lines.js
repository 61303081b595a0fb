// Which lines are chosen for a step on several, by their boxes, the mouse or the keys.
import { $, all, byId } from "../../lib/dom.js";
import { say } from "../../lib/announcements.js";
import { fill } from "../../lib/words.js";
import { allLines, currentLine } from "./lines.js";

const picks = () => all(".pick");
const lineOf = (pick) => pick.closest(".line");
const linesInSight = () => allLines().filter((line) => !line.hidden);
let from = null; // where a range began

export const chosenPicks = () => picks().filter((pick) => pick.checked);

export const showChosen = (quiet) => {
  const form = byId("several");
  const n = chosenPicks().length;
  const current = currentLine();
  if (!form) return;
  form.toggleAttribute("data-empty", !n);
  const { one, some, cleared } = form.dataset;
  if (n) $("[data-chosen]", form).textContent = n === 1 ? one : fill(some, { n });
  else if (!quiet) say(cleared);
  if (current) form.elements.current.value = current.dataset.pk;
};

const set = (pick, on) => {
  if (pick) pick.checked = on;
};

export const toggle = (line) => {
  const pick = line && $(".pick", line);
  if (!pick) return;
  pick.checked = !pick.checked;
  from = line;
  showChosen();
};

// From the line where choosing began to this one: all of them.
const reach = (line) => {
  const lines = linesInSight();
  const a = lines.indexOf(from);
  const b = lines.indexOf(line);
  if (a < 0 || b < 0) {
    toggle(line);
    return;
  }
  lines.slice(Math.min(a, b), Math.max(a, b) + 1).forEach((l) => set($(".pick", l), true));
  showChosen();
};

// The next line, or the one before, is chosen as well.
export const extend = (line, by) => {
  if (!from || !$(".pick", from).checked) {
    from = line;
    set($(".pick", line), true);
  }
  const lines = linesInSight();
  const to = lines[lines.indexOf(line) + by];
  if (!to) {
    showChosen();
    return;
  }
  to.click();
  reach(to);
};

export const chooseNone = () => {
  picks().forEach((pick) => set(pick, false));
  from = null;
  showChosen();
};

const chooseAll = () => {
  picks().forEach((pick) => set(pick, !lineOf(pick).hidden));
  showChosen();
};

export const beginAtFirst = () => {
  const [first] = chosenPicks();
  from = first ? lineOf(first) : null;
};

const onClick = (event) => {
  const { target } = event;
  const pick = target.closest(".pick");
  if (target.closest("[data-choose-none]")) {
    chooseNone();
    return;
  }
  if (target.closest("[data-choose-all]")) {
    chooseAll();
    return;
  }
  const line = pick ? lineOf(pick) : event.shiftKey && target.closest(".line[data-pk]");
  if (!line || (!pick && target.closest("form, button"))) return;
  event.stopPropagation(); // the line need not become the current one
  if (event.shiftKey && from && from !== line) {
    if (!pick) event.preventDefault();
    getSelection().removeAllRanges();
    reach(line);
  } else if (pick) {
    from = line;
    showChosen();
  }
};
document.addEventListener("click", onClick, true);
