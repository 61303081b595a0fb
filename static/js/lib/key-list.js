// The list of keys: what every page has stands in the dialog, the rest is read from the page.
import { $, all, byId, make } from "./dom.js";
import { onClick } from "./clicks.js";
import { showKeySwitch } from "./single-keys.js";
import { words } from "./words.js";

const CAPS = {
  ctrl: /Mac/.test(navigator.platform) ? "⌘" : "Ctrl",
  shift: "⇧",
  alt: "Alt",
  enter: "↵",
  arrowup: "↑",
  arrowdown: "↓",
  escape: "Esc",
  space: "Space",
};

const capsOf = (key) => {
  const caps = key.split("+").map((part) => make("kbd", {}, CAPS[part] ?? part.toUpperCase()));
  return make("span", { class: "keys" }, ...caps);
};

const labelOf = (el) => {
  if (el.dataset.keyLabel) return el.dataset.keyLabel;
  const copy = el.cloneNode(true);
  all(".keys, .sr, .count", copy).forEach((part) => part.remove());
  return copy.textContent.trim() || el.getAttribute("aria-label");
};

const listOf = (group, dialog) => {
  const found = $(`[data-key-group-list="${group}"]`, dialog);
  if (found) return found;
  const title = words[group === "saving" ? "savingGroup" : group] || words.here;
  const attributes = { "data-key-group-list": group, "data-found": "" };
  const list = make("div", attributes, make("h3", {}, title), make("ul", { class: "plain-list" }));
  $(".key-groups", dialog).append(list);
  return list;
};

export const openKeyList = () => {
  const dialog = byId("keys");
  if (!dialog || dialog.open) return;
  all("[data-found]", dialog).forEach((el) => el.remove());
  const places = all("[data-go]").map((el) =>
    make("span", {}, labelOf(el), capsOf(`g+${el.dataset.go}`)));
  $("[data-go-keys]", dialog)?.replaceChildren(...places);
  all("[data-if]", dialog).forEach((el) => {
    el.hidden = !$(el.dataset.if);
  });
  const seen = new Set();
  all("[data-key], [data-help-key]").forEach((el) => {
    const label = labelOf(el);
    const key = el.dataset.helpKey || el.dataset.key; // a help key is heard elsewhere
    if (el.closest("dialog") || !label || key === "?" || /^\d$/.test(key)) return;
    if (seen.has(key + label)) return;
    seen.add(key + label);
    const first = capsOf(key.toLowerCase().split(" ")[0]);
    const item = make("li", { "data-found": "" }, make("span", {}, label), first);
    $("ul", listOf(el.dataset.keyGroup || "here", dialog)).append(item);
  });
  showKeySwitch();
  dialog.showModal();
  dialog.focus();
};

onClick('[data-open-dialog="keys"]', openKeyList);
