// The editor of a task or a trial task: guidance for the part in hand, preview in place, Markdown
// marks, next part. Without this file it is a plain form with all of its guidance beside it.
import { $, all, byId, mark } from "../lib/dom.js";
import { problem } from "../lib/announcements.js";
import { onArrival } from "../lib/arrivals.js";
import { ask } from "../lib/requests.js";
import { words } from "../lib/words.js";
import "./task-editor/files.js";

const form = byId("task-form");
const preview = byId("preview");

// --- the part in hand ----------------------------------------------------------------------------
let current = $("[data-guided]").dataset.guided;

const showPart = (name) => {
  current = name;
  all("[data-guide]").forEach((guide) => {
    guide.hidden = guide.dataset.guide !== name;
    guide.classList.remove("section");
  });
  all("[data-part-link]").forEach((link) => {
    mark(link, "aria-current", link.dataset.partLink === name);
  });
  all("[data-guided]").forEach((part) => {
    part.classList.toggle("is-in-hand", part.dataset.guided === name);
  });
};

const goToPart = (name) => {
  const part = $(`[data-guided="${name}"]`);
  if (!part) return;
  goOnWriting();
  $("textarea, input", part).focus();
  part.scrollIntoView({ block: "start" });
};

const goBy = (step) => {
  const names = all("[data-guided]").map((part) => part.dataset.guided);
  const at = names.indexOf(current) + step;
  goToPart(names[Math.min(names.length - 1, Math.max(0, at))]);
};

document.addEventListener("focusin", ({ target }) => {
  const part = target.closest("[data-guided]");
  if (part) showPart(part.dataset.guided);
});
document.addEventListener("click", (event) => {
  const link = event.target.closest("[data-part-link]");
  const step = event.target.closest("[data-part-step]");
  if (link) {
    event.preventDefault();
    goToPart(link.dataset.partLink);
  } else if (step) goBy(Number(step.dataset.partStep));
});
onArrival(() => showPart(current)); // a save brings new links to the parts
showPart(current);

// A new draft opens on what it begins with, unless somebody types elsewhere already.
const { scenario } = form.elements;
const isUntouched = document.activeElement === document.body && !location.hash;
if (scenario && !scenario.value && isUntouched && !$("[data-error-summary]")) {
  scenario.focus({ preventScroll: true });
}

const { title } = form.elements;
const heading = $("[data-title]");
const untitled = heading.textContent;
title.addEventListener("input", () => {
  heading.textContent = title.value.trim() || untitled;
});

// --- the categories of the chosen domain ---------------------------------------------------------
const { domain, category } = form.elements;

const narrow = () => {
  const named = domain.selectedOptions[0];
  const wanted = category.value;
  const groups = all("optgroup", category);
  groups.forEach((group) => {
    group.hidden = group.disabled = !named || group.label !== named.text;
  });
  const offered = groups.filter((group) => !group.disabled).flatMap((group) => [...group.children]);
  // two domains may share a key
  const found = offered.find((option) => option.value === wanted) ?? category.options[0];
  found.selected = true;
};

if (domain?.tagName === "SELECT") {
  // before the autosave hears of it, so that a category of another domain is never sent
  domain.addEventListener("input", narrow);
  form.addEventListener("assay:filled", narrow);
  narrow();
}

// --- preview -------------------------------------------------------------------------------------
const button = $("[data-preview]");
const label = $("span", button);
const write = label.textContent;

const goOnWriting = () => {
  if (preview.hidden) return;
  preview.hidden = true;
  form.hidden = false;
  label.textContent = write;
};

const showPreview = async () => {
  try {
    const headers = { "X-Parts": "1" };
    const body = new FormData(form);
    const answer = await ask(button.formAction, { method: "POST", body, headers });
    if (!answer.ok || answer.redirected) throw new Error(String(answer.status));
    preview.innerHTML = await answer.text(); // made safe on the server, the same as every page
    preview.hidden = false;
    form.hidden = true;
    label.textContent = button.dataset.previewBack;
    preview.focus({ preventScroll: true });
    preview.scrollIntoView({ block: "start" });
  } catch {
    problem(words.failed);
  }
};

button.addEventListener("click", (event) => {
  event.preventDefault();
  if (preview.hidden) showPreview();
  else goOnWriting();
});

// --- Markdown ------------------------------------------------------------------------------------
const MARKS = {
  bold: (text) => `**${text || "…"}**`,
  italic: (text) => `*${text || "…"}*`,
  list: (text) => (text || "…").replace(/^/gm, "- "),
  quote: (text) => (text || "…").replace(/^/gm, "> "),
  table: (text) =>
    `\n| ${text.replace(/\n/g, " ") || "…"} | … |\n| --- | --- |\n| … | … |\n`,
};

document.addEventListener("mousedown", (event) => {
  if (event.target.closest("[data-md]")) event.preventDefault();
});
document.addEventListener("click", (event) => {
  const by = event.target.closest("[data-md]");
  if (!by) return;
  const box = $("textarea", by.closest("[data-guided]"));
  const { selectionStart: from, selectionEnd: to } = box;
  box.focus();
  box.setRangeText(MARKS[by.dataset.md](box.value.slice(from, to)), from, to, "end");
  box.dispatchEvent(new Event("input", { bubbles: true }));
});
