// Forms with a long text that are sent in one go: what is typed in them stays in this browser until
// the server has it, so that nobody loses a vote or an answer by leaving or by being signed out.
// Forms in data-parts are kept by the scripts of their pages.
import { $, all, within } from "./dom.js";
import { onArrival } from "./arrivals.js";
import { snapshotOf } from "./form-values.js";
import {
  forgetSubmitted, forgetText, keepText, markSubmitted, markUnsent, offerText,
} from "./kept-texts.js";
import { person } from "./storage.js";

const OTHERS = "[data-autosave], [data-parts], dialog form";

const initial = new WeakMap(); // form -> its values as the server wrote them

const isKept = (form) =>
  form?.getAttribute("method") === "post" && !form.matches(OTHERS) && Boolean($("textarea", form));

const typed = ({ target }) => {
  const { form } = target;
  if (!initial.has(form)) return;
  if (snapshotOf(form) === initial.get(form)) forgetText(form);
  else keepText(form);
};

const adopt = (form) => {
  if (!isKept(form) || initial.has(form)) return;
  initial.set(form, snapshotOf(form));
  offerText(form, { use: () => keepText(form) });
  markUnsent(form);
};

// A step that was taken ends in a redirect; a form that is refused is the answer itself, and
// whoever has to sign in comes from another page.
const wasRedirected = () => performance.getEntriesByType("navigation")[0]?.redirectCount > 0;

if (person) {
  if (wasRedirected()) forgetSubmitted(document.referrer);
  for (const name of ["input", "change"]) document.addEventListener(name, typed);
  document.addEventListener("submit", ({ target, defaultPrevented }) => {
    if (!defaultPrevented && initial.has(target)) markSubmitted(target);
  });
  onArrival((root) => within(root, "form").forEach(adopt));
  all("form").forEach(adopt);
}
