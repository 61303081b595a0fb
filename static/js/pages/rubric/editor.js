// The editor that follows the current line, and what its buttons and keys do.
import { $, all, byId, focusOn, isComposing, make } from "../../lib/dom.js";
import { say, toast } from "../../lib/announcements.js";
import { arrived } from "../../lib/arrivals.js";
import { saveNow } from "../../lib/autosave.js";
import { goToLine } from "../../lib/lines.js";
import {
  askForParts, postForParts, replaceParts, stepLost, stepRefused,
} from "../../lib/parts.js";
import { afterPress } from "../../lib/pressing.js";
import { fieldsOf } from "../../lib/requests.js";
import { lineForm, takeParts } from "./line-form.js";
import { currentLine, fillOneButton, nextTodo, putParts, viewOf } from "./lines.js";
import { markPassage } from "./passage-mark.js";
import { bringBackReply, sendReply, unsentReplies } from "./replies.js";
import { forgetCaret } from "./splitting.js";

const EDITED = ["text", "importance", "weight", "dimension"];
const withoutKeys = (event) => !(event.ctrlKey || event.metaKey || event.altKey);

const differs = (form, view) =>
  EDITED.some((name) => {
    const field = form.elements[name]; // the lines of a skill have no weight to choose
    return field && field.value.trim() !== view.dataset[name];
  });

// After the last line: to the button that comes next, or to the box that is still empty.
const rest = (form) => {
  const line = form.closest(".line");
  const { comment, text } = form.elements;
  if (line && viewOf(line).hasAttribute("data-todo")) (comment ?? text)?.focus();
  else if ($("#send").dataset.step === "add") $("#new-text")?.focus();
  else if ($("#send").dataset.step === "reference") $("[data-reference-pass]")?.focus();
  else $("[data-send]")?.focus();
};

const restOnce = (form) => {
  delete form.dataset.last;
  rest(form);
};

// The line is read, though nothing on it was changed.
const confirmRead = async (form, view) => {
  const again = () => confirmRead(form, view);
  view.removeAttribute("data-todo"); // until the server answers
  try {
    const fields = fieldsOf({ then: "next" }, form);
    const answer = await postForParts(form.getAttribute("action"), fields);
    if (answer.ok && answer.reply.html) {
      putParts(answer.reply.html);
      return;
    }
    view.setAttribute("data-todo", "");
    stepRefused(answer, again);
  } catch {
    view.setAttribute("data-todo", "");
    stepLost(again);
  }
};

// "Done": the line is read; what was typed goes along; on to the next line that needs somebody.
const done = async (form, line) => {
  const view = viewOf(line);
  const next = nextTodo(line) ?? ($("#requests") ? null : line.nextElementSibling);
  const sent = unsentReplies(line).map(sendReply);
  const typed = differs(form, view);
  if (typed || sent.length) view.removeAttribute("data-todo"); // until the server answers
  if (view.hasAttribute("data-unread") && !typed) sent.push(confirmRead(form, view));
  if (next) {
    next.click();
    return;
  }
  form.dataset.last = "1";
  saveNow(form);
  await Promise.all(sent);
  if (form.dataset.last && !differs(form, viewOf(line))) restOnce(form);
};

const answerOf = async (box) => {
  if (!box.value.trim()) {
    box.focus();
    return;
  }
  const said = await sendReply(box);
  if (said) toast(said);
};

// --- opening and closing -------------------------------------------------------------------------
const watched = new WeakSet();
const watch = (form) => {
  if (watched.has(form)) return;
  watched.add(form);
  form.addEventListener("assay:saved", async (event) => {
    await afterPress();
    if (event.detail.html) {
      delete byId(`line-${form.elements.line.value}-view`)?.dataset.typed;
      putParts(event.detail.html);
    }
    if (form.dataset.last && form.isConnected) restOnce(form);
  });
  form.addEventListener("submit", (event) => {
    const { submitter: by } = event;
    const line = form.closest(".line");
    if (by?.hasAttribute("data-answer")) {
      event.preventDefault();
      answerOf(form.elements.comment);
    }
    if (by?.hasAttribute("data-next")) {
      event.preventDefault();
      done(form, line);
    }
  });
  form.addEventListener("assay:filled", () => {
    if (!form.isConnected) saveNow(form); // no key and no leaving of a field saves it
  });
};

// A thread about which nobody asks now comes when its line is opened.
const loadThread = async (line) => {
  const slot = $("[data-later]", line);
  if (!slot) return;
  delete slot.dataset.later;
  try {
    const answer = await askForParts(`?thread=${line.dataset.pk}`);
    if (!answer.ok) throw new Error(String(answer.status));
    replaceParts(answer.html);
    const form = $("[data-editor]", line);
    if (form) bringBackReply(form);
  } catch {
    slot.dataset.later = ""; // asked for again when the line is opened again
  }
};

const editorOf = (line) => $("[data-editor]", line);

export const openEditor = (line) => {
  if (editorOf(line)) {
    markPassage(line);
    return;
  }
  const form = lineForm(line);
  if (!form) return;
  $(".line-body", line).append(form);
  bringBackReply(form);
  fillOneButton();
  watch(form);
  form.dispatchEvent(new CustomEvent("assay:editor", { bubbles: true }));
  arrived(form);
  const { typed } = viewOf(line).dataset; // here before, and not with the server yet
  if (typed) {
    form.elements.text.value = typed;
    form.elements.text.dispatchEvent(new Event("input", { bubbles: true }));
  }
  forgetCaret();
  if (line.getBoundingClientRect().bottom > innerHeight - 16) {
    line.scrollIntoView({ block: "nearest" });
  }
  markPassage(line);
  loadThread(line);
};

// The view shows what was typed until the server answers.
const showTyped = (form, view) => {
  const link = view && $(".line-open", view);
  const typed = form.elements.text.value.trim();
  if (!link || !typed || typed === view.dataset.text) return;
  link.textContent = typed;
  view.dataset.typed = form.elements.text.value;
};

export const removeEditor = (line) => {
  const form = editorOf(line);
  let more = $(".line-more", line);
  if (!more) {
    more = make("div", { class: "line-more", hidden: "" });
    $(".line-body", line).append(more);
  }
  takeParts(form, () => more);
  form.remove();
};

const closeEditor = (line) => {
  const form = editorOf(line);
  if (!form) return;
  saveNow(form);
  showTyped(form, viewOf(line));
  removeEditor(line);
};

document.addEventListener("assay:current", (event) => {
  all(".line:not(.is-current)").forEach(closeEditor);
  openEditor(event.target);
});

const onLinks = (event) => {
  const { target } = event;
  const withKeys = event.ctrlKey || event.metaKey;
  const goal = target.closest("[data-choose]");
  const link = !withKeys && target.closest("a[data-open]");
  if (!withKeys && target.closest("[data-next-todo]")) {
    event.preventDefault();
    const next = nextTodo(currentLine()) ?? currentLine();
    if (next) goToLine(next);
  }
  if (link) {
    event.preventDefault();
    const line = link.closest(".line");
    if (line.classList.contains("is-current")) $("textarea", line).focus();
    else setTimeout(() => line.focus({ preventScroll: true }));
  }
  if (goal) {
    event.preventDefault();
    const wanted = byId(`line-${goal.dataset.choose}`);
    if (wanted) goToLine(wanted);
  }
};
document.addEventListener("click", onLinks, true);

// --- Enter ---------------------------------------------------------------------------------------
const onEnter = (event) => {
  const { target } = event;
  if (event.key !== "Enter") return;
  const form = target.type === "radio" && withoutKeys(event) && target.closest("[data-editor]");
  const line = target.id === "line-dimension" && withoutKeys(event) && target.closest(".line");
  const adds = target.id === "new-text" && !event.shiftKey && !isComposing(event);
  if (form) {
    event.preventDefault();
    form.elements.text.focus(); // on a weight or an importance it means: edit the words
  } else if (line) {
    event.preventDefault(); // a dimension is found by typing its first letters
    event.stopPropagation();
    focusOn(line);
  } else if (adds) {
    event.preventDefault(); // a line is one statement
    event.stopPropagation();
    if (target.value.trim()) target.form.requestSubmit();
  }
};
document.addEventListener("keydown", onEnter, true);

// --- the page as it comes ------------------------------------------------------------------------
const start = () => {
  all("[data-editor]").forEach((form) => {
    watch(form);
    bringBackReply(form);
  });
  fillOneButton();
  markPassage(currentLine());
  const places = $(".split-places"); // the server asks where to split
  if (!places) return;
  $("button", places).focus({ preventScroll: true });
  places.scrollIntoView({ block: "nearest" });
  say($("legend", places).textContent, true);
};
document.addEventListener("assay:page", start);
document.addEventListener("assay:tab", () => markPassage(currentLine()));
start();
