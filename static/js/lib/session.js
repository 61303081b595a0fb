// Signing in again, in another tab, changes the token every form is sent with. A page that stood
// open meanwhile takes the new one, so that what was typed in it can still be saved and sent: but
// only for the same person.
import { $, all } from "./dom.js";
import { ask } from "./requests.js";
import { otherPerson, saveFailed, signedOut } from "./saving.js";
import { person } from "./storage.js";
import { words } from "./words.js";

const TOKEN = "input[name=csrfmiddlewaretoken]";
const cookie = () => /(?:^|; )csrftoken=([^;]+)/.exec(document.cookie)?.[1] ?? "";
let known = cookie();
let asking = null;

const isStale = () => Boolean(cookie()) && cookie() !== known;

const takeToken = async () => {
  const now = cookie();
  const answer = await ask("/preferences/", { headers: { Accept: "text/html" } });
  if (!answer.ok || answer.redirected) {
    signedOut(); // nobody is signed in yet
    return false;
  }
  const page = new DOMParser().parseFromString(await answer.text(), "text/html");
  const input = $(TOKEN, page);
  known = now;
  if (page.body.dataset.who !== person || !input) {
    otherPerson();
    return false;
  }
  all(TOKEN).forEach((own) => {
    own.value = input.value;
  });
  document.dispatchEvent(new CustomEvent("assay:renewed"));
  return true;
};

// True when this page's forms can be sent (again); then `assay:renewed` was heard already.
export const renew = () => {
  asking ??= takeToken()
    .catch(() => {
      saveFailed("step", { text: words.failed, act: renew });
      return false;
    })
    .finally(() => {
      asking = null;
    });
  return asking;
};

const look = () => {
  if (isStale()) renew();
};

const renewFirst = async (event) => {
  const { target: form, submitter: by } = event;
  if (!isStale() || form.getAttribute("method") !== "post") return;
  event.preventDefault();
  event.stopImmediatePropagation();
  if (await renew()) form.requestSubmit(by?.isConnected ? by : undefined);
};

if (person) {
  document.addEventListener("visibilitychange", () => {
    if (document.visibilityState === "visible") look();
  });
  window.addEventListener("focus", look);
  for (const name of ["pointerdown", "keydown"]) document.addEventListener(name, look, true);
  window.addEventListener("submit", renewFirst, true); // before anything else hears of it
}
