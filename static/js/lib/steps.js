// Steps without a full page load: forms inside data-parts, buttons with data-step-form, and the
// undo of toasts. What is being typed is saved first. Every page works without this.
import { $, all, byId, focusOn } from "./dom.js";
import { removeToasts, say, toast } from "./announcements.js";
import { arrived } from "./arrivals.js";
import { allSaved } from "./autosave.js";
import { snapshotOf } from "./form-values.js";
import { isStep } from "./kept-offers.js";
import { sendForParts, stepForgotten, stepLost, stepRefused } from "./parts.js";
import { showKeptTabs } from "./tabs.js";
import { words } from "./words.js";

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

// The page stands: the focus is on its line, at the height where the line before it was. It stays
// where it is for somebody who is typing already.
export const stepTaken = (url, top, typing = false) => {
  history.replaceState(history.state, "", url);
  const line = typing ? null : currentLine();
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

// One step at a time: a key pressed twice is one step, and what else is pressed while a step is
// under way is refused, and the page says so. Moves are counted instead, for whoever moves a line by
// five places presses the key five times.
let stepping = null; // { form, by, address, typed } of the step under way
let leaving = false;
let moves = []; // values of the moves that follow the one under way

const addressOf = (form, by) => by?.getAttribute("formaction") || form.getAttribute("action");

const take = (answer, again) => {
  const { form, typed } = stepping;
  if (!answer.ok) moves = [];
  if (answer.go) {
    leaving = true;
    location.assign(answer.go);
  } else if (answer.page) page.took(answer, form, snapshotOf(form) === typed);
  else if (answer.html) showPage(answer);
  else stepRefused(answer, again);
};

const nextMove = ({ form, address }) => {
  const value = moves.shift();
  const button = value && $(`[name="by"][value="${value}"]`, byId(form.id));
  if (button && addressOf(button.form, button) === address) button.form.requestSubmit(button);
  else moves = [];
};

const step = async (form, by) => {
  const again = () => {
    if (form.isConnected) form.requestSubmit(by);
    else stepForgotten();
  };
  const own = { form, by, address: addressOf(form, by) };
  stepping = own;
  try {
    // what is being saved goes first; the form's own text goes along
    const saved = form.matches("[data-autosave]") || (await allSaved());
    own.typed = snapshotOf(form);
    if (saved) take(await sendForParts(form, by, page ? { shown: page.shown() } : {}), again);
    else {
      moves = [];
      if (!$("dialog[open]")) stepLost(again); // else a text must be decided about
    }
  } catch {
    moves = [];
    stepLost(again);
  }
  if (leaving) return; // nothing more is pressed on this page
  delete form.dataset.submitting;
  stepping = null;
  nextMove(own);
};

const isMoveAsWell = (form, by) =>
  by?.name === "by" && stepping.by?.name === "by" && form.id === stepping.form.id
  && addressOf(form, by) === stepping.address;

const isPressedTwice = (form, by) =>
  by === stepping.by && addressOf(form, by) === stepping.address;

document.addEventListener("submit", (event) => {
  const { target: form, submitter: by } = event;
  if (event.defaultPrevented || !isStep(form, by)) return;
  event.preventDefault();
  if (!stepping) step(form, by);
  else {
    if (isMoveAsWell(form, by)) moves.push(by.value);
    else if (!leaving && !isPressedTwice(form, by)) toast(words.busy);
    delete form.dataset.submitting;
  }
});
window.addEventListener("pageshow", () => {
  stepping = null;
  moves = [];
  leaving = false;
});
