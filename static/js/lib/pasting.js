// A browser cuts what is pasted at the length of the field. Whoever pasted is told how much is gone.
import { toast } from "./announcements.js";
import { fill, words } from "./words.js";

document.addEventListener("paste", ({ target: field, clipboardData }) => {
  if (!(field.maxLength > 0) || !clipboardData) return;
  const pasted = clipboardData.getData("text/plain").replaceAll("\r\n", "\n");
  const kept = field.value.length - (field.selectionEnd - field.selectionStart);
  const over = kept + pasted.length - field.maxLength;
  if (over > 0) toast(fill(words.cut, { n: over, m: field.maxLength }));
});
