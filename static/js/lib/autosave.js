// Saves forms marked data-autosave while people type (autosave-events.js says when). What could not
// be sent stays in this browser.
// POST of the form, JSON back: 200 {saved_at, version}, 409 {detail, yours, theirs, version, at}.
import { all, isTextBox } from "./dom.js";
import { toast } from "./announcements.js";
import { secondsClock } from "./clock.js";
import { compare } from "./conflict.js";
import { Delivery, isSmall } from "./delivery.js";
import { showFaults, troubleWith } from "./field-faults.js";
import {
  fillForm, hasField, initialSnapshotOf, leaveOut, setVersion, snapshotOf, valuesOf,
} from "./form-values.js";
import { addressOf, forgetText, keepText, textsUnder } from "./kept-texts.js";
import { csrfToken } from "./requests.js";
import { forgetSave, saveDone, saveFailed, saySaving, signedOut } from "./saving.js";
import { fill, words } from "./words.js";

// Milliseconds from the last key to a save, from a save that failed to the next, and until a save
// without an answer is called one that failed.
const DELAY = 800;
const RETRY = 15000;
const HANGS = 10000;
const SLOW = 1000;

const states = new WeakMap();
// address -> the form whose save is on its way or failed; it may have left the page
const pending = new Map();
export const isPending = (form) => pending.has(addressOf(form));
export const isKnown = (form) => states.has(form);

const isAway = (status) => status >= 502 && status <= 504;
export const ownForms = () => all("form[data-autosave]");
export const everyForm = () => [
  ...ownForms(),
  ...[...pending.values()].filter((form) => !form.isConnected),
];

/* sent     the values the server has, as JSON
   refused  the values it refused
   fault    what is said of the refused fields
   again    save once more after the save under way: true, or "now"
   next     what is done instead after it
   since    when the first change was made that is not saved
   conflict the reply that brought another version
   waits    the question about it waits until nobody types */
export const stateOf = (form) => {
  if (!states.has(form)) {
    states.set(form, { delivery: new Delivery(isAway), sent: initialSnapshotOf(form), since: 0 });
  }
  return states.get(form);
};

const unsaved = (form, trouble = {}) => {
  keepText(form);
  const { since } = stateOf(form);
  saveFailed(addressOf(form), { since, act: () => save(form), ...trouble });
};

const retryLater = (form) => {
  unsaved(form);
  stateOf(form).delivery.later(RETRY, () => save(form));
};

export const changed = (form, now) => {
  const state = stateOf(form);
  state.delivery.stop();
  if (state.conflict) keepText(form);
  else if (snapshotOf(form) === state.sent) {
    if (state.delivery.busy) return;
    state.since = 0; // typed back to what is saved
    showFaults(form, {});
    forgetSave(addressOf(form));
  } else {
    state.since ||= Date.now();
    keepText(form);
    if (now) save(form);
    else state.delivery.later(DELAY, () => save(form));
  }
};

// --- sending -------------------------------------------------------------------------------------
// without: names of fields that were refused; the others go without them.
const save = async (form, without) => {
  const state = stateOf(form);
  const data = new FormData(form);
  let now = snapshotOf(form);
  state.delivery.stop();
  const isAnswered = now === state.sent || (!without && now === state.refused);
  if (state.conflict || form.dataset.submitting || isAnswered) return;
  if (state.delivery.busy) {
    state.again = "now";
    return;
  }
  if (without) {
    now = JSON.stringify(leaveOut(data, JSON.parse(now), JSON.parse(state.sent), without));
  }
  pending.set(addressOf(form), form);
  state.running = send(form, data, now, without);
  await state.running;
};

const send = async (form, data, now, without) => {
  const state = stateOf(form);
  const slow = [setTimeout(saySaving, SLOW, words.saving), setTimeout(unsaved, HANGS, form)];
  let lost = false;
  await state.delivery.send(addressOf(form), data, {
    token: csrfToken(form),
    keepalive: isSmall(now), // outlives the page: somebody may leave while it is on its way
    settle: (outcome, reply, status) => {
      lost = outcome === "lost";
      if (outcome === "saved") accepted(form, now, reply, without);
      else if (lost) retryLater(form);
      else notSaved(form, now, { outcome, reply, status, without });
    },
  });
  slow.forEach(clearTimeout);
  const { next, again } = state;
  state.next = null;
  if (next && !lost && !state.conflict) {
    state.again = false;
    next();
  } else if (again) {
    state.again = false;
    changed(form, again === "now" && !lost);
  }
};

const accepted = (form, sent, reply, without) => {
  const state = stateOf(form);
  state.sent = sent;
  setVersion(form, reply.version);
  pending.delete(addressOf(form));
  if (without) {
    state.refused = snapshotOf(form);
    unsaved(form, state.fault);
  } else {
    state.refused = null;
    state.since = 0;
    showFaults(form, {});
    saveDone(addressOf(form), fill(words.saved, { t: secondsClock(reply.saved_at) }));
    if (snapshotOf(form) === sent) forgetText(form);
    else {
      state.since = Date.now();
      keepText(form);
      state.again ||= true;
    }
  }
  form.dispatchEvent(new CustomEvent("assay:saved", { bubbles: true, detail: reply }));
};

const notSaved = (form, sent, { outcome, reply, status, without }) => {
  const state = stateOf(form);
  keepText(form);
  const again = outcome !== "refused" || reply.code === "csrf";
  if (!again) pending.delete(addressOf(form)); // it would be refused again
  const names = Object.keys(reply.fields ?? {}).filter((name) => hasField(form, name));
  if (status === 409 && reply.theirs !== undefined) {
    state.conflict = reply;
    decideAfterTyping(form);
  } else if (outcome === "down") retryLater(form);
  else if (names.length && !without) refusedFields(form, sent, names, reply.fields);
  else if (outcome === "refused") unsaved(form, { text: reply.detail || words.failed });
  else if (outcome !== "renewed") unsaved(form);
  if (outcome === "signedOut") signedOut();
};

const refusedFields = (form, sent, names, faults) => {
  const state = stateOf(form);
  state.refused = sent;
  state.fault = troubleWith(form, names, faults);
  showFaults(form, faults);
  unsaved(form, state.fault);
  const others = leaveOut(new FormData(), JSON.parse(sent), JSON.parse(state.sent), names);
  if (JSON.stringify(others) !== state.sent) state.next ??= () => save(form, names);
};

// --- two versions --------------------------------------------------------------------------------
// Goes on from the server's version with these values; saves them if they differ from it.
const goOnWith = (form, values, version) => {
  stateOf(form).conflict = null;
  setVersion(form, version);
  fillForm(form, values);
  save(form);
};

const askToDecide = (form) =>
  unsaved(form, { text: words.twoVersions, label: words.compare, act: () => decide(form) });

// Nobody is interrupted while typing, in whichever form: the question waits until no text box has
// the focus.
const decideAfterTyping = (form) => {
  if (!isTextBox(document.activeElement)) {
    decide(form);
    return;
  }
  stateOf(form).waits = true;
  askToDecide(form);
};

export const typingEnded = () => {
  if (isTextBox(document.activeElement)) return;
  const waiting = everyForm().find((form) => isKnown(form) && stateOf(form).waits);
  if (waiting) decide(waiting);
};

export const decide = (form) => {
  const state = stateOf(form);
  state.waits = false;
  const { conflict } = state;
  compare(form, conflict, JSON.parse(state.sent), {
    same: (mine) => goOnWith(form, mine, conflict.version),
    mine: (values, theirs) => {
      const typed = valuesOf(form);
      // The server has theirs: without this, values that were once saved from here are not sent.
      state.sent = JSON.stringify({ ...typed, ...theirs });
      goOnWith(form, values, conflict.version);
      if (JSON.stringify(values) !== JSON.stringify(typed)) {
        toast(words.tookChosen, words.undo, () => fillForm(form, typed));
      }
    },
    later: () => keepText(form),
    asked: () => askToDecide(form),
    theirs: (theirs, mine) => {
      state.sent = JSON.stringify({ ...mine, ...theirs });
      goOnWith(form, theirs, conflict.version);
      state.sent = snapshotOf(form);
      forgetText(form);
      saveDone(addressOf(form), fill(words.saved, { t: secondsClock(conflict.at) }));
      toast(words.tookTheirs, words.undo, () => fillForm(form, mine));
    },
  });
};

// --- for other modules ---------------------------------------------------------------------------
// True when everything typed is with the server; false when something could not be stored, or a
// person must decide.
export const allSaved = async () => {
  const saved = everyForm().map(async (form) => {
    const state = stateOf(form);
    if (state.delivery.busy) await state.running;
    await save(form);
    if (state.conflict) decide(form);
    return !state.conflict && (form.dataset.submitting || snapshotOf(form) === state.sent);
  });
  return (await Promise.all(saved)).every(Boolean);
};

// Texts of other forms under this address that were never sent: [{ address, at, fields }].
export const unsentUnder = (start) =>
  textsUnder(start).filter(({ address }) => !pending.has(address));

export const saveNow = (form) => {
  if (isKnown(form)) save(form);
};
