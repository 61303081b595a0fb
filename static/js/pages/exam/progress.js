// How many questions are answered, and which numbers cannot be read.
import { $, all } from "../../lib/dom.js";
import { fill } from "../../lib/words.js";
import { isAnswered, questions } from "./answers.js";

const ticks = all("[data-ticks] i");
const count = $("[data-answered]");
const handInButton = $("[data-hand-in]");
const asked = $("[data-confirmed]"); // the next step, where the page asks whether to hand in

export const showProgress = () => {
  const answered = questions.map(isAnswered);
  const done = answered.filter(Boolean).length;
  questions.forEach((question, at) => {
    const line = question.closest("[data-line]");
    const state = answered[at] ? "done" : "open";
    line.dataset.state = state;
    if (!ticks[at]) return;
    ticks[at].className = `t-${state}${line.classList.contains("is-current") ? " is-current" : ""}`;
  });
  count.textContent = fill(count.dataset.answered, { a: done, b: questions.length });
  handInButton.classList.toggle("btn-primary", !asked && done === questions.length);
};

// numbers: the places of the questions whose answer the server cannot read, from 1
export const showUnreadable = (numbers) => {
  questions.forEach((question, at) => {
    const note = $("[data-unreadable]", question);
    if (!note) return;
    const isUnreadable = numbers.includes(at + 1);
    question.dataset.garbled = isUnreadable ? "1" : "";
    note.hidden = !isUnreadable;
  });
  showProgress();
};

document.addEventListener("assay:current", showProgress);
questions.forEach((question) => {
  if ($("[data-unreadable]:not([hidden])", question)) question.dataset.garbled = "1";
});
