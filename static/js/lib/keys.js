// Keys: data-key clicks its element, J K N and Enter move on lines, G and a letter goes to a place.
import { $, all, isComposing, isTextBox, isVisible } from "./dom.js";
import { say, toast } from "./announcements.js";
import { openKeyList } from "./key-list.js";
import { currentLine, linesInSight, nextOpenLine, openLine, stepLine } from "./lines.js";
import { closeMenus } from "./menus.js";
import { quote } from "./quotations.js";
import { singleKeysAreOn } from "./single-keys.js";

const GO_WITHIN = 1500; // milliseconds between G and its letter
const OWN_ENTER = "a[href], button, summary, select, input, [role=button]";

const nameOf = (event) => {
  let key = event.key === " " ? "space" : event.key.toLowerCase();
  // ⌥P types π on a Mac
  if (event.altKey && /^Key[A-Z]$/.test(event.code)) key = event.code.slice(3).toLowerCase();
  const parts = [];
  if (event.ctrlKey || event.metaKey) parts.push("ctrl");
  if (event.altKey) parts.push("alt");
  if (event.shiftKey && (key.length > 1 || parts.length)) parts.push("shift");
  return [...parts, key].join("+");
};

const keyed = (key, root) =>
  all("[data-key]", root).filter(
    (el) =>
      el.dataset.key.toLowerCase().split(" ").includes(key) &&
      !el.disabled &&
      (isVisible(el) || el.type === "radio"),
  );

// What the key belongs to: the open dialog, else the current line, else the page around the lines.
const findKeyed = (key, dialog, line) => {
  if (dialog) return keyed(key, dialog)[0];
  const onLine = line && keyed(key, line)[0];
  return onLine ?? keyed(key).find((el) => !el.closest("[data-line], dialog"));
};

const press = (key) => {
  const line = currentLine();
  const dialog = $("dialog[open]");
  const el = findKeyed(key, dialog, line);
  // why it does nothing here
  const reason = !el && !dialog && line && $(`[data-no-key="${CSS.escape(key)}"]`, line);
  if (reason) {
    toast(reason.dataset.says);
    say(reason.dataset.says);
    return true;
  }
  if (!el) return false;
  if (isTextBox(el) || el.type === "radio") el.focus();
  if (!isTextBox(el)) el.click();
  return true;
};

const onLines = (key) => {
  if (key === "j" && linesInSight().length) stepLine(1);
  else if (key === "k" && linesInSight().length) stepLine(-1);
  else if (key === "n" && $("[data-line][data-state]")) nextOpenLine();
  else if (key === "enter" && currentLine() && document.activeElement === currentLine()) {
    openLine(currentLine());
  } else return false;
  return true;
};

let goAt = 0; // when G was pressed

// That of the newest toast. A page that names its last step knows better than a toast of a step: it
// may be of an earlier one. #words carries an attribute of this name, too.
const newestUndo = () => {
  const undo = all("button[data-undo]").pop();
  return (undo?.closest("form") && $("#undo button[data-undo]")) || undo;
};

const single = (key) => {
  const dialog = $("dialog[open]");
  if (!dialog && goAt && Date.now() - goAt < GO_WITHIN) {
    goAt = 0;
    const place = $(`[data-go="${CSS.escape(key)}"]`);
    if (place) {
      place.click();
      return true;
    }
  }
  const undo = !dialog && key === "u" && newestUndo();
  if (undo) undo.click();
  else if (press(key)) return true;
  else if (dialog) return false;
  else if (key === "g" && $("[data-go]")) goAt = Date.now();
  else if (key === "?") openKeyList();
  else if (key === "q" && $("[data-quote-target]")) quote();
  else return onLines(key);
  return true;
};

document.addEventListener("keydown", (event) => {
  if (event.defaultPrevented || isComposing(event)) return;
  const key = nameOf(event);
  const typing = isTextBox(event.target);
  if (/^(ctrl|alt)\+/.test(key)) {
    if (press(key)) event.preventDefault();
    return;
  }
  if (key === "escape") {
    closeMenus();
    if (typing && !$("dialog[open]")) event.target.blur();
    return;
  }
  if (typing || !singleKeysAreOn() || key === "shift" || key === "tab") return;
  // What has the focus comes first: Enter on a link follows it, on a button presses it.
  if ((key === "enter" || key === "space") && event.target.closest(OWN_ENTER)) return;
  if (single(key)) event.preventDefault();
});
