// One step on several chosen lines, by keys. The buttons of the form do the same.
import { $, all, byId } from "../../lib/dom.js";
import { singleKeysAreOn } from "../../lib/single-keys.js";
import {
  beginAtFirst, chooseNone, chosenPicks, extend, showChosen, toggle,
} from "./chosen-lines.js";
import { leaveFinding } from "./finding.js";
import { currentLine } from "./lines.js";

const IMPORTANCE = { e: "essential", i: "important", o: "optional" };
const DOWN = ["j", "ArrowDown"];
const UP = ["k", "ArrowUp"];
const TEXT_BOX = "textarea, select, input:not([type=radio]):not([type=checkbox])";

const press = (selector, value) => {
  const form = byId("several");
  const button = all(selector, form).find((b) => value === undefined || b.value === value);
  if (button) form.requestSubmit(button);
};

const onChosen = (key) => {
  if (key === "Escape") chooseNone();
  else if (IMPORTANCE[key]) press('[name="set"]', `importance:${IMPORTANCE[key]}`);
  else if (/^\d$/.test(key)) press('[name="set"]', `weight:${key === "0" ? "10" : key}`);
  else if (key === "d") $("#several-dimension").focus();
  else if (key === "x") press('[name="remove"]');
  else return false;
  return true;
};

const isIdle = (el) =>
  el === document.body ||
  (el.closest(".line, #main") && !el.closest("button, a, summary") && !el.matches(".pick"));

// Whether the key did something on several lines.
const act = (event, key) => {
  const { target, shiftKey } = event;
  if (target.id === "several-dimension" && key === "Enter") {
    press('[name="set"]', "dimension");
    return true;
  }
  if (target.id === "find") {
    const leaves = key === "Escape" || key === "Enter";
    if (leaves) leaveFinding(key === "Escape");
    return leaves;
  }
  if (target.matches(TEXT_BOX) || event.ctrlKey || event.metaKey) return false;
  const line = currentLine();
  const some = chosenPicks().length > 0;
  if (event.altKey) {
    const moves = some && (key === "ArrowUp" || key === "ArrowDown");
    if (moves) press('[name="by"]', key === "ArrowUp" ? "-1" : "1");
    return moves;
  }
  if (!singleKeysAreOn() || !line) return false;
  if (key === " " && isIdle(target)) toggle(line);
  else if (shiftKey && (DOWN.includes(key) || UP.includes(key))) {
    extend(line, DOWN.includes(key) ? 1 : -1);
  } else return some && onChosen(key);
  return true;
};

const stop = (event) => {
  event.preventDefault();
  event.stopPropagation();
};

const onKey = (event) => {
  if (event.defaultPrevented || event.isComposing || $("dialog[open]")) return;
  if (act(event, event.key.length === 1 ? event.key.toLowerCase() : event.key)) stop(event);
};

// The last step is taken back with the usual keys.
const onUndo = (event) => {
  const isUndo =
    (event.ctrlKey || event.metaKey) &&
    !event.shiftKey &&
    !event.altKey &&
    event.key.toLowerCase() === "z";
  if (!isUndo || event.target.matches(TEXT_BOX) || $("dialog[open]")) return;
  const undo = $("#undo [data-undo]");
  if (!undo) return;
  stop(event);
  undo.click();
};

document.addEventListener("keydown", onKey, true);
document.addEventListener("keydown", onUndo, true);
document.addEventListener("assay:page", () => {
  beginAtFirst();
  showChosen(true);
});
document.addEventListener("assay:current", () => showChosen(true));
showChosen(true);
