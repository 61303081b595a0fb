// Going back: to a page, never to a question whether to send a form again.
import { $ } from "./dom.js";

// The answer to a form takes the address of its page instead of the form's.
const nameAnswer = () => {
  const { dataset } = document.body;
  const from = document.referrer.startsWith(`${location.origin}/`) ? document.referrer : "";
  const at = $("[data-fresh]")?.dataset.fresh || dataset.posted || from;
  if ("posted" in dataset && at) history.replaceState(history.state, "", at);
};

// A page that was left by sending something from it, or whose lines may have been sent meanwhile,
// is not shown again from memory as it was.
let left = false;
window.addEventListener("submit", (event) => {
  if (!event.defaultPrevented && event.target.getAttribute("method") === "post") left = true;
});
window.addEventListener("pageshow", (event) => {
  if (!event.persisted) return;
  const own = $("[data-fresh]");
  if (own) location.replace(own.dataset.fresh);
  else if (left) location.reload();
});
nameAnswer();
