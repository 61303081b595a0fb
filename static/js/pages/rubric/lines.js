// The lines of the workbench and their views, which carry what the server knows of a line.
import { $, all, byId } from "../../lib/dom.js";
import { say } from "../../lib/announcements.js";
import { roundFrom } from "../../lib/lines.js";
import { replaceParts } from "../../lib/parts.js";

export const currentLine = () => $(".line.is-current");
export const allLines = () => all(".line[data-pk]");
export const viewOf = (line) => byId(`line-${line.dataset.pk}-view`);

export const nextTodo = (after) =>
  roundFrom(allLines(), after).find((line) => viewOf(line)?.hasAttribute("data-todo"));

// Exactly one filled button: the next step, as the server sees it.
export const fillOneButton = () => {
  const next = $("#send")?.dataset.step ?? "";
  const fill = (selector, on) =>
    all(selector).forEach((button) => button.classList.toggle("btn-primary", on));
  fill("[data-next]", next === "line");
  fill("button[data-add]", next === "add");
  fill("[data-reference-pass]", next === "reference");
};

const totals = () => $("#lines-head [data-totals]")?.textContent.replace(/\s+/g, " ").trim() ?? "";

export const putParts = (html) => {
  const before = totals();
  replaceParts(html);
  fillOneButton();
  if (totals() !== before) say(totals()); // for those who do not see the bars move
};
