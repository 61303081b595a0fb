// The questions of the exam, and each answer as the pairs it is sent as.
import { $, all, byId } from "../../lib/dom.js";

export const form = byId("exam");
export const questions = all("[data-question]", form); // the elements that hold the answers
export const keyOf = (question) => question.dataset.question;
export const fieldsOf = (question) => all("input[name], textarea[name]", question);

const isChoice = (el) => el.type === "radio" || el.type === "checkbox";

const pairOf = (el, initial) => {
  const isTyped = !isChoice(el) && el.type !== "hidden";
  return [el.name, initial && isTyped ? el.defaultValue : el.value];
};

// As JSON. initial: as the server wrote it into the page.
export const answerOf = (question, initial) => {
  const given = (el) => !isChoice(el) || (initial ? el.defaultChecked : el.checked);
  const pairs = fieldsOf(question).filter(given).map((el) => pairOf(el, initial));
  return JSON.stringify(pairs);
};

export const pairsOf = (answer) => JSON.parse(answer);

export const putAnswer = (question, answer) => {
  const pairs = pairsOf(answer);
  fieldsOf(question).forEach((el) => {
    const values = pairs.filter(([name]) => name === el.name).map(([, value]) => value);
    if (isChoice(el)) el.checked = values.includes(el.value);
    else if (values.length) el.value = values[0];
  });
  if ($("[data-order]", question)) arrange(question);
  question.dispatchEvent(new CustomEvent("assay:put", { bubbles: true }));
};

// --- items to be put in order --------------------------------------------------------------------
export const itemsOf = (question) => all("[data-item]", question);
const rankOf = (item) => Number($("input", item).value) || 1e6;

export const arrange = (question) => {
  const list = $("[data-order]", question);
  list.append(...itemsOf(question).sort((a, b) => rankOf(a) - rankOf(b)));
};

export const numberItems = (question) => {
  itemsOf(question).forEach((item, at) => {
    $("input", item).value = at + 1;
  });
};

export const isAnswered = (question) => {
  if ($("[data-order]", question)) {
    const ranks = itemsOf(question).map(rankOf).sort((a, b) => a - b);
    return ranks.every((rank, at) => rank === at + 1);
  }
  return fieldsOf(question).some((el) => {
    if (el.type === "hidden") return false;
    return isChoice(el) ? el.checked : el.value.trim() && question.dataset.garbled !== "1";
  });
};
