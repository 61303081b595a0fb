// The values of a form that is saved as people type: { name: text, or a list of choices }.
import { $, make, textOf } from "./dom.js";

// Not saved while typing: they belong to a step, not to the text.
const SKIPPED = /^(csrfmiddlewaretoken|version|next|comment|why|limits_reason|because-.*)$/;
const NOT_TYPED = /^(password|file|submit|button|image)$/;

const isChoice = (el) => el.type === "radio" || el.type === "checkbox";
const isMultiple = (el) => el.tagName === "SELECT" && el.multiple;
export const asList = (value) => [value].flat();
export const asTexts = (value) => asList(value ?? "").map(String);

const addValue = (found, el) => {
  if (isChoice(el)) {
    found[el.name] ??= [];
    if (el.checked) found[el.name].push(el.value);
  } else if (isMultiple(el)) {
    found[el.name] = [...el.selectedOptions].map((option) => option.value);
  } else found[el.name] = el.value;
};

export const valuesOf = (form) => {
  const found = {};
  for (const el of form.elements) {
    if (!el.name || SKIPPED.test(el.name) || NOT_TYPED.test(el.type)) continue;
    addValue(found, el);
  }
  return found;
};

// What a person can type or choose in a form: nothing hidden, which belongs to the page it came with.
export const typedValuesOf = (form) => {
  const found = {};
  for (const el of form.elements) {
    if (!el.name || el.type === "hidden" || NOT_TYPED.test(el.type)) continue;
    addValue(found, el);
  }
  return found;
};

export const snapshotOf = (form) => JSON.stringify(valuesOf(form));

// As the server wrote the form into the page, whatever was typed or chosen since.
export const initialSnapshotOf = (form) => {
  const fields = [...form.elements].filter((el) => el.name && el.tagName !== "FIELDSET");
  const copy = make("form", {}, ...fields.map((el) => el.cloneNode(true)));
  copy.reset();
  return snapshotOf(copy);
};

// Puts values in, as if they had been typed.
export const fillForm = (form, values) => {
  const elements = [...form.elements];
  for (const el of elements) {
    if (!el.name || !(el.name in values) || SKIPPED.test(el.name)) continue;
    const value = values[el.name];
    if (isChoice(el)) el.checked = asList(value).map(String).includes(el.value);
    else if (isMultiple(el)) {
      for (const option of el.options) option.selected = value.includes(option.value);
    } else if (el.type !== "file") el.value = value ?? "";
  }
  form.dispatchEvent(new CustomEvent("assay:filled", { bubbles: true }));
  for (const el of elements) {
    if (el.name in values) el.dispatchEvent(new Event("input", { bubbles: true }));
  }
};

export const hasField = (form, name) => Boolean(form.elements[name]);

// The field of this name; of several choices, the first.
export const fieldOf = (form, name) => {
  const el = form.elements[name];
  return el?.length && !el.tagName ? el[0] : el;
};

// The words at a field: its label, or the title of the group of choices.
export const labelOf = (form, name) => {
  const el = fieldOf(form, name);
  const isGroup = el && el !== form.elements[name];
  const group = isGroup ? el.closest("fieldset, [role=radiogroup]") : null;
  const title = group ? $("legend", group) : el?.labels?.[0];
  return (title && textOf(title)) || group?.getAttribute("aria-label") || name;
};

// A value as the form shows it: choices in the words of their labels.
export const shownValue = (form, name, value) => {
  const options = [form.elements[name] ?? []].flatMap((el) => (el.tagName ? [el] : [...el]));
  const wordsOf = (one) => {
    const choice = options.find((el) => isChoice(el) && el.value === one);
    if (choice?.labels?.length) return textOf(choice.labels[0]);
    return options[0]?.options
      ? [...options[0].options].find((el) => el.value === one)?.textContent.trim() ?? one
      : one;
  };
  return asTexts(value).map(wordsOf).join(", ");
};

export const versionOf = (form) => form.elements.version?.value ?? "";
export const setVersion = (form, version) => {
  if (form.elements.version && version !== undefined) form.elements.version.value = version;
};

// What is sent without the fields that were refused: these go with the values that were saved
// before. Returns the values that are sent then.
export const leaveOut = (data, now, before, names) => {
  const values = { ...now };
  for (const name of names) {
    data.delete(name);
    values[name] = before[name];
    for (const value of asList(before[name] ?? [])) data.append(name, value);
  }
  return values;
};
