// Texts of forms that the server does not have yet: kept in this browser, under one name per person
// and address, until the server has them or the person discards them.
import { $, make, makeButton } from "./dom.js";
import { toast } from "./announcements.js";
import { dayAndMinute } from "./clock.js";
import { canCompare } from "./conflict.js";
import { fillForm, valuesOf, versionOf } from "./form-values.js";
import { texts } from "./storage.js";
import { fill, words } from "./words.js";

const KEPT_FOR = 30 * 24 * 3600 * 1000; // milliseconds

const isOld = (kept) => Date.now() - kept.at > KEPT_FOR;

export const addressOf = (form) =>
  form.dataset.autosave || form.getAttribute("action") || location.pathname;

const isAutosaved = (form) => form.matches("[data-autosave]");

// Several forms of a page may be sent to one address: those without autosave have the name of their
// first text as well.
const nameOf = (form) =>
  isAutosaved(form) ? addressOf(form) : `form:${addressOf(form)}:${$("textarea", form)?.name}`;

export const keepText = (form) =>
  texts.keepJson(nameOf(form), {
    at: Date.now(),
    version: versionOf(form),
    fields: valuesOf(form),
  });

export const forgetText = (form) => texts.forget(nameOf(form));

const setSubmitted = (form, submitted) => {
  const kept = texts.readJson(nameOf(form));
  if (kept) texts.keepJson(nameOf(form), { ...kept, submitted });
};

// The form is being sent as a page: what is kept is old as soon as the version is another, or as
// soon as the server answers with a redirect.
export const markSubmitted = (form) => setSubmitted(form, location.href.split("#")[0]);
export const markUnsent = (form) => setSubmitted(form, undefined);

// A page that somebody was redirected to: the server has the form that was sent from `page`.
export const forgetSubmitted = (page) => {
  for (const name of texts.namesUnder("form:")) {
    if (texts.readJson(name)?.submitted === page) texts.forget(name);
  }
};

// Texts of forms under this address: [{ address, at, fields }].
export const textsUnder = (start) =>
  texts.namesUnder(start).flatMap((address) => {
    const kept = texts.readJson(address);
    if (!kept?.fields || isOld(kept)) return [];
    return [{ address, at: dayAndMinute(kept.at), fields: kept.fields }];
  });

export const keepAgain = (address, fields) =>
  texts.keepJson(address, { at: Date.now(), version: "", fields });

const differsFrom = (now, fields) =>
  Object.keys(fields).some(
    (name) => name in now && JSON.stringify(now[name]) !== JSON.stringify(fields[name]),
  );

/* Offers what an earlier visit left for this form, if it says something else than the page.

   answers: { use(), compare(now, sentence) if the two can be compared } */
export const offerText = (form, answers) => {
  const name = nameOf(form);
  const kept = texts.readJson(name);
  if (!kept) return;
  const now = valuesOf(form);
  const wasSent = kept.submitted && kept.version !== versionOf(form);
  const isSame = !differsFrom(now, kept.fields);
  if (wasSent || isOld(kept) || (isSame && isAutosaved(form))) texts.forget(name);
  if (wasSent || isOld(kept) || isSame) return; // a form that was refused comes back as it was sent
  const sentence = fill(words.found, { t: dayAndMinute(kept.at) });
  const actions = make("div", { class: "actions" });
  const note = make("div", { class: "note note-wait", role: "status" });
  note.append(make("p", {}, sentence), actions);
  const offer = (label, classes, act) => {
    const button = makeButton(label, classes, () => {
      note.remove();
      act();
    });
    actions.append(button);
  };
  if (canCompare && answers.compare) {
    offer(words.compare, "btn btn-small", () => {
      fillForm(form, kept.fields); // as with a stale save: neither is lost
      answers.compare(now, sentence);
    });
  }
  offer(words.use, "btn btn-small", () => {
    fillForm(form, kept.fields);
    answers.use();
  });
  offer(words.discard, "btn btn-small btn-plain", () => {
    const text = texts.read(name);
    texts.forget(name);
    toast(words.discarded, words.undo, () => {
      texts.keep(name, text);
      offerText(form, answers);
    });
  });
  form.prepend(note);
};
