// Parts that ask for themselves again, and forms that replace parts:
//   data-refresh="/address/"       with one of
//     data-refresh-every="2"       every two seconds, less often where nothing comes, until refused
//     data-refresh-on="load"       as soon as it is there
//     data-refresh-on="saved"      after each `assay:saved`
//     data-refresh-on="open"       when the details around it are opened
//   data-refresh-shown="marks"     tells what each data-marks of the page says, joined by dots
//   <form data-background>         is sent in the background, files included
// What the answer holds replaces its namesakes (parts.js); an answer without content, nothing.
import { all, byId, within } from "./dom.js";
import { problem } from "./announcements.js";
import { onArrival } from "./arrivals.js";
import { askForParts, replaceParts, sendForParts } from "./parts.js";
import { signedOut } from "./saving.js";
import { words } from "./words.js";

// A part that had the focus gives it to its successor of the same name.
const show = (html, sent) => {
  const focused = document.activeElement;
  replaceParts(html, sent);
  if (focused?.id && !focused.isConnected) byId(focused.id)?.focus({ preventScroll: true });
};

const take = (answer, sent) => {
  const refusal = [409, 422].includes(answer.status); // brings something to show
  if (answer.reload) location.reload();
  else if (answer.status === 401) signedOut();
  else if (answer.ok || (refusal && answer.html)) show(answer.html, sent);
  else problem(answer.reply.detail || words.failed);
};

const LONGEST = 3000; // characters told: servers take addresses of about 4,000; then all comes

const addressOf = ({ dataset: { refresh: url, refreshShown: name } }) => {
  const shown = name ? all(`[data-${name}]`).map((el) => el.dataset[name]).join(".") : "";
  return shown && shown.length < LONGEST ? `${url}?shown=${shown}` : url;
};

const inTrouble = (status) => [0, 408, 429].includes(status) || status >= 500;
const isRefusal = (status) => status >= 400 && status !== 401 && !inTrouble(status);

// Gives the status of the answer; 0 without one. A server in trouble is said unless `known`.
const refresh = async (el, known) => {
  try {
    const answer = await askForParts(addressOf(el));
    if (el.isConnected && !(known && inTrouble(answer.status))) take(answer);
    return answer.status;
  } catch {
    if (!known) problem(words.failed);
    return 0;
  }
};

const SLOWER = [1, 1, 2, 3, 5]; // times the interval, from one asking to the next
const SLOWEST = 10; // seconds, unless the interval is longer

// Asks again only when the answer is there; ends when it is refused or the part has left the page.
const poll = (el, asked = 0, known = false) => {
  const every = Number(el.dataset.refreshEvery);
  const pause = Math.max(every, Math.min(SLOWEST, every * (SLOWER[asked] ?? SLOWEST)));
  setTimeout(async () => {
    if (!el.isConnected) return;
    const status = await refresh(el, known);
    if (el.isConnected && !isRefusal(status)) poll(el, asked + 1, inTrouble(status));
  }, pause * 1000);
};

const begin = (el) => {
  if (el.dataset.refreshEvery) poll(el);
  if (el.dataset.refreshOn === "load") refresh(el);
};

let refreshing = false;
let again = false;

const refreshSaved = async () => {
  again = refreshing;
  if (refreshing) return;
  refreshing = true;
  await Promise.all(all('[data-refresh-on="saved"]').map((el) => refresh(el)));
  refreshing = false;
  if (again) refreshSaved();
};

const sendInBackground = async (event) => {
  const { target: form, submitter: by } = event;
  if (event.defaultPrevented || !form.matches("form[data-background]")) return;
  event.preventDefault();
  const sending = sendForParts(form, by);
  if (by) by.disabled = true; // after the fields are read
  try {
    take(await sending, form);
  } catch {
    problem(words.failed);
  }
  if (by) by.disabled = false;
};

const start = (root) => within(root, "[data-refresh]").forEach(begin);
document.addEventListener("assay:saved", refreshSaved);
document.addEventListener(
  "toggle",
  ({ target }) => {
    if (target.open) all('[data-refresh-on="open"]', target).forEach((el) => refresh(el));
  },
  true, // it does not bubble
);
document.addEventListener("submit", sendInBackground);
onArrival(start);
start(document);
