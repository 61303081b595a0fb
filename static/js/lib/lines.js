// Lines of a rubric, a sheet or an exam: one is the current one, and keys move between them.
import { $, all, focusOn, isVisible } from "./dom.js";
import { onClick, onOtherClick } from "./clicks.js";
import { say } from "./announcements.js";
import { fill, words } from "./words.js";

const ABOVE = 110; // pixels that bars take at the top and the bottom of the window
const BELOW = 120;
const LINES = ":is(.line, tr)[data-line]"; // of a list too, whose rows are those of a table

export const linesInSight = () =>
  all(LINES).filter((line) => isVisible(line) || line.closest(".one-on-phone"));
export const currentLine = () => $(".is-current[data-line]");

const choose = (line, focus = true) => {
  const before = currentLine();
  if (!line || line === before) return;
  const top = before ? before.getBoundingClientRect().top : null;
  before?.classList.remove("is-current");
  before?.removeAttribute("aria-current");
  line.classList.add("is-current");
  line.setAttribute("aria-current", "true");
  if (focus) focusOn(line);
  const now = line.getBoundingClientRect();
  const low = innerHeight - BELOW;
  // The current line keeps its height on the screen, so that the eye need not search for it.
  if (focus && top !== null && top > 60 && top < low) scrollBy(0, now.top - top);
  else if (now.top < ABOVE || now.bottom > low) line.scrollIntoView({ block: "center" });
  const lines = linesInSight();
  const named = line.closest("[data-line-words]")?.dataset.lineWords ?? words.line;
  say(fill(named, { n: lines.indexOf(line) + 1, t: lines.length }));
  line.dispatchEvent(new CustomEvent("assay:current", { bubbles: true }));
};

export const stepLine = (by) => {
  const lines = linesInSight();
  const at = lines.indexOf(currentLine());
  choose(lines[Math.min(lines.length - 1, Math.max(0, at < 0 ? 0 : at + by))]);
};

// The lines after this one, then those before it.
export const roundFrom = (lines, line) => {
  const at = lines.indexOf(line);
  return [...lines.slice(at + 1), ...lines.slice(0, Math.max(at, 0))];
};

export const nextOpenLine = () => {
  const next = roundFrom(linesInSight(), currentLine()).find((l) => l.dataset.state === "open");
  if (next) choose(next);
  else say(words.allDone);
};

export const openLine = (line) => {
  const target =
    $("[data-open]", line) ?? $("textarea, input:not([type=hidden]), button, a[href]", line);
  if (target?.matches("[data-open]")) target.click();
  else target?.focus();
};

// Makes a line the current one and gives it the focus, in sight.
export const goToLine = (line) => {
  line.click();
  focusOn(line);
  line.scrollIntoView({ block: "nearest" });
};

onClick("[data-step]", (button) => {
  if (button.dataset.step === "open") nextOpenLine();
  else stepLine(Number(button.dataset.step));
});
onOtherClick((event) => {
  const line = event.target.closest(LINES);
  if (!line || line.classList.contains("is-current") || !getSelection().isCollapsed) return;
  choose(line, !event.target.closest("a, button, input, textarea, select, label, summary"));
});
