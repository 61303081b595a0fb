// Verdicts: sent in the background; the line, the bar and the counts come back; the next open line
// follows.
import { $, all, byId, focusOn, fragmentOf, make } from "../../lib/dom.js";
import { removeToasts, say, toast } from "../../lib/announcements.js";
import { roundFrom } from "../../lib/lines.js";
import {
  postForParts, replaceParts, sendForParts, stepForgotten, stepLost, stepRefused,
} from "../../lib/parts.js";
import { fieldsOf } from "../../lib/requests.js";
import { saveDone } from "../../lib/saving.js";
import { fill, words } from "../../lib/words.js";
import { askAboutUnsent, askFor, openBox } from "./box.js";
import { filterLines } from "./filter.js";
import { allLines, currentLine, forgetWording, forgetWords, unsentOf } from "./lines.js";

export const showPlace = () => {
  const line = currentLine();
  const lines = allLines();
  all("#dock .ticks i").forEach((tick, n) => {
    tick.classList.toggle("is-current", lines[n] === line);
  });
  const count = $("[data-line-count]");
  if (!count || !line) return;
  count.textContent = fill(count.dataset.words, { n: line.dataset.line, t: lines.length });
};

const nextOpen = (after) =>
  roundFrom(allLines(), after).find((line) => line.dataset.state === "open" && !line.hidden);

const announce = (pk, said) => {
  const { state, undoLabel, undoUrl } = said.dataset;
  removeToasts();
  say(said.textContent);
  if (state !== "open") toast(said.textContent, undoLabel, () => takeBack(pk, undoUrl));
};

const showDone = () => {
  say(words.allDone);
  $("#dock .finish button")?.focus();
};

// goOn: a verdict leads to the next open line; a remark and what is taken back do not.
const answered = (pk, html, goOn) => {
  const wasCurrent = byId(`line-${pk}`).classList.contains("is-current");
  replaceParts(html);
  const line = byId(`line-${pk}`);
  const said = fragmentOf(html).getElementById("said");
  const isGiven = goOn && wasCurrent && said.dataset.state !== "open";
  if (wasCurrent) {
    line.classList.add("is-current");
    line.setAttribute("aria-current", "true");
  }
  filterLines();
  saveDone("step", said.dataset.savedText);
  if (goOn) announce(pk, said);
  const next = isGiven ? nextOpen(line) : null;
  if (next) {
    next.click();
    return;
  }
  if (wasCurrent) openBox(line);
  showPlace();
  if (isGiven) showDone();
  else if (wasCurrent) focusOn(line);
};

const showRefusals = (form, html, by) => {
  const found = fragmentOf(html).getElementById("refusals");
  $("[data-refusals]", form)?.remove();
  if (!found) {
    stepLost(() => form.requestSubmit(by));
    return;
  }
  const box = make("div", { "data-refusals": "", role: "alert" }, ...found.children);
  $(".form-actions", form).before(box);
  askFor(form);
  const blamed = form.elements[$("[data-field]", box)?.dataset.field];
  if (/^suggest_(text|weight)$/.test(blamed?.name)) blamed.focus();
};

const give = async (form, by) => {
  const line = form.closest(".line");
  const { pk } = line.dataset;
  const again = () => {
    if (form.isConnected) give(form, by);
    else stepForgotten();
  };
  if (form.dataset.sending) return;
  form.dataset.sending = "1";
  let answer;
  try {
    answer = await sendForParts(form, by);
  } catch {
    stepLost(again);
    return;
  } finally {
    delete form.dataset.sending;
  }
  if (answer.ok && answer.html) {
    forgetWords(line);
    if (by?.dataset.verdict === "change") forgetWording(line); // it was sent
    answered(pk, answer.html, !by?.hasAttribute("data-remark"));
  } else if (answer.html && answer.status === 400 && form.matches(".review-editor")) {
    showRefusals(form, answer.html, by);
  } else stepRefused(answer, again);
};

const takeBack = async (pk, url) => {
  const again = () => takeBack(pk, url);
  let answer;
  try {
    answer = await postForParts(url, fieldsOf({}));
  } catch {
    stepLost(again);
    return;
  }
  if (!answer.ok || !answer.html) {
    stepRefused(answer, again);
    return;
  }
  answered(pk, answer.html, false);
  byId(`line-${pk}`).click();
};

const onVerdict = (event) => {
  const { target: form, submitter: by } = event;
  if (!form.matches(".review-editor, .quick")) return;
  event.preventDefault();
  event.stopImmediatePropagation();
  const line = form.closest(".line");
  const unsent = unsentOf(line);
  const saysNothing = !form.classList.contains("is-asking") && !unsent.words && !unsent.wording;
  if (by?.dataset.verdict === "change" && saysNothing) {
    askFor(form);
    return;
  }
  const leavesWords = by?.value === "approve" && (unsent.words || unsent.wording);
  if (leavesWords && !form.dataset.anyway) {
    askAboutUnsent(openBox(line));
    return;
  }
  delete form.dataset.anyway;
  give(form, by);
};

// A round is not finished over words that nobody would ever read.
const onFinish = (event) => {
  const line = event.target.matches(".finish") && allLines().find((l) => unsentOf(l).words);
  if (!line) return;
  event.preventDefault();
  event.stopImmediatePropagation();
  if (!line.classList.contains("is-current")) line.click();
  const form = openBox(line);
  $("[data-unsent-note]", form)?.remove();
  const attributes = { class: "field-error", "data-unsent-note": "", role: "alert" };
  const note = make("p", attributes, $("[data-unsent]", form).dataset.finish);
  $(".form-actions", form).before(note);
  askFor(form);
};
document.addEventListener("submit", onVerdict, true);
document.addEventListener("submit", onFinish, true);
