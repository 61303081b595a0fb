// Two versions of one text, side by side. Nothing is saved until the person chooses.
import { $, all, byId, make } from "./dom.js";
import { dayAndMinute } from "./clock.js";
import { asList, asTexts, labelOf, valuesOf } from "./form-values.js";

const dialog = byId("conflict");
let asking = null; // { form, theirs, one: the field's name if it is a single text, side, answers }

export const canCompare = Boolean(dialog);

const asValues = (form, value) => {
  if (value && typeof value === "object") return value;
  const name = form.dataset.autosaveField || $("textarea[name]", form)?.name;
  return { [name]: String(value ?? "") };
};

const isInWord = (text, at) =>
  at > 0 && at < text.length && /\w/.test(text[at - 1]) && /\w/.test(text[at]);

// What two texts do not share, between their common beginning and end, on word borders.
const markDifference = (text, other) => {
  const most = Math.min(text.length, other.length);
  let from = 0;
  while (from < most && text[from] === other[from]) from++;
  while (isInWord(text, from)) from--;
  let end = 0;
  while (end < most - from && text.at(-1 - end) === other.at(-1 - end)) end++;
  while (isInWord(text, text.length - end)) end--;
  const changed = text.slice(from, text.length - end);
  const middle = changed ? make("ins", {}, changed) : "";
  return make("p", {}, text.slice(0, from), middle, text.slice(text.length - end));
};

const chooseSide = (side) => {
  all("[data-conflict-side]", dialog).forEach((el) => {
    el.classList.toggle("is-chosen", el.dataset.conflictSide === side);
  });
  asking.side = side;
  const { form, one, theirs } = asking;
  if (one) byId("conflict-text").value = side === "mine" ? valuesOf(form)[one] : theirs[one];
};

const showTexts = (form, names, mine, theirs) => {
  const left = $("[data-conflict-mine]", dialog);
  const right = $("[data-conflict-theirs]", dialog);
  left.textContent = right.textContent = "";
  for (const name of names) {
    if (names.length > 1) {
      for (const box of [left, right]) box.append(make("h3", {}, labelOf(form, name)));
    }
    const my = asList(mine[name]).join(", ");
    const their = asList(theirs[name] ?? "").join(", ");
    left.append(markDifference(my, their));
    right.append(markDifference(their, my));
  }
};

/* Asks which version holds.

   reply    theirs (a text, or name -> value), detail, at
   answers  { same(mine), asked(), mine(values), theirs(values, mine), later() } */
export const compare = (form, reply, answers) => {
  if (!dialog || dialog.open) return;
  const theirs = asValues(form, reply.theirs);
  const mine = valuesOf(form);
  const differs = (name) =>
    name in mine && JSON.stringify(asTexts(mine[name])) !== JSON.stringify(asTexts(theirs[name]));
  const names = Object.keys(theirs).filter(differs);
  if (!names.length) {
    answers.same(mine);
    return;
  }
  const isOneText = names.length === 1 && typeof mine[names[0]] === "string";
  asking = { form, theirs, one: isOneText ? names[0] : null, answers };
  showTexts(form, names, mine, theirs);
  $("[data-conflict-detail]", dialog).textContent = reply.detail ?? "";
  $("[data-conflict-at]", dialog).textContent = reply.at ? dayAndMinute(reply.at) : "";
  $("[data-conflict-edit]", dialog).hidden = !asking.one;
  chooseSide("mine");
  answers.asked();
  dialog.showModal();
  dialog.focus();
};

const choose = (what) => {
  const { form, theirs, one, side, answers } = asking;
  const mine = valuesOf(form);
  asking = null;
  dialog.close();
  if (what === "later") answers.later();
  else if (what === "theirs") answers.theirs(theirs, mine);
  else if (one) answers.mine({ ...mine, [one]: byId("conflict-text").value });
  else answers.mine(side === "theirs" ? theirs : mine);
};

dialog?.addEventListener("click", (event) => {
  const button = event.target.closest("[data-conflict-choice]");
  if (button) choose(button.dataset.conflictChoice);
});
dialog?.addEventListener("cancel", (event) => {
  event.preventDefault();
  if (asking) choose("later");
});
dialog?.addEventListener("keydown", (event) => {
  const typing = event.target.tagName === "TEXTAREA";
  if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) choose("mine");
  else if (!typing && event.key === "1") chooseSide("mine");
  else if (!typing && event.key === "2") chooseSide("theirs");
  else return;
  event.preventDefault();
});
