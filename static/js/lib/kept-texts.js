// Texts of forms that the server does not have yet: kept in this browser, under one name per person
// and address, until the server has them or the person discards them.
import { $, makeButton } from "./dom.js";
import { toast } from "./announcements.js";
import { dayAndMinute } from "./clock.js";
import { canCompare } from "./conflict.js";
import { fillForm, valuesOf, versionOf } from "./form-values.js";
import { makeOffer } from "./kept-offers.js";
import { texts } from "./storage.js";
import { fill, words } from "./words.js";

const KEPT_FOR = 30 * 24 * 3600 * 1000; // milliseconds

const isOld = (kept) => Date.now() - kept.at > KEPT_FOR;

export const addressOf = (form) =>
  form.dataset.autosave || form.getAttribute("action") || location.pathname;

export const keepText = (form) =>
  texts.keepJson(addressOf(form), {
    at: Date.now(),
    version: versionOf(form),
    fields: valuesOf(form),
  });

// Where texts wait that are offered: what is typed meanwhile is kept under the address itself.
const offeredAt = (address) => `offered:${address}#`;

export const forgetText = (form) => texts.forget(addressOf(form));

// The form is being sent as a page: what is kept is old as soon as the version is another.
export const markSubmitted = (form) => {
  const kept = texts.readJson(addressOf(form));
  if (kept) texts.keepJson(addressOf(form), { ...kept, submitted: true });
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

/* Offers what earlier visits left for this form, if it says something else than the page. It stays
   until the person has chosen.

   answers: { use(), compare(now, sentence) } */
export const offerText = (form, answers) => {
  const waiting = offeredAt(addressOf(form));
  const last = texts.readJson(addressOf(form));
  if (last) {
    texts.keepJson(`${waiting}${last.at}`, last);
    forgetText(form);
  }
  texts.namesUnder(waiting).sort().forEach((address) => offerOne(form, address, answers));
};

const offerOne = (form, address, answers) => {
  const kept = texts.readJson(address);
  if (!kept?.fields) return;
  const now = valuesOf(form);
  const wasSent = kept.submitted && kept.version !== versionOf(form);
  if (!differsFrom(now, kept.fields) || wasSent || isOld(kept)) {
    texts.forget(address);
    return;
  }
  const sentence = fill(words.found, { t: dayAndMinute(kept.at) });
  const note = makeOffer(sentence);
  const offer = (label, classes, act) => {
    const button = makeButton(label, classes, () => {
      note.remove();
      act();
    });
    $(".actions", note).append(button);
  };
  if (canCompare) {
    offer(words.compare, "btn btn-small", () => {
      texts.forget(address);
      fillForm(form, kept.fields); // as with a stale save: neither is lost
      answers.compare(now, sentence);
    });
  }
  offer(words.use, "btn btn-small", () => {
    texts.forget(address);
    fillForm(form, kept.fields);
    answers.use();
  });
  offer(words.discard, "btn btn-small btn-plain", () => {
    const text = texts.read(address);
    texts.forget(address);
    toast(words.discarded, words.undo, () => {
      texts.keep(address, text);
      offerOne(form, address, answers);
    });
  });
  form.prepend(note);
};
