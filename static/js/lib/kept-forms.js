// Forms marked data-keep are sent in one go, after a long text: a vote, an answer, a guideline. What is
// typed in them stays in this browser until the server says that it has it, so that nobody loses it
// by leaving the page or by being signed out. One such form at an address.
import { $, all, isTextBox, makeButton } from "./dom.js";
import { toast } from "./announcements.js";
import { dayAndMinute } from "./clock.js";
import { fillForm, typedValuesOf } from "./form-values.js";
import { makeOffer } from "./kept-offers.js";
import { person, sentTexts } from "./storage.js";
import { fill, words } from "./words.js";

const KEPT_FOR = 30 * 24 * 3600 * 1000; // milliseconds

const nameOf = (form) =>
  new URL(form.getAttribute("action") || location.pathname, location.origin).pathname;
const keep = (form) =>
  sentTexts.keepJson(nameOf(form), { at: Date.now(), fields: typedValuesOf(form) });
const forget = (form) => sentTexts.forget(nameOf(form));

const boxesIn = (form) =>
  [...form.elements].filter((el) => isTextBox(el) && el.tagName !== "SELECT" && el.type !== "hidden");
const isBlank = (form) => boxesIn(form).every((box) => !box.value.trim());

const takeNote = (form) => $("[data-offer]", form)?.remove();

// Puts what was kept into the form; what the form held comes back by "Discard it".
const restore = (form, kept) => {
  const before = typedValuesOf(form);
  takeNote(form);
  fillForm(form, kept.fields);
  keep(form);
  boxesIn(form).filter((box) => box.value.trim()).forEach((box) => {
    box.closest("details")?.setAttribute("open", "");
  });
  const discard = makeButton(words.discard, "btn btn-small btn-plain", () => {
    const last = { at: kept.at, fields: typedValuesOf(form) };
    takeNote(form);
    fillForm(form, before);
    forget(form);
    toast(words.discarded, words.undo, () => restore(form, last));
  });
  const note = makeOffer(fill(words.restored, { t: dayAndMinute(kept.at) }), discard);
  note.dataset.offer = "restored"; // the text is in the form: nothing to choose
  form.prepend(note);
};

// The form holds another text already: nothing is kept before the person has chosen.
const offer = (form, kept) => {
  const use = makeButton(words.use, "btn btn-small", () => restore(form, kept));
  const discard = makeButton(words.discard, "btn btn-small btn-plain", () => {
    takeNote(form);
    forget(form);
    toast(words.discarded, words.undo, () => {
      sentTexts.keepJson(nameOf(form), kept);
      offer(form, kept);
    });
  });
  form.prepend(makeOffer(fill(words.found, { t: dayAndMinute(kept.at) }), use, discard));
};
const isOpen = (form) => Boolean($("[data-offer=open]", form));

const adopt = (form) => {
  const kept = sentTexts.readJson(nameOf(form));
  if (!kept?.fields) return;
  const now = typedValuesOf(form);
  const isSame = Object.keys(now).every(
    (name) => JSON.stringify(now[name]) === JSON.stringify(kept.fields[name] ?? now[name]),
  );
  if (isSame) return; // a form that was refused comes back as it was sent
  if (isBlank(form)) restore(form, kept);
  else offer(form, kept);
};

const typed = ({ target }) => {
  const form = target.form?.matches("[data-keep]") ? target.form : null;
  if (!form || isOpen(form)) return;
  if (isBlank(form)) forget(form);
  else keep(form);
};

if (person) {
  // The messages of a page name the forms that the server has taken.
  all("[data-sent]").forEach((el) => sentTexts.forget(el.dataset.sent));
  for (const name of sentTexts.namesUnder("")) {
    if (Date.now() - (sentTexts.readJson(name)?.at ?? 0) > KEPT_FOR) sentTexts.forget(name);
  }
  for (const name of ["input", "change"]) document.addEventListener(name, typed);
  all("form[data-keep]").forEach(adopt);
}
