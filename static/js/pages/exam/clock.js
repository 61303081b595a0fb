// The clock: it says how long is left, hands in when nothing is, and measures how long each
// question is in view.
import { $, all, make } from "../../lib/dom.js";
import { say } from "../../lib/announcements.js";
import { fill } from "../../lib/words.js";
import { form, keyOf, questions } from "./answers.js";
import { canSend, flush, isOver } from "./sending.js";
import { clock, secondsLeft, secondsOf } from "./time.js";

const IDLE = 120000; // milliseconds without a sign of life after which nothing is measured
const BEAT = 60; // seconds measured that are worth a request of their own
const TOLD = [10, 5, 1]; // minutes left that are announced
const SIGNS_OF_LIFE = ["keydown", "pointermove", "scroll", "input"];

let active = Date.now();
let finishing = false;
const told = new Set();

// --- seconds in view -----------------------------------------------------------------------------
const isInWindow = ({ bottom, top }) => bottom > 0 && top < innerHeight;

const distanceFromMiddle = (question) => {
  const { top, bottom } = question.getBoundingClientRect();
  const middle = innerHeight / 2;
  return top > middle ? top - middle : Math.max(0, middle - bottom);
};

// The question in view is the current one, or else the one in the middle of the window.
const inView = () => {
  const current = $(".line.is-current [data-question]", form);
  if (current && isInWindow(current.getBoundingClientRect())) return current;
  const byDistance = (a, b) => distanceFromMiddle(a) - distanceFromMiddle(b);
  return [...questions].sort(byDistance)[0];
};

const measure = () => {
  if (document.visibilityState !== "visible" || Date.now() - active > IDLE) return;
  const key = keyOf(inView());
  secondsOf.set(key, (secondsOf.get(key) ?? 0) + 1);
  const sum = [...secondsOf.values()].reduce((a, b) => a + b, 0);
  if (sum >= BEAT && canSend()) flush();
};

// --- the time that is left -----------------------------------------------------------------------
const handIn = () => {
  if (isOver()) return;
  form.append(make("input", { type: "hidden", name: "confirmed", value: "1" }));
  form.requestSubmit();
};

const show = (words) =>
  all("[data-left]").forEach((el) => {
    el.textContent = words;
  });

const finish = () => {
  show(clock.dataset.over);
  if (finishing || !navigator.onLine) return;
  finishing = true;
  flush().finally(handIn);
};

const announce = (left) => {
  for (const n of TOLD) {
    if (left > n * 60 || told.has(n)) continue;
    told.add(n);
    const text = clock.dataset[n === 1 ? "soonOne" : "soon"];
    if (left > n * 60 - 30) say(fill(text, { n }), n === 1); // else the page was opened later
  }
};

const showLeft = (left) => {
  const c = `${Math.floor(left / 60)}:${String(left % 60).padStart(2, "0")}`;
  const { minutes, clock: exact } = clock.dataset;
  show(left > 300 ? fill(minutes, { n: Math.ceil(left / 60) }) : fill(exact, { c }));
  all(".timer").forEach((el) => el.classList.toggle("is-late", left <= 300));
  announce(left);
};

const tick = () => {
  const left = secondsLeft();
  measure();
  setTimeout(tick, 1000);
  if (left > 0) showLeft(left);
  else finish();
};

for (const name of SIGNS_OF_LIFE) {
  const sign = () => {
    active = Date.now();
  };
  document.addEventListener(name, sign, { passive: true });
}
tick();
