// Words selected in the task or its reference answer become a line, or the passage the current line
// rests on. P walks through the text sentence by sentence, for hands that stay on the keys.
import { $, all, byId, focusOn } from "../../lib/dom.js";
import { say } from "../../lib/announcements.js";
import { rangesOfSentences } from "../../lib/text-ranges.js";
import { fill } from "../../lib/words.js";
import { currentLine } from "./lines.js";

const BLOCKS = "p, li, h3, h4, h5, h6, td, th, pre, dt, dd";
const LONGEST = 2000; // characters of a passage
const STEPS = { ArrowDown: 1, j: 1, ArrowRight: 1, ArrowUp: -1, k: -1, ArrowLeft: -1 };

const bar = () => byId("passage");
const flat = (text) => text.replace(/\s+/g, " ").trim();

let range = null; // the selected words
let walk = null; // { list: the sentences, from, to }
let focusText = false; // a new line is on its way, and its words are to be chosen

// --- the selection -------------------------------------------------------------------------------
const selectedRange = () => {
  const selection = getSelection();
  if (!selection.rangeCount || selection.isCollapsed) return null;
  const chosen = selection.getRangeAt(0);
  const node = chosen.commonAncestorContainer;
  const el = node.nodeType === Node.ELEMENT_NODE ? node : node.parentElement;
  const isSource = el?.closest("[data-passage-source]") || (el && $("[data-passage-source]", el));
  return isSource && el.closest("[data-panel]") ? chosen : null;
};

const show = () => {
  if (!bar()) return;
  $("[data-passage-do]", bar()).hidden = !range;
  $("[data-passage-hint]", bar()).hidden = Boolean(range);
};

document.addEventListener("selectionchange", () => {
  const now = selectedRange();
  if (now) range = now.cloneRange();
  else if (!document.activeElement?.closest(".passage") && !walk) range = null;
  show();
});
// The buttons must not take the selection away before it is used.
document.addEventListener("mousedown", (event) => {
  if (event.target.closest(".passage")) event.preventDefault();
});

const takeWords = (event) => {
  const form = event.target;
  const isNew = form.id === "passage-new";
  const current = currentLine();
  if (!isNew && form.id !== "passage-of") return;
  const words = range ? flat(range.toString()).slice(0, LONGEST) : "";
  if (!words || (!isNew && !current)) {
    event.preventDefault();
    event.stopImmediatePropagation();
    say(bar().dataset.emptyText);
    return;
  }
  form.elements.quote.value = words;
  if (isNew) {
    form.elements.text.value = words;
    form.elements.after.value = current?.dataset.pk ?? "";
    focusText = true;
  } else {
    const address = form.getAttribute("action");
    form.setAttribute("action", address.replace(/lines\/\d+\//, `lines/${current.dataset.pk}/`));
  }
  endWalk();
};
document.addEventListener("submit", takeWords, true);

// The new line opens with its words chosen: the first key replaces them, an arrow keeps them.
document.addEventListener("assay:page", () => {
  range = null;
  show();
  const text = byId("line-text");
  if (focusText && text) {
    text.focus();
    text.select();
  }
  focusText = false;
});

// --- sentence by sentence ------------------------------------------------------------------------
const sentences = () =>
  all("#task [data-panel]:not([hidden]) [data-passage-source]").flatMap((source) => {
    const blocks = all(BLOCKS, source).filter((block) => !$(BLOCKS, block));
    return (blocks.length ? blocks : [source]).flatMap((b) => rangesOfSentences(b, source.lang));
  });

const beginWalk = () => {
  const list = sentences();
  const pane = byId("task");
  if (!list.length) {
    say(bar().dataset.emptyText);
    return;
  }
  const top = Math.max(pane.getBoundingClientRect().top, 60) + 40;
  const inSight = list.findIndex((sentence) => sentence.getBoundingClientRect().top >= top);
  const first = Math.max(0, inSight);
  walk = { list, from: first, to: first };
  pane.classList.add("is-walking");
  chooseSentences(true);
};

const bringIntoSight = (sentence) => {
  const pane = byId("task");
  const frame = pane.getBoundingClientRect();
  const at = sentence.getBoundingClientRect();
  const low = Math.min(frame.bottom, innerHeight) - 90;
  if (at.top >= frame.top + 50 && at.bottom <= low) return;
  if (getComputedStyle(pane).overflowY === "auto") pane.scrollTop += at.top - frame.top - 140;
  else scrollBy(0, at.top - 200);
};

const blur = () => {
  if (document.activeElement && document.activeElement !== document.body) {
    document.activeElement.blur();
  }
};

const chooseSentences = (withKeys) => {
  const { list, from, to } = walk;
  const first = list[Math.min(from, to)];
  const last = list[Math.max(from, to)];
  const chosen = document.createRange();
  chosen.setStart(first.startContainer, first.startOffset);
  chosen.setEnd(last.endContainer, last.endOffset);
  blur();
  const selection = getSelection();
  selection.removeAllRanges();
  selection.addRange(chosen);
  range = chosen.cloneRange();
  show();
  bringIntoSight(list[to]);
  const { selected, keys } = bar().dataset;
  say(fill(selected, { t: flat(chosen.toString()) }) + (withKeys ? ` ${keys}` : ""));
};

const endWalk = () => {
  if (!walk) return;
  walk = null;
  byId("task").classList.remove("is-walking");
  if (currentLine()) focusOn(currentLine());
};

const dropSelection = () => {
  getSelection().removeAllRanges();
  range = null;
  show();
  endWalk();
};

document.addEventListener("click", (event) => {
  if (event.target.closest("[data-passage-walk]")) beginWalk();
  else if (walk && !event.target.closest(".passage")) endWalk();
});

// Whether the key was one of the walk's.
const walkBy = (key, withShift) => {
  if (STEPS[key]) {
    walk.to = Math.min(walk.list.length - 1, Math.max(0, walk.to + STEPS[key]));
    if (!withShift) walk.from = walk.to;
    chooseSentences();
  } else if (key === "Escape" || key === "p") dropSelection();
  else if (key === "q" || key === "Enter") byId("passage-new").requestSubmit();
  else if (key === "w") byId("passage-of").requestSubmit();
  else {
    if (key === "Tab") endWalk();
    return false;
  }
  return true;
};

const onKey = (event) => {
  if (event.defaultPrevented || event.isComposing) return;
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  if (!walk) {
    const typing = event.target.closest("textarea, input, select, dialog");
    if (event.key === "Escape" && range && !typing) dropSelection();
    return;
  }
  const key = event.key.length === 1 ? event.key.toLowerCase() : event.key;
  if (!walkBy(key, event.shiftKey)) return;
  event.preventDefault();
  event.stopImmediatePropagation();
};
document.addEventListener("keydown", onKey, true);
show();
