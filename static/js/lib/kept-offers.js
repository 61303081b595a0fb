// A text this browser has kept is decided about before its form is sent: what is sent may close the
// page the text was typed on, or freeze the text that was saved in its place.
import { $, make } from "./dom.js";
import { say } from "./announcements.js";
import { words } from "./words.js";

// What stands in the page, and holds its form up, until the person has chosen. content: a sentence,
// or an element.
export const makeOffer = (content, ...actions) => {
  const note = make("div", { class: "note note-wait", role: "status", "data-offer": "open" });
  const said = typeof content === "string" ? make("p", {}, content) : content;
  note.append(said, make("div", { class: "actions" }, ...actions));
  return note;
};

// A step of the page leaves its texts open; these end the work on all of them.
export const isStep = (form, by) =>
  Boolean(form.closest("[data-parts], #toasts") || by?.hasAttribute("data-step-form"));
const endsTheWork = (form, by) => by?.hasAttribute("data-send") || form.matches("[data-submit-sheet]");

const heldUpBy = (form, by) => {
  if (endsTheWork(form, by)) return $("[data-offer=open]");
  return isStep(form, by) ? null : $("[data-offer=open]", form);
};

document.addEventListener("submit", (event) => {
  const { target: form, submitter: by } = event;
  const note = event.defaultPrevented ? null : heldUpBy(form, by);
  if (!note) return;
  event.preventDefault();
  event.stopImmediatePropagation();
  note.closest(".line:not(.is-current)")?.click();
  if (!$(".field-error", note)) note.prepend(make("p", { class: "field-error" }, words.chooseFirst));
  note.scrollIntoView({ block: "center" });
  $("button", note).focus({ preventScroll: true });
  say(words.chooseFirst, true);
});
