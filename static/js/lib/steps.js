// Steps without a full page load: forms inside data-parts, buttons with data-step-form, and the
// undo of toasts. What is being typed is saved first. Every page works without this.
import { $, all, byId, focusOn } from "./dom.js";
import { removeToasts, say } from "./announcements.js";
import { arrived } from "./arrivals.js";
import { allSaved } from "./autosave.js";
import { sendForParts, stepForgotten, stepLost, stepRefused } from "./parts.js";
import { showKeptTabs } from "./tabs.js";

const PLACES = ["#main", "#workbar", "#dock"]; // what the whole answer replaces

/* A page that takes only what is different names it in the field "shown" of each step:

   shown()                   what the page shows now
   took(answer, form, same)  puts the answer in its places; such an answer has the header X-Page.
                             same: the form still holds what was sent */
let page = null;
export const takeStepsBy = (own) => {
  page = own;
};

const currentLine = () => $(".line.is-current");
export const heightOfLine = () => currentLine()?.getBoundingClientRect().top ?? null;

export const showToasts = (toasts) => {
  toasts.forEach((toast) => {
    removeToasts();
    byId("toasts").append(toast);
    arrived(toast);
    say($("span", toast).textContent);
  });
};

// The page stands: the focus is on its line, at the height where the line before it was.
export const stepTaken = (url, top) => {
  history.replaceState(history.state, "", url);
  const line = currentLine();
  // It has the focus already; a question about a line stays in sight above that line.
  const summary = $("#main [data-error-summary]");
  if (line) {
    line.tabIndex = -1;
    if (summary) (summary.dataset.question ? line : summary).scrollIntoView({ block: "center" });
    else {
      focusOn(line);
      const inSight = top !== null && top > 60 && top < innerHeight - 160;
      if (inSight) scrollBy(0, line.getBoundingClientRect().top - top);
      else line.scrollIntoView({ block: "center" });
    }
  }
  document.dispatchEvent(new CustomEvent("assay:page"));
};

// The whole answer takes the page's place.
const showPage = (answer) => {
  document.dispatchEvent(new CustomEvent("assay:leaving"));
  const next = new DOMParser().parseFromString(answer.html, "text/html");
  const top = heightOfLine();
  const panes = () => all(".pane.is-stuck");
  const scrolled = panes().map((pane) => pane.scrollTop);
  for (const place of PLACES) {
    const old = $(place);
    const now = $(place, next);
    if (!old || !now) continue; // those inside #main went with it
    old.replaceWith(now);
    arrived(now);
  }
  showToasts(all("#toasts > *", next));
  panes().forEach((pane, n) => {
    pane.scrollTop = scrolled[n] ?? 0;
  });
  showKeptTabs();
  stepTaken(answer.url, top);
};

// One step at a time: a key pressed twice is one step. Moves are counted instead, for whoever moves
// a line by five places presses the key five times. The last other step that is asked for meanwhile
// has its turn afterwards, if the first was taken and the form still stands there as it was.
let stepping = null; // the step under way, as askedBy tells it
let leaving = false;
let moves = [];
let waiting = null; // { form, by, asked } of the step that has its turn next

// What a form asks for by a button: where, and with what people typed and chose.
const askedBy = (form, by) => {
  const address = by?.getAttribute("formaction") || form.getAttribute("action");
  const own = [...form.elements].filter(({ type }) => !/hidden|submit|button/.test(type));
  const values = own.map(({ name, value, checked }) => [name, value, checked]);
  return JSON.stringify([address, by?.name, by?.value, values]);
};

const take = (answer, form, by, again) => {
  if (answer.go) {
    leaving = true;
    location.assign(answer.go);
  } else if (answer.page) page.took(answer, form, askedBy(form, by) === stepping);
  else if (answer.html) showPage(answer);
  else {
    waiting = null;
    stepRefused(answer, again);
  }
};

const nextMove = (form) => {
  const value = moves.shift();
  const button = value && $(`[name="by"][value="${value}"]`, byId(form.id));
  if (button) button.form.requestSubmit(button);
  else moves = [];
};

const nextStep = () => {
  const { form, by, asked } = waiting ?? {};
  waiting = null;
  if (!form?.isConnected || (by && !by.isConnected)) return;
  if (askedBy(form, by) === asked) form.requestSubmit(by);
};

const step = async (form, by) => {
  const again = () => {
    if (form.isConnected) form.requestSubmit(by);
    else stepForgotten();
  };
  stepping = askedBy(form, by);
  try {
    // what is being saved goes first; the form's own text goes along
    const saved = form.matches("[data-autosave]") || (await allSaved());
    stepping = askedBy(form, by);
    if (saved) {
      const more = page ? { shown: page.shown() } : {};
      take(await sendForParts(form, by, more), form, by, again);
    } else {
      waiting = null;
      if (!$("dialog[open]")) stepLost(again); // else a text must be decided about
    }
  } catch {
    waiting = null;
    stepLost(again);
  }
  if (leaving) return; // nothing more is pressed on this page
  delete form.dataset.submitting;
  stepping = null;
  nextMove(form);
  if (!stepping) nextStep();
};

document.addEventListener("submit", (event) => {
  const { target: form, submitter: by } = event;
  const isStep = form.closest("[data-parts], #toasts") || by?.hasAttribute("data-step-form");
  if (event.defaultPrevented || !isStep) return;
  event.preventDefault();
  if (!stepping) step(form, by);
  else {
    if (by?.name === "by" && form.id) moves.push(by.value);
    else if (askedBy(form, by) !== stepping) waiting = { form, by, asked: askedBy(form, by) };
    delete form.dataset.submitting;
  }
});
window.addEventListener("pageshow", () => {
  stepping = waiting = null;
  leaving = false;
});
