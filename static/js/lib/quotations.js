// Quotations: Q puts the selected words of a source into the box; quoted passages are marked there.
import { $, all } from "./dom.js";
import { onArrival } from "./arrivals.js";
import { say } from "./announcements.js";
import { onClick } from "./clicks.js";
import { currentLine } from "./lines.js";
import { highlight, rangeOfWords } from "./text-ranges.js";
import { words } from "./words.js";

let lastRange = null;

const keepRange = () => {
  const selection = getSelection();
  const node = selection.rangeCount && selection.getRangeAt(0).commonAncestorContainer;
  const el = node && (node.nodeType === Node.ELEMENT_NODE ? node : node.parentElement);
  if (el && !selection.isCollapsed && el.closest("[data-quote-source]")) {
    lastRange = selection.getRangeAt(0).cloneRange();
  }
};

const gapAfter = (before) => {
  if (!before || before.endsWith("\n\n")) return "";
  return before.endsWith("\n") ? "\n" : "\n\n";
};

const targetOfLine = () => $("[data-quote-target]", currentLine());

const markQuotes = () => {
  const rows = targetOfLine()?.value.match(/^> .+$/gm) ?? [];
  const sources = all("[data-quote-source]");
  const ranges = rows.flatMap((row) =>
    sources.map((source) => rangeOfWords(source, row.slice(2), /\s/)).filter(Boolean),
  );
  highlight("quote", ranges);
};

export const quote = () => {
  keepRange(); // the event comes with the next frame: a quick key is before it
  const target = targetOfLine() ?? $("[data-quote-target]");
  const text = lastRange ? lastRange.toString().replace(/\s+/g, " ").trim() : "";
  if (!target || !text) {
    say(words.noSelection);
    return;
  }
  const at = target.selectionEnd || target.value.length;
  const before = target.value.slice(0, at);
  const piece = `${gapAfter(before)}> ${text}\n\n`;
  target.value = before + piece + target.value.slice(at).replace(/^\n+/, "");
  target.focus();
  target.selectionStart = target.selectionEnd = before.length + piece.length;
  target.dispatchEvent(new Event("input", { bubbles: true }));
  markQuotes();
  lastRange = null;
  say(words.quoted);
};

document.addEventListener("selectionchange", keepRange);
// The button must not take the selection away before it is quoted.
document.addEventListener("mousedown", (event) => {
  if (event.target.closest("[data-quote]")) event.preventDefault();
});
document.addEventListener("input", (event) => {
  if (event.target.matches("[data-quote-target]")) markQuotes();
});
document.addEventListener("assay:current", markQuotes);
onClick("[data-quote]", quote);
onArrival(markQuotes);
markQuotes();
