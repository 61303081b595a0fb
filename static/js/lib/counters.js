// Counters of words or characters beside a box: data-count, data-count-for, data-max.
import { all, byId } from "./dom.js";
import { onArrival } from "./arrivals.js";
import { fill, words } from "./words.js";

const CJK = /[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]/g;

const countWords = (text) => {
  const signs = text.match(CJK) ?? [];
  const others = text.replace(CJK, " ").match(/[\p{L}\p{N}][\p{L}\p{N}'’._-]*/gu) ?? [];
  return signs.length + others.length;
};

const show = (counter) => {
  const box = byId(counter.dataset.countFor);
  if (!box) return;
  const inWords = counter.dataset.count === "words";
  const number = inWords ? countWords(box.value) : [...box.value].length;
  const limit = Number(counter.dataset.max || box.maxLength || 0);
  const n = limit > 0 ? fill(words.of, { n: number, m: limit }) : number;
  counter.textContent = fill(inWords ? words.words : words.characters, { n });
  counter.classList.toggle("is-over", limit > 0 && number > limit);
};

const start = (root) => all("[data-count]", root).forEach(show);

document.addEventListener("input", (event) => {
  all(`[data-count-for="${CSS.escape(event.target.id || "-")}"]`).forEach(show);
});
onArrival(start);
start(document);
