// Two versions of a form's fields beside the text both began with, and one choice for each field.
// Nothing is saved until the person chooses.
import { $, all, byId, make } from "./dom.js";
import { secondsClock } from "./clock.js";
import { asTexts, labelOf, shownValue, valuesOf } from "./form-values.js";
import { fill } from "./words.js";

const dialog = byId("conflict");
// { form, mine, theirs, names: of the fields that differ, one: the field's name if it is a single
// text, hasChosen, answers }
let asking = null;

export const canCompare = Boolean(dialog);

const asValues = (form, value) => {
  if (value && typeof value === "object") return value;
  const name = form.dataset.autosaveField || $("textarea[name]", form)?.name;
  return { [name]: String(value ?? "") };
};
const same = (one, other) => JSON.stringify(asTexts(one)) === JSON.stringify(asTexts(other));
const isInWord = (text, at) =>
  at > 0 && at < text.length && /\w/.test(text[at - 1]) && /\w/.test(text[at]);

// What a text does not share with the other, between their common beginning and end, on word
// borders.
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

const fieldsShown = () => all("[data-conflict-field]", $("[data-conflict-fields]", dialog));
const sideOf = (field) => $("input:checked", field).value;

const choose = (field, side) => {
  $(`input[value="${side}"]`, field).checked = true;
  all("[data-conflict-side]", field).forEach((el) => {
    el.classList.toggle("is-chosen", el.dataset.conflictSide === side);
  });
  const { one, mine, theirs } = asking;
  if (one) byId("conflict-text").value = side === "mine" ? mine[one] : theirs[one];
};

// A field that only one of the two has changed holds as it was changed.
const proposed = (name, mine, theirs, before) =>
  before && same(mine[name], before[name]) ? "theirs" : "mine";

const showField = (name, { form, mine, theirs, before, many }) => {
  const field = byId("conflict-field").content.firstElementChild.cloneNode(true);
  const shown = (values) => shownValue(form, name, values[name]);
  const [my, their] = [shown(mine), shown(theirs)];
  const was = before ? shown(before) : null;
  $("h3", field).textContent = many ? labelOf(form, name) : "";
  $("h3", field).hidden = !many;
  const put = (where, text, paragraph) => {
    const none = make("p", { class: "faint" }, dialog.dataset.empty);
    $(`[data-conflict-${where}]`, field).replaceChildren(text ? paragraph : none);
  };
  put("mine", my, markDifference(my, was ?? their));
  put("theirs", their, markDifference(their, was ?? my));
  put("before", was, make("p", {}, was ?? ""));
  $("[data-conflict-side=before]", field).hidden = was === null;
  all("input", field).forEach((radio) => {
    radio.name = `conflict-of-${name}`;
  });
  $("[data-conflict-fields]", dialog).append(field);
  choose(field, proposed(name, mine, theirs, before));
};

/* Asks which version of each field holds.

   reply    theirs (a text, or name -> value), at
   before   the values that were saved last from here: what both versions began with
   answers  { same(mine), asked(), mine(values, theirs), theirs(values, mine), later() } */
export const compare = (form, reply, before, answers) => {
  if (!dialog || dialog.open) return;
  const theirs = asValues(form, reply.theirs);
  const mine = valuesOf(form);
  const names = Object.keys(theirs).filter(
    (name) => name in mine && !same(mine[name], theirs[name]),
  );
  if (!names.length) {
    answers.same(mine);
    return;
  }
  const isOneText = names.length === 1 && typeof mine[names[0]] === "string";
  // A text kept from an earlier visit: what it began with is gone.
  const isKnown = before && names.some((name) => !same(before[name], theirs[name]));
  asking = { form, mine, theirs, names, one: isOneText ? names[0] : null, answers };
  $("[data-conflict-fields]", dialog).textContent = "";
  const many = names.length > 1;
  for (const name of names) {
    showField(name, { form, mine, theirs, before: isKnown ? before : null, many });
  }
  const said = $("[data-conflict-said]", dialog);
  said.textContent = fill(many ? said.dataset.many : said.dataset.one, {
    t: reply.at ? secondsClock(reply.at) : said.dataset.unknown,
  });
  $("[data-conflict-edit]", dialog).hidden = !asking.one;
  answers.asked();
  dialog.showModal();
  dialog.focus();
};

const chosenValues = () => {
  const { mine, theirs, names, one } = asking;
  const values = { ...mine };
  fieldsShown().forEach((field, n) => {
    if (sideOf(field) === "theirs") values[names[n]] = theirs[names[n]];
  });
  if (one) values[one] = byId("conflict-text").value;
  return values;
};

const decide = (what) => {
  const { theirs, mine, names, answers } = asking;
  const values = chosenValues();
  const isTheirs = what === "theirs" || names.every((name) => same(values[name], theirs[name]));
  asking = null;
  dialog.close();
  if (what === "later") answers.later();
  else if (isTheirs) answers.theirs(theirs, mine);
  else answers.mine(values, theirs);
};

dialog?.addEventListener("click", (event) => {
  const button = event.target.closest("[data-conflict-choice]");
  if (button) decide(button.dataset.conflictChoice);
});
dialog?.addEventListener("input", () => {
  if (asking) asking.hasChosen = true;
});
dialog?.addEventListener("change", ({ target }) => {
  const field = target.closest("[data-conflict-field]");
  if (field) choose(field, target.value);
});
dialog?.addEventListener("cancel", (event) => {
  event.preventDefault();
  if (asking) decide("later");
});
// 1 and 2 choose for the field in hand; with none in hand, for all.
const chooseByKey = (side) => {
  const inHand = document.activeElement.closest("[data-conflict-field]");
  (inHand ? [inHand] : fieldsShown()).forEach((field) => choose(field, side));
  asking.hasChosen = true;
};
// Ctrl and Enter may have been meant for the form behind: they save once something was chosen, or
// with the focus on a choice or on the text that will be saved.
dialog?.addEventListener("keydown", (event) => {
  const typing = event.target.tagName === "TEXTAREA";
  const isMeant =
    asking?.hasChosen || event.target.closest("[data-conflict-field], #conflict-text");
  if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) {
    if (isMeant) decide("chosen");
  }
  else if (!typing && event.key === "1") chooseByKey("mine");
  else if (!typing && event.key === "2") chooseByKey("theirs");
  else return;
  event.preventDefault();
});
