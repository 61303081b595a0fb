// A file dropped anywhere on a field with a file is chosen there; the first field takes what is
// dropped elsewhere on the form. Without scripts the file chooser does the same.
import { all } from "../lib/dom.js";

const holdsFiles = (data) => [...(data?.types ?? [])].includes("Files");

for (const form of all("[data-drop-form]")) {
  const inputs = all("[data-drop]", form);
  const inputAt = (event) => event.target.closest(".field")?.querySelector("[data-drop]") ?? inputs[0];
  const unmark = () => inputs.forEach((input) => input.classList.remove("is-over"));
  form.addEventListener("dragover", (event) => {
    if (!holdsFiles(event.dataTransfer)) return;
    event.preventDefault();
    unmark();
    inputAt(event).classList.add("is-over");
  });
  form.addEventListener("dragleave", unmark);
  form.addEventListener("drop", (event) => {
    unmark();
    if (!holdsFiles(event.dataTransfer)) return;
    event.preventDefault();
    const input = inputAt(event);
    input.files = event.dataTransfer.files;
    input.dispatchEvent(new Event("change", { bubbles: true }));
  });
}
