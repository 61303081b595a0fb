// Parts that ask for themselves again, and forms that replace parts:
//   data-refresh="/address/"       with one of
//     data-refresh-every="2"       every two seconds
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

const refresh = async (el) => {
  try {
    const answer = await askForParts(addressOf(el));
    if (el.isConnected) take(answer);
  } catch {
    problem(words.failed);
  }
};

// Asks again only when the answer is there; ends when the part has left the page.
const poll = (el) => {
  setTimeout(async () => {
    if (!el.isConnected) return;
    await refresh(el);
    if (el.isConnected) poll(el);
  }, Number(el.dataset.refreshEvery) * 1000);
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
  await Promise.all(all('[data-refresh-on="saved"]').map(refresh));
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
    if (target.open) all('[data-refresh-on="open"]', target).forEach(refresh);
  },
  true, // it does not bubble
);
document.addEventListener("submit", sendInBackground);
onArrival(start);
start(document);
