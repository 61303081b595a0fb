// The box of a line: words for the author, another wording, and the question about unsent words.
import { $, all, byId } from "../../lib/dom.js";
import {
  WORDING, boxOf, currentLine, keepWording, keepWords, keptWording, keptWords, unsentOf, wordingIn,
} from "./lines.js";

// isNew: made from the template, so it holds nothing of this line; one from the server may hold
// what was typed.
const fillBox = (line, form, isNew) => {
  const own = `/lines/${line.dataset.pk}/`;
  const address = form.getAttribute("action").replace(/\/lines\/\d+\//, own);
  const { comment } = form.elements;
  form.setAttribute("action", address);
  $("[data-remark]", form).setAttribute("formaction", `${address}comment/`);
  const back = $("[data-take-back]", form);
  if (back) {
    back.setAttribute("formaction", `${address}undo/`);
    back.hidden = line.dataset.state === "open";
  }
  all('input[name="aspect"]', form).forEach((el) => {
    if (el.value === line.dataset.aspect) el.checked = true;
  });
  if (!comment.value && keptWords(line)) {
    comment.value = keptWords(line);
    form.dataset.recalled = "1"; // request or remark, nobody knows
  }
  const begun = keptWording(line);
  if (isNew || !form.elements.suggest_text.value) {
    WORDING.forEach((name) => {
      form.elements[`suggest_${name}`].value = (begun ?? line.dataset)[name];
    });
  }
  if (begun || line.hasAttribute("data-suggested")) $("[data-suggest]", form).open = true;
};

export const openBox = (line) => {
  const source = byId("editor");
  if (boxOf(line) || !source) return boxOf(line);
  const form = $("form", source.content).cloneNode(true);
  $(".line-body", line).append(form);
  fillBox(line, form, true);
  return form;
};

export const closeBox = (line) => boxOf(line)?.remove();

// The box for a request, with the caret in it: outside of it single keys are live.
export const askFor = (form) => {
  form.classList.add("is-asking");
  all("[data-verdict]").forEach((button) => {
    button.classList.toggle("btn-primary", button.dataset.verdict === "change");
  });
  form.scrollIntoView({ block: "nearest" });
  form.elements.comment.focus();
};

// --- words that were typed and not sent ----------------------------------------------------------
const isRequest = (form, unsent) => form.matches(".is-asking, [data-recalled]") || unsent.wording;

const closeQuestion = (form) => {
  $("[data-unsent]", form).hidden = true;
  form.classList.remove("has-question");
  form.elements.comment.focus();
};

// Approving would leave them unread: ask what is to become of them.
export const askAboutUnsent = (form) => {
  const question = $("[data-unsent]", form);
  const unsent = unsentOf(form.closest(".line"));
  const asks = $("[data-question]", question);
  const after = $("[data-after]", question);
  question.hidden = false;
  form.classList.add("has-question");
  asks.textContent = isRequest(form, unsent) ? asks.dataset.request : asks.dataset.remark;
  const parts = [unsent.words && after.dataset.remark, unsent.wording && after.dataset.wording];
  after.textContent = parts.filter(Boolean).join(" ");
  question.scrollIntoView({ block: "nearest" });
  $("[data-unsent-send]", question).focus();
};

document.addEventListener("click", (event) => {
  const by = event.target.closest("[data-unsent] button");
  const form = by?.form;
  if (!form) return;
  closeQuestion(form);
  if (by.hasAttribute("data-unsent-back")) return;
  const approve = by.hasAttribute("data-unsent-approve");
  if (approve) form.dataset.anyway = "1";
  else form.classList.add("is-asking");
  const verdict = approve ? "approve" : "change";
  form.requestSubmit($(`.desk-verdicts [data-verdict="${verdict}"]`, form));
});

const onEscape = (event) => {
  const form = event.key === "Escape" && $(".review-editor.has-question");
  if (!form) return;
  event.preventDefault();
  closeQuestion(form);
};
document.addEventListener("keydown", onEscape, true);

document.addEventListener("input", ({ target }) => {
  const form = target.closest(".review-editor");
  const line = form?.closest(".line");
  if (!line) return;
  if (/^suggest_/.test(target.name)) keepWording(line, wordingIn(form));
  if (target.name !== "comment") return;
  $("[data-unsent-note]", form)?.remove();
  keepWords(line, target.value);
});

// Another wording begins with the words of the line, and is a request.
document.addEventListener("click", (event) => {
  const head = event.target.closest("[data-suggest] > summary");
  const form = head?.closest("form");
  if (!form || head.parentNode.open) return;
  form.classList.add("is-asking");
  setTimeout(() => form.elements.suggest_text.focus());
});

// The box the server sent with the page.
export const beginBox = () => {
  const line = currentLine();
  const form = line && boxOf(line);
  if (!form) return;
  fillBox(line, form);
  if (form.classList.contains("is-asking")) askFor(form);
};
