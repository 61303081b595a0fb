// Which lines are shown: all, open, changed, or those with a thread. Links need no page load.
import { $, all, mark } from "../../lib/dom.js";
import { allLines, currentLine } from "./lines.js";

let wanted = $("[data-filter][aria-current]")?.dataset.filter || "all";

const fits = (line) => {
  if (wanted === "all") return true;
  if (wanted === "open") return line.dataset.state === "open";
  return line.hasAttribute(wanted === "changed" ? "data-changed" : "data-thread");
};

const rename = (line, from, to) => {
  line.dataset[to] = line.dataset[from];
  delete line.dataset[from];
};

export const filterLines = () => {
  all("[data-group]").forEach((head) => {
    head.hidden = wanted !== "all";
  });
  allLines().forEach((line) => {
    line.hidden = !fits(line) && !line.classList.contains("is-current");
    // J and K pass over what is hidden
    if (line.hidden && line.dataset.line) rename(line, "line", "wasLine");
    else if (!line.hidden && line.dataset.wasLine) rename(line, "wasLine", "line");
  });
  all("#filters [data-filter]").forEach((link) => {
    mark(link, "aria-current", link.dataset.filter === wanted);
  });
};

export const filterBy = (name) => {
  wanted = name;
  filterLines();
  const here = currentLine();
  if (!here || fits(here)) return;
  const first = allLines().find((line) => !line.hidden && line !== here);
  if (!first) return;
  first.click();
  filterLines();
};
