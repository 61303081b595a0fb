// Dialogs: opened by a button, or asked before a form is sent (data-confirm).
import { $, byId, textOf } from "./dom.js";
import { onClick } from "./clicks.js";

onClick('[data-open-dialog]:not([data-open-dialog="keys"])', (button) => {
  byId(button.dataset.openDialog).showModal();
});

const questions = new WeakMap(); // dialog -> what is asked in it

// Opens a dialog; `act` follows where it is closed by the button with this value.
export const askIn = (dialog, value, act) => {
  dialog.returnValue = "";
  questions.set(dialog, { value, act });
  dialog.showModal();
};

// The event comes after the closing: where the dialog is open again by then, it is not for the
// question that stands there now.
const closed = ({ target: dialog }) => {
  const question = questions.get(dialog);
  if (!question || dialog.open) return;
  questions.delete(dialog);
  if (dialog.returnValue === question.value) question.act();
};
document.addEventListener("close", closed, true);

const labelOf = (button) => textOf(button).replace(/\s*…$/, "");

const confirmFirst = (event) => {
  const { target: form, submitter: by } = event;
  const dialog = byId("confirm");
  const question = by?.dataset.confirm || form.dataset.confirm;
  if (!question || !dialog || form.dataset.confirmed) {
    delete form.dataset.confirmed;
    return;
  }
  event.preventDefault();
  event.stopImmediatePropagation();
  const title = by?.dataset.confirmTitle || form.dataset.confirmTitle;
  $("[data-confirm-title]", dialog).textContent = title || question;
  $("[data-confirm-text]", dialog).textContent = title ? question : "";
  $("[data-confirm-yes]", dialog).textContent = by ? labelOf(by) : "OK";
  askIn(dialog, "yes", () => {
    form.dataset.confirmed = "1";
    form.requestSubmit(by ?? undefined);
  });
};
document.addEventListener("submit", confirmFirst, true);
