// When a form marked data-autosave is saved, and what becomes of a save when the form is sent.
import { byId, isTextBox, within } from "./dom.js";
import { onArrival } from "./arrivals.js";
import {
  changed, decide, everyForm, isKnown, isPending, ownForms, saveNow, stateOf, typingEnded,
} from "./autosave.js";
import { whenLineIsBack } from "./delivery.js";
import { snapshotOf, versionOf } from "./form-values.js";
import { markSubmitted, offerText } from "./kept-texts.js";

const formOf = (el) =>
  el.form?.matches("[data-autosave]") ? el.form : el.closest?.("form[data-autosave]");

// A choice is made in one step, so it is saved at once; words are, when somebody stops typing.
const CHOICES = "select, [type=radio], [type=checkbox]";
for (const name of ["input", "change"]) {
  document.addEventListener(name, ({ target }) => {
    const form = formOf(target);
    if (form) changed(form, name === "change" && target.matches(CHOICES));
  });
}
document.addEventListener("focusout", ({ target, relatedTarget: next }) => {
  const form = target.closest?.("form[data-autosave]");
  if (form) saveNow(form);
  // Later: the Esc that left the field would close the dialog.
  if (document.hasFocus() && !isTextBox(next)) setTimeout(typingEnded);
});

// A form may be sent as a page while a save is on its way, which brings the version it must be sent
// with; it may also bring a new button in the place of the one that was pressed.
const submitLater = (form, by) => {
  stateOf(form).next = () => {
    const button = by && !by.isConnected ? by.id && byId(by.id) : by;
    form.requestSubmit(button?.form === form ? button : undefined);
  };
};
document.addEventListener("submit", (event) => {
  const form = event.target.closest("form[data-autosave]");
  if (!form || event.defaultPrevented) return;
  const { conflict, delivery } = stateOf(form);
  delivery.stop();
  if (conflict) {
    event.preventDefault(); // sent with the old version, the text would be refused and lost
    decide(form);
    return;
  }
  if (delivery.busy) {
    event.preventDefault();
    submitLater(form, event.submitter);
    return;
  }
  form.dataset.submitting = "1";
  markSubmitted(form);
});
window.addEventListener("pageshow", () => {
  ownForms().forEach((form) => delete form.dataset.submitting);
});
document.addEventListener("visibilitychange", () => {
  if (document.visibilityState === "hidden") ownForms().forEach(saveNow);
});
whenLineIsBack(() => everyForm().forEach(saveNow));

const adopt = (form) => {
  if (isKnown(form)) return;
  const state = stateOf(form);
  if (isPending(form)) return;
  offerText(form, {
    use: () => changed(form),
    compare: (now, sentence) => {
      state.conflict = { theirs: now, version: versionOf(form), detail: sentence, at: "" };
      decide(form);
    },
  });
  if (snapshotOf(form) !== state.sent) changed(form); // typed before this script ran
};
onArrival((root) => within(root, "form[data-autosave]").forEach(adopt));
ownForms().forEach(adopt);
