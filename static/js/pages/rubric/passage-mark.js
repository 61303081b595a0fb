// The passage behind a line is marked in the task beside it, and brought into sight.
import { $, byId } from "../../lib/dom.js";
import { highlight, rangeOfWords } from "../../lib/text-ranges.js";

const MARKUP = /[\s*_`#>|-]/; // what Markdown may add to a passage or take from it

export const markPassage = (line) => {
  const source = $("[data-passages]");
  const passage = line && byId(`line-${line.dataset.pk}-quote`);
  const range = source && passage ? rangeOfWords(source, passage.textContent, MARKUP) : null;
  highlight("passage", range ? [range] : []);
  if (!range) return;
  const pane = source.closest(".pane");
  const box = range.getBoundingClientRect();
  const frame = pane.getBoundingClientRect();
  const outside = box.top < frame.top + 60 || box.bottom > frame.bottom - 20;
  if (box.height && outside && getComputedStyle(pane).overflowY === "auto") {
    pane.scrollTop += box.top - frame.top - 120;
  }
};
