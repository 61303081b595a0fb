// Answers to the reviewer. One that was typed and not sent stays in this browser, and goes along
// with "Done" and with "Send to review".
import { $, all } from "../../lib/dom.js";
import { postForParts, stepLost, stepRefused } from "../../lib/parts.js";
import { fieldsOf } from "../../lib/requests.js";
import { texts } from "../../lib/storage.js";
import { putParts } from "./lines.js";

const nameOf = (box) => box.dataset.answerAt + box.dataset.of;

export const unsentReplies = (root) =>
  all('textarea[name="comment"]', root).filter((box) => box.value.trim() && !box.readOnly);

export const bringBackReply = (form) => {
  const box = form.elements.comment;
  if (box && !box.value) box.value = texts.read(nameOf(box)) ?? "";
};

// Sends the answer; what is to be said of it, or false.
export const sendReply = async (box) => {
  const again = () => sendReply(box);
  const typed = box.value.trim();
  const line = box.id.replace("reply-", "");
  const fields = fieldsOf({ key: box.dataset.of, line, comment: box.value });
  box.readOnly = true; // on its way: neither changed nor sent twice
  let answer;
  try {
    answer = await postForParts(box.dataset.answerAt, fields);
  } catch {
    stepLost(again);
    return false;
  } finally {
    box.readOnly = false;
  }
  if (!answer.ok || !answer.reply.html) {
    stepRefused(answer, again);
    return false;
  }
  putParts(answer.reply.html);
  texts.forget(nameOf(box));
  return answer.reply.said || typed;
};

const sendAll = async (boxes, by) => {
  for (const box of boxes) {
    if (!(await sendReply(box))) return;
  }
  const button = by.isConnected ? by : $("#send [data-send]");
  button.form.requestSubmit(button);
};

document.addEventListener("input", ({ target: box }) => {
  if (box.name !== "comment" || !box.dataset.of) return;
  texts.keep(nameOf(box), box.value.trim() ? box.value : null);
});

const repliesFirst = (event) => {
  const { target: form, submitter: by } = event;
  const own = form.elements.comment; // the one in this form goes along by itself
  const sends = by?.hasAttribute("data-send");
  const boxes = sends ? unsentReplies(document).filter((box) => box !== own) : [];
  if (own?.readOnly) own.disabled = true; // its answer is on its way already
  if (!boxes.length) return;
  event.preventDefault();
  event.stopImmediatePropagation();
  sendAll(boxes, by);
};
document.addEventListener("submit", repliesFirst, true);
