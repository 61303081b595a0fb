// Finding lines by words: the others are hidden while the box holds something.
import { $, all, byId } from "../../lib/dom.js";
import { goToLine } from "../../lib/lines.js";
import { highlight } from "../../lib/text-ranges.js";
import { fill } from "../../lib/words.js";
import { allLines, currentLine, viewOf } from "./lines.js";

const plain = (text) => text.toLocaleLowerCase().normalize("NFKC");

const rangesIn = (el, wanted) => {
  const walker = document.createTreeWalker(el, NodeFilter.SHOW_TEXT);
  const found = [];
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    const text = plain(node.data);
    let at = text.indexOf(wanted);
    while (at >= 0 && at + wanted.length <= node.length) {
      const range = document.createRange();
      range.setStart(node, at);
      range.setEnd(node, at + wanted.length);
      found.push(range);
      at = text.indexOf(wanted, at + wanted.length);
    }
  }
  return found;
};

const wordsOf = (line) => {
  const columns = all(".line-col", line).map((column) => column.textContent);
  return plain([viewOf(line).dataset.text, ...columns].join(" "));
};

const sayFound = (wanted, n, t) => {
  const found = byId("found");
  const { none, one, some } = found.dataset;
  if (!wanted) found.textContent = "";
  else if (n === 0) found.textContent = none;
  else found.textContent = n === 1 ? one : fill(some, { n, t });
};

const find = () => {
  const box = byId("find");
  if (!box) return;
  const wanted = plain(box.value.trim());
  const lines = allLines();
  const found = lines.filter((line) => !wanted || wordsOf(line).includes(wanted));
  lines.forEach((line) => {
    line.hidden = !found.includes(line);
  });
  const ranges = found.flatMap((line) =>
    wanted ? rangesIn($(".line-open", viewOf(line)), wanted) : [],
  );
  highlight("found", ranges);
  sayFound(wanted, found.length, lines.length);
};

// Back to the lines, with what was found or without.
export const leaveFinding = (clear) => {
  const box = byId("find");
  const current = currentLine();
  if (clear) {
    box.value = "";
    find();
  }
  const line = current && !current.hidden ? current : $(".line[data-pk]:not([hidden])");
  box.blur();
  if (line) goToLine(line);
};

let kept = "";
document.addEventListener("input", ({ target }) => {
  if (target.id === "find") find();
});
document.addEventListener("assay:leaving", () => {
  kept = byId("find")?.value ?? "";
});
document.addEventListener("assay:page", () => {
  const box = byId("find");
  if (!box || !kept) return;
  box.value = kept;
  find();
});
