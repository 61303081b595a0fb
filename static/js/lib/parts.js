// The protocol of partial updates: a form is sent, or an address asked, in the background with
// `X-Parts: 1`, and each element at the top of the answer replaces the element of the page with its
// id. Headers of the answer: X-Go, an address to go to; X-Reload, load this page again; X-Page, see
// steps.js.
import { all, byId, fragmentOf } from "./dom.js";
import { problem } from "./announcements.js";
import { arrived } from "./arrivals.js";
import { ask } from "./requests.js";
import { afterPress } from "./pressing.js";
import { forgetSave, saveFailed, signedOut } from "./saving.js";
import { words } from "./words.js";

// A box somebody is writing in, or has written in, is not taken away by a save; nor is what shows a
// text that the server does not have yet (data-typed).
const isHeld = (el) =>
  "typed" in el.dataset
  || all("textarea[data-hold]", el).some(
    (box) => box === document.activeElement || box.value !== box.defaultValue,
  );

// The element of `root` that is what `el` is in the part before it.
const twinOf = (el, root) =>
  all(el.tagName, root).find((other) =>
    el.id ? other.id === el.id : el.textContent && other.textContent === el.textContent,
  );

// What was opened in a part stays open in the one that takes its place, and the focus stays where
// it was.
const replaceInUse = (old, el) => {
  const opened = all("details[open] > summary", old);
  const focused = old.contains(document.activeElement) ? document.activeElement : null;
  old.replaceWith(el);
  for (const summary of opened) twinOf(summary, el)?.parentElement.setAttribute("open", "");
  if (focused) twinOf(focused, el)?.focus({ preventScroll: true });
};

// Puts the elements of the answer into their places; the sent form's own goes in any case. What has
// no place in the page stays in the fragment, which is returned.
export const replaceParts = (html, sent) => {
  const content = fragmentOf(html);
  for (const el of [...content.children]) {
    const old = el.id && byId(el.id);
    const isSent = Boolean(old && sent && old.contains(sent));
    if (!old || (isHeld(old) && !isSent)) continue;
    if (isSent) old.replaceWith(el);
    else replaceInUse(old, el);
    arrived(el);
  }
  return content;
};

const parsed = (text) => {
  try {
    return JSON.parse(text);
  } catch {
    return {};
  }
};

// Asks for parts: { ok, status, url, html, reply, page, go, reload }. A lost line is an exception.
// The answer waits until the pointer is released.
export const askForParts = async (url, options = {}) => {
  const headers = { Accept: "application/json, text/html", "X-Parts": "1" };
  const answer = await ask(url, { ...options, headers });
  const text = await answer.text();
  await afterPress();
  const isHtml = /html/.test(answer.headers.get("Content-Type") ?? "");
  return {
    ok: answer.ok,
    status: answer.status,
    url: answer.url,
    html: isHtml ? text : "",
    reply: isHtml ? {} : parsed(text),
    page: answer.headers.get("X-Page"),
    go: answer.headers.get("X-Go"),
    reload: answer.headers.has("X-Reload"),
  };
};

export const postForParts = async (url, body) => {
  const answer = await askForParts(url, { method: "POST", body });
  if (answer.ok) forgetSave("step");
  return answer;
};

// Sends a form as the browser would, by the button that was pressed. more: further fields.
export const sendForParts = async (form, by, more = {}) => {
  const data = new FormData(form);
  if (by?.name) data.append(by.name, by.value);
  for (const [name, value] of Object.entries(more)) data.append(name, value);
  by?.setAttribute("aria-busy", "true");
  const url = by?.getAttribute("formaction") || form.getAttribute("action") || location.href;
  try {
    return await postForParts(url, data);
  } finally {
    by?.removeAttribute("aria-busy");
  }
};

// The step was not taken; `again` takes it. Whoever goes on to another line has left it.
export const stepLost = (again) => saveFailed("step", { text: words.failed, act: again });
export const stepForgotten = () => forgetSave("step");

export const stepRefused = (answer, again) => {
  if (answer.status === 401) {
    signedOut();
    stepLost(again);
    return;
  }
  problem(answer.reply.detail || words.failed);
  scrollTo({ top: 0 });
};
document.addEventListener("assay:current", stepForgotten);
