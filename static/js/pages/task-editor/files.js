// Files in the text: dropped onto a part, or a picture pasted into it, a file is added to the task
// and the text refers to it by its name. “Put into the text” does the same for a file that is there
// already, by keyboard. The server shows what it knows; any other name stays words.
import { $, all, byId } from "../../lib/dom.js";
import { problem } from "../../lib/announcements.js";
import { replaceParts, sendForParts } from "../../lib/parts.js";
import { words } from "../../lib/words.js";

let last = null; // the part written in last

const boxes = () => all("#task-form [data-guided] textarea");

const reference = (name, isPicture) => {
  // encodeURIComponent leaves brackets, which end an address in Markdown
  const address = encodeURIComponent(name).replace(/[()]/g, (sign) =>
    sign === "(" ? "%28" : "%29",
  );
  const label = name.replace(/[[\]\\]/g, " ");
  return `${isPicture ? "!" : ""}[${label}](attachment:${address})`;
};

const insert = (box, text) => {
  const { selectionStart: from, selectionEnd: to, value } = box;
  const before = from && value[from - 1] !== "\n" && value[from - 1] !== " " ? " " : "";
  box.focus();
  const after = to < value.length && !/\s/.test(value[to]) ? " " : "";
  box.setRangeText(before + text + after, from, to, "end");
  box.dispatchEvent(new Event("input", { bubbles: true }));
};

// One after the other: each answer shows the files there are by then.
const addTo = async (box, files) => {
  for (const file of files) {
    const form = $("#attachments form[data-background]");
    if (!form) {
      problem(byId("attachments").dataset.full);
      return;
    }
    try {
      const answer = await sendForParts(form, null, { file });
      if (answer.html) replaceParts(answer.html, form);
      if (answer.ok) {
        const { added, addedPicture } = byId("attachments").dataset;
        insert(box, reference(added, addedPicture !== undefined));
      } else {
        problem($("#attachments-error")?.textContent.trim() || words.failed);
      }
    } catch {
      problem(words.failed);
    }
  }
};

const holdsFiles = (data) => [...(data?.types ?? [])].includes("Files");
const textBoxAt = ({ target }) => target.closest?.("#task-form [data-guided] textarea");

// Where somebody was; a part that the page itself opens on does not count.
["pointerdown", "keyup", "input"].forEach((kind) =>
  document.addEventListener(kind, (event) => {
    last = textBoxAt(event) ?? last;
  }),
);
document.addEventListener("dragover", (event) => {
  const box = textBoxAt(event);
  if (!box || !holdsFiles(event.dataTransfer)) return;
  event.preventDefault();
  box.classList.add("is-over");
});
for (const name of ["dragleave", "drop"]) {
  document.addEventListener(name, (event) => textBoxAt(event)?.classList.remove("is-over"));
}
document.addEventListener("drop", (event) => {
  const box = textBoxAt(event);
  if (!box || !holdsFiles(event.dataTransfer)) return;
  event.preventDefault();
  addTo(box, [...event.dataTransfer.files]);
});
document.addEventListener("paste", (event) => {
  const box = textBoxAt(event);
  const files = [...(event.clipboardData?.files ?? [])];
  if (!box || !files.length || event.clipboardData.types.includes("text/plain")) return;
  event.preventDefault();
  addTo(box, files);
});
document.addEventListener("click", (event) => {
  const by = event.target.closest("[data-insert-file]");
  if (!by) return;
  const box = last?.isConnected ? last : boxes().find((one) => one.name === "materials");
  insert(box, reference(by.dataset.insertFile, by.dataset.picture !== undefined));
});
