// The lines of a review, and what was typed for them and not sent.
import { $, all, byId } from "../../lib/dom.js";
import { texts } from "../../lib/storage.js";

export const WORDING = ["text", "importance", "weight", "dimension"];

export const currentLine = () => $(".line.is-current");
export const allLines = () => all(".line[data-pk]");
export const boxOf = (line) => $(".review-editor", line);

const nameOf = (line) => `${byId("line-list")?.dataset.draftKey ?? ""}:${line.dataset.pk}`;
const wordingName = (line) => `${nameOf(line)}:wording`;

export const keptWords = (line) => texts.read(nameOf(line)) ?? "";
export const keptWording = (line) => texts.readJson(wordingName(line));
export const keepWords = (line, words) => texts.keep(nameOf(line), words.trim() ? words : null);
export const keepWording = (line, wording) => texts.keepJson(wordingName(line), wording);
export const forgetWords = (line) => texts.forget(nameOf(line));
export const forgetWording = (line) => texts.forget(wordingName(line));

export const wordingIn = (form) =>
  Object.fromEntries(WORDING.map((name) => [name, form.elements[`suggest_${name}`].value]));

// What of a line was typed and not sent: { words, wording }.
export const unsentOf = (line) => {
  const form = boxOf(line);
  const words = form ? form.elements.comment.value : keptWords(line);
  const wording = form ? wordingIn(form) : (keptWording(line) ?? line.dataset);
  return {
    words: words.trim() !== "",
    wording: WORDING.some((name) => wording[name].trim() !== (line.dataset[name] ?? "").trim()),
  };
};
