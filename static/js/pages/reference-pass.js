// The reference answer's marks in one pass: TRUE or FALSE on each line, saved at once, then on to
// the next line without a mark.
import { $ } from "../lib/dom.js";
import { say } from "../lib/announcements.js";
import { nextOpenLine } from "../lib/lines.js";
import {
  replaceParts, sendForParts, stepForgotten, stepLost, stepRefused,
} from "../lib/parts.js";
import "../lib/tabs.js";

const goOn = () => {
  if ($('.line[data-state="open"]')) nextOpenLine();
  else {
    say($("#dock b").textContent.replace(/\s+/g, " ").trim());
    $("[data-finish]").focus({ preventScroll: true });
  }
};

const send = async (form, by) => {
  const again = () => {
    if (form.isConnected) send(form, by);
    else stepForgotten();
  };
  try {
    const answer = await sendForParts(form, by);
    if (!answer.ok || !answer.html) {
      stepRefused(answer, again);
      return;
    }
    const line = form.closest(".line");
    replaceParts(answer.html, form);
    line.dataset.state = "done";
    goOn();
  } catch {
    stepLost(again);
  }
};

// FALSE needs a reason: the first press opens the box for it.
const lacksReason = (form, by) => {
  const { why } = form.elements;
  const box = $("[data-why]", form);
  const lacking = by.value === "0" && !why.value.trim();
  $("[data-why-missing]", box).hidden = !lacking || box.hasAttribute("data-closed");
  if (lacking) {
    box.removeAttribute("data-closed");
    why.focus();
  }
  return lacking;
};

document.addEventListener("submit", (event) => {
  const { target: form, submitter } = event;
  if (!form.matches("[data-reference]")) return;
  event.preventDefault();
  const by = submitter ?? $("button", form);
  if (form.dataset.sending || lacksReason(form, by)) return;
  form.dataset.sending = "1"; // a key pressed twice is one mark
  send(form, by).finally(() => delete form.dataset.sending);
});
