// Answers on their way. What cannot be sent stays in this browser and goes when the connection is
// back; a form that is handed in takes along only what is not saved.
import { problem, say } from "../../lib/announcements.js";
import { Delivery, whenLineIsBack } from "../../lib/delivery.js";
import { csrfToken } from "../../lib/requests.js";
import { forgetSave, saveDone, saveFailed, signedOut } from "../../lib/saving.js";
import { answers as shelf } from "../../lib/storage.js";
import { fill, words } from "../../lib/words.js";
import { answerOf, fieldsOf, form, keyOf, pairsOf, putAnswer, questions } from "./answers.js";
import { showProgress, showUnreadable } from "./progress.js";
import { secondsOf, setTimeLeft } from "./time.js";

const DELAY = 600; // milliseconds from the last key to sending
const RETRY = 5000;
const LATE = 30; // seconds after which an answer is told to be old

const byKey = new Map(questions.map((question) => [keyOf(question), question]));
const saved = new Map(questions.map((question) => [keyOf(question), answerOf(question, true)]));
const queue = new Map(); // key -> { answer, at: when it was given }
const delivery = new Delivery((status) => status >= 500 || status === 429);
const name = (key) => `${form.dataset.sitting}:${key}`;

let again = false; // send once more after the sending under way
let failed = false; // answers may be older than they seem
let over = false; // the server has ended the exam
let submitting = false;

export const isOver = () => over;
export const canSend = () => !delivery.busy && !failed;

// --- the queue -----------------------------------------------------------------------------------
export const changed = (question, soon) => {
  const key = keyOf(question);
  const answer = answerOf(question);
  if (answer === saved.get(key) && !queue.has(key)) return;
  queue.set(key, { answer, at: Date.now() });
  shelf.keepJson(name(key), queue.get(key));
  delivery.later(soon ? 0 : DELAY, flush);
};

const drop = (key) => {
  queue.delete(key);
  shelf.forget(name(key));
};

// What of these was not answered again meanwhile.
const unchanged = (sent) => [...sent].filter(([key, kept]) => queue.get(key) === kept);

const unsaved = (text) => {
  if (!queue.size) return;
  const since = Math.min(...[...queue.values()].map((kept) => kept.at));
  saveFailed("exam", { since, text, act: () => flush() });
};

const body = () => {
  const data = new FormData();
  const now = Date.now();
  data.append("csrfmiddlewaretoken", csrfToken(form));
  queue.forEach(({ answer, at }, key) => {
    const age = Math.floor((now - at) / 1000);
    pairsOf(answer).forEach(([field, value]) => data.append(field, value));
    // given offline: what was given later elsewhere counts
    if (failed && age >= LATE) data.append(`a-${key}`, age);
  });
  secondsOf.forEach((n, key) => {
    if (n) data.append(`s-${key}`, n);
  });
  return data;
};

// --- sending -------------------------------------------------------------------------------------
export const flush = async (leaving) => {
  delivery.stop();
  const hasSeconds = [...secondsOf.values()].some((n) => n > 0);
  if (over || submitting || (!queue.size && !hasSeconds)) return;
  if (delivery.busy) {
    again = true;
    return;
  }
  const sent = new Map(queue);
  const measured = new Map(secondsOf);
  await delivery.send(form.dataset.examSave, body(), {
    token: csrfToken(form),
    keepalive: leaving === true,
    settle: (outcome, reply) => {
      if (outcome === "saved") accepted(sent, measured, reply);
      else if (outcome === "lost" || outcome === "down") retry();
      else notSaved(sent, outcome, reply);
    },
  });
  if (!again) return;
  again = false;
  delivery.later(DELAY, flush);
};

const retry = () => {
  failed = true;
  unsaved();
  delivery.later(RETRY, flush);
};

const accepted = (sent, measured, reply) => {
  failed = false;
  sent.forEach((kept, key) => saved.set(key, kept.answer));
  const arrived = unchanged(sent);
  arrived.forEach(([key]) => drop(key));
  if (arrived.length < sent.size) again = true;
  measured.forEach((n, key) => secondsOf.set(key, (secondsOf.get(key) ?? 0) - n));
  if (sent.size) saveDone("exam", fill(words.saved, { t: reply.saved_at }));
  else forgetSave("exam");
  if (reply.older?.length) problem(fill(form.dataset.older, { n: reply.older.join(", ") }));
  if (reply.seconds_left !== undefined) setTimeLeft(reply.seconds_left * 1000);
  showUnreadable(reply.unreadable ?? []);
};

const end = () => {
  over = true;
  [...queue.keys()].forEach(drop);
  location.reload(); // the server shows the result
};

const notSaved = (sent, outcome, reply) => {
  if (outcome === "renewed") return;
  if (reply.code === "exam_over") {
    end();
    return;
  }
  if (reply.fields) {
    unchanged(sent).forEach(([key]) => reply.fields[key] && drop(key));
    if (queue.size) again = true;
  }
  unsaved(outcome === "refused" ? reply.detail || words.failed : "");
  if (outcome === "signedOut") signedOut();
};

// --- what an earlier visit could not send --------------------------------------------------------
const resume = () => {
  let found = 0;
  shelf.namesUnder("").forEach((kept) => {
    const key = kept.startsWith(name("")) ? kept.slice(name("").length) : null;
    const given = byKey.has(key) ? shelf.readJson(kept) : null;
    if (!given) {
      shelf.forget(kept);
      return;
    }
    if (queue.has(key)) return; // answered again while this file was loading
    if (given.answer === saved.get(key)) {
      shelf.forget(kept);
      return;
    }
    putAnswer(byKey.get(key), given.answer);
    queue.set(key, given);
    found += 1;
  });
  if (!found) return;
  failed = true;
  say(fill(form.dataset.resumed, { n: found }));
  flush();
};

// --- events --------------------------------------------------------------------------------------
for (const type of ["input", "change"]) {
  form.addEventListener(type, (event) => {
    const question = event.target.closest("[data-question]");
    if (!question) return;
    showProgress();
    changed(question, type === "change");
  });
}
// Two tabs may show the same exam; what this one never touched must not replace the other's.
form.addEventListener("formdata", ({ formData }) => {
  questions.forEach((question) => {
    const key = keyOf(question);
    if (!queue.has(key)) fieldsOf(question).forEach((el) => formData.delete(el.name));
    if (secondsOf.get(key)) formData.append(`s-${key}`, secondsOf.get(key));
  });
});
form.addEventListener("submit", (event) => {
  if (navigator.onLine) {
    submitting = true;
    return;
  }
  event.preventDefault();
  const act = () => form.requestSubmit(event.submitter);
  saveFailed("step", { text: form.dataset.offline, act });
});
window.addEventListener("pageshow", () => {
  submitting = false;
});
window.addEventListener("online", () => forgetSave("step"));
window.addEventListener("offline", () => {
  failed = true;
});
whenLineIsBack(flush);
document.addEventListener("visibilitychange", () => {
  if (document.visibilityState === "hidden") flush(true);
});
document.addEventListener("focusout", ({ target }) => {
  if (form.contains(target) && queue.size) flush();
});
// An answer given while this file was still loading differs from what the server wrote into the
// page, because the form restores nothing (autocomplete is off).
questions.forEach((question) => changed(question, true));
resume();
showProgress();
