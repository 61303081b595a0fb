// What the page says: to a screen reader, in a toast, or in a note that stays.
import { $, all, byId, make, makeButton } from "./dom.js";
import { onArrival } from "./arrivals.js";

const SHOWN = 10000; // milliseconds of a toast; they do not run under the pointer or the focus
const SHOWN_AT_LEAST = 1500;

export const say = (text, urgent) => {
  const region = byId(urgent ? "live-assertive" : "live-polite");
  if (!region || !text) return;
  // Of both: what was said before is no longer so, and a screen reader can be asked for it.
  for (const name of ["live-assertive", "live-polite"]) byId(name).textContent = "";
  setTimeout(() => {
    region.textContent = text;
  }, 60);
};

const arm = (toast) => {
  let left = SHOWN;
  let since = 0;
  let timer = 0;
  const go = () => {
    since = Date.now();
    timer = setTimeout(() => toast.remove(), left);
  };
  const hold = () => {
    clearTimeout(timer);
    left = Math.max(SHOWN_AT_LEAST, left - (Date.now() - since));
  };
  for (const name of ["mouseenter", "focusin"]) toast.addEventListener(name, hold);
  for (const name of ["mouseleave", "focusout"]) toast.addEventListener(name, go);
  go();
};

// The same words without an undo are shown once.
export const toast = (text, undoLabel, undo) => {
  const isSame = (old) => !$("[data-undo]", old) && $("span", old)?.textContent === text;
  all("#toasts > .toast").filter(isSame).forEach((old) => old.remove());
  const box = make("div", { class: "toast" }, make("span", {}, text));
  if (undo) {
    const button = makeButton(undoLabel, "btn btn-small", () => {
      box.remove();
      undo();
    });
    button.dataset.undo = "";
    box.append(button);
  }
  byId("toasts").append(box);
  arm(box);
};

export const removeToasts = () => all("#toasts > *").forEach((old) => old.remove());

// An error is never a toast: it stands in the page until it is dealt with.
export const problem = (text) => {
  $("[data-script-problem]")?.remove();
  if (!text) return;
  const attributes = { class: "note note-no", "data-script-problem": "", role: "alert" };
  byId("notes").append(make("div", attributes, make("p", {}, text)));
};

const start = (root) => all("[data-toast]", root).forEach(arm);
onArrival(start);
start(document);
all("[data-toast] > span").forEach((span) => say(span.textContent));
