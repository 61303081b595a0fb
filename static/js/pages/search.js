// The search box of the top bar: opens at once, lists results while one types. Without this file
// the link leads to the page of results.
import { $, all, byId, isComposing } from "../lib/dom.js";
import { say } from "../lib/announcements.js";

const DELAY = 120; // milliseconds from the last key to asking

const opener = byId("search-open");
const form = byId("search-box");
const list = byId("search-results");
const box = form.elements.q;

let before = null; // what had the focus
let asked = null; // the request under way
let timer = 0;
let chosen = null;

const options = () => all("[role=option]", list);

const choose = (option) => {
  chosen?.setAttribute("aria-selected", "false");
  chosen = option;
  if (!option) {
    box.removeAttribute("aria-activedescendant");
    return;
  }
  option.setAttribute("aria-selected", "true");
  box.setAttribute("aria-activedescendant", option.id);
  option.scrollIntoView({ block: "nearest" });
};

const fold = () => {
  choose(null);
  list.hidden = true;
  box.setAttribute("aria-expanded", "false");
};

const open = () => {
  const page = byId("search-page-q");
  if (page) {
    page.focus();
    page.select();
    return;
  }
  if (form.hidden) before = document.activeElement;
  form.hidden = false;
  box.focus(); // in the same moment: what is typed next must not get lost
  box.select();
};

const stop = () => {
  clearTimeout(timer);
  asked?.abort();
  asked = null;
};

const close = (back) => {
  if (form.hidden) return;
  stop();
  fold();
  form.hidden = true;
  if (back && before?.isConnected && before !== document.body) before.focus();
  else if (back) box.blur();
};

// --- asking --------------------------------------------------------------------------------------
const show = (html) => {
  asked = null;
  fold();
  list.innerHTML = html;
  const said = $("[data-said]", list);
  if (!said) return;
  list.hidden = false;
  box.setAttribute("aria-expanded", String(options().length > 0));
  say(said.textContent.trim());
};

const find = async (typed) => {
  const mine = new AbortController();
  asked = mine;
  try {
    const url = `${form.dataset.found}?q=${encodeURIComponent(typed)}`;
    const answer = await fetch(url, { signal: mine.signal, headers: { Accept: "text/html" } });
    const html = answer.ok && !answer.redirected ? await answer.text() : "";
    if (mine === asked) show(html);
  } catch {
    if (mine === asked) fold(); // Enter still leads to the page, which says what is wrong
  }
};

const findSoon = () => {
  const typed = box.value.trim();
  stop();
  if (typed) timer = setTimeout(find, DELAY, typed);
  else fold();
};

// --- keys and pointer ----------------------------------------------------------------------------
opener.addEventListener("click", (event) => {
  if (event.ctrlKey || event.metaKey || event.shiftKey) return;
  event.preventDefault();
  open();
});
box.addEventListener("input", findSoon);
box.addEventListener("keydown", (event) => {
  if (isComposing(event)) return;
  const found = list.hidden ? [] : options();
  const at = found.indexOf(chosen);
  if (event.key === "Escape") close(true);
  else if (event.key === "ArrowDown" && found.length) choose(found[(at + 1) % found.length]);
  else if (event.key === "ArrowUp" && found.length) {
    choose(found[(Math.max(at, 0) + found.length - 1) % found.length]);
  } else if (event.key === "Enter" && chosen && !list.hidden) chosen.click();
  else return;
  event.preventDefault();
  event.stopPropagation();
});
form.addEventListener("submit", (event) => {
  if (!box.value.trim()) event.preventDefault();
});
form.addEventListener("focusout", (event) => {
  if (event.relatedTarget && !form.contains(event.relatedTarget)) close(false);
});
document.addEventListener("pointerdown", (event) => {
  if (!form.contains(event.target) && !opener.contains(event.target)) close(false);
});
// Going back to this page shows it as it was before the search.
window.addEventListener("pageshow", (event) => {
  if (event.persisted) close(false);
});
