// What is copied from a PDF may hold characters nobody sees and nothing stores: they are dropped
// before anything else hears of the words.
const dropInvisible = (event) => {
  const box = event.target;
  if (typeof box.value !== "string" || box.type === "file" || !box.value.includes("\0")) return;
  const at = box.selectionStart;
  const caret = box.value.slice(0, at).replaceAll("\0", "").length;
  box.value = box.value.replaceAll("\0", "");
  if (at !== null) box.setSelectionRange(caret, caret);
};

document.addEventListener("input", dropInvisible);
