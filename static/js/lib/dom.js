// Finding, making and focusing elements.
export const $ = (selector, root) => (root ?? document).querySelector(selector);
export const all = (selector, root) => [...(root ?? document).querySelectorAll(selector)];
export const byId = (id) => document.getElementById(id);

// The element itself, if it fits, and all that fit inside it.
export const within = (root, selector) => [
  ...(root.matches?.(selector) ? [root] : []),
  ...all(selector, root),
];

export const isVisible = (el) => el.getClientRects().length > 0;

const PRESSED = /^(radio|checkbox|button|submit|reset|file|range|color)$/;
export const isTextBox = (el) =>
  Boolean(el) &&
  (el.isContentEditable ||
    el.tagName === "TEXTAREA" ||
    el.tagName === "SELECT" ||
    (el.tagName === "INPUT" && !PRESSED.test(el.type)));

// What is written in an element, without the keys it names.
export const textOf = (el) => {
  const copy = el.cloneNode(true);
  all(".keys", copy).forEach((keys) => keys.remove());
  return copy.textContent.trim();
};

// make("p", { class: "quote" }, "text")
export const make = (tag, attributes = {}, ...children) => {
  const el = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) el.setAttribute(name, value);
  el.append(...children);
  return el;
};

export const makeButton = (label, classes, act) => {
  const button = make("button", { type: "button", class: classes }, label);
  button.addEventListener("click", act);
  return button;
};

// The content of a <template> made from HTML of the server.
export const fragmentOf = (html) => {
  const template = document.createElement("template");
  template.innerHTML = html;
  return template.content;
};

export const write = (el, text) => {
  if (el.textContent !== text) el.textContent = text;
};

// Gives the focus to an element that cannot have it by itself, such as a line.
export const focusOn = (el) => {
  el.tabIndex = -1;
  el.focus({ preventScroll: true });
};

export const mark = (el, name, on) => {
  if (on) el.setAttribute(name, "true");
  else el.removeAttribute(name);
};

// Keys of a composition, such as pinyin, belong to the input method.
export const isComposing = (event) => event.isComposing || event.keyCode === 229;
