// Each field the server refuses says why, below itself. The strip, which is in sight everywhere,
// names them and leads to the first.
import { $, all, make } from "./dom.js";
import { asList, fieldOf, labelOf } from "./form-values.js";
import { fill, words } from "./words.js";

const clearFaults = (form) => {
  all("[data-fault]", form).forEach((note) => {
    const field = fieldOf(form, note.dataset.fault);
    field?.removeAttribute("aria-invalid");
    field?.removeAttribute("aria-errormessage");
    note.remove();
  });
};

export const showFaults = (form, faults) => {
  clearFaults(form);
  for (const [name, sentences] of Object.entries(faults)) {
    const field = fieldOf(form, name);
    if (!field) continue;
    const id = `${field.id || name}-fault`;
    const text = asList(sentences).join(" ");
    const note = make("p", { class: "field-error", "data-fault": name, id }, text);
    field.setAttribute("aria-invalid", "true");
    field.setAttribute("aria-errormessage", id);
    const group = field.closest("fieldset");
    if (group) group.append(note);
    else field.after(note);
  }
};

// What saving.js says of refused fields.
export const troubleWith = (form, names, faults) => {
  const text = fill(words.refused, { d: names.map((name) => labelOf(form, name)).join(", ") });
  const sentences = names.map((name) => asList(faults[name]).join(" "));
  return {
    text,
    aloud: [text, ...sentences].join(" "),
    label: words.showField,
    act: () => $("[aria-invalid=true]", form)?.focus(),
  };
};
