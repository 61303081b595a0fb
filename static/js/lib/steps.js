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

   shown()             what the page shows now
   took(answer, form)  puts the answer in its places; such an answer has the header X-Page */
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
// a line by five places presses the key five times. Another button that is pressed meanwhile has its
// turn afterwards, if it is still in the page.
let stepping = null; // the form whose step is under way
let leaving = false;
let moves = [];
let waiting = null; // { form, by, address } of the last button that was pressed meanwhile

const take = (answer, form, again) => {
  if (answer.go) {
    leaving = true;
    location.assign(answer.go);
  } else if (answer.page) page.took(answer, form);
  else if (answer.html) showPage(answer);
  else stepRefused(answer, again);
};

const nextMove = (form) => {
  const value = moves.shift();
  const button = value && $(`[name="by"][value="${value}"]`, byId(form.id));
  if (button) button.form.requestSubmit(button);
  else moves = [];
};

// A button that took its place, or went on to another line, is not the one that was pressed.
const addressOf = (form, by) => by?.getAttribute("formaction") || form.getAttribute("action");
const nextStep = () => {
  const { form, by, address } = waiting ?? {};
  waiting = null;
  if (!form?.isConnected || (by && !by.isConnected)) return;
  if (addressOf(form, by) === address) form.requestSubmit(by);
};

const step = async (form, by) => {
  const again = () => {
    if (form.isConnected) form.requestSubmit(by);
    else stepForgotten();
  };
  stepping = form;
  try {
    // what is being saved goes first; the form's own text goes along
    const saved = form.matches("[data-autosave]") || (await allSaved());
    if (saved) take(await sendForParts(form, by, page ? { shown: page.shown() } : {}), form, again);
    else if (!$("dialog[open]")) stepLost(again); // else a text must be decided about
  } catch {
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
    else if (form !== stepping) waiting = { form, by, address: addressOf(form, by) };
    delete form.dataset.submitting;
  }
});
window.addEventListener("pageshow", () => {
  stepping = waiting = null;
  leaving = false;
});
