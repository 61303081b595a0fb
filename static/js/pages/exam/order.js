// Putting items in order by dragging, and by keys on an item's grip; without scripts, by numbers.
import { $, all } from "../../lib/dom.js";
import { say } from "../../lib/announcements.js";
import { fill } from "../../lib/words.js";
import { arrange, form, isAnswered, itemsOf, numberItems } from "./answers.js";
import { showProgress } from "./progress.js";
import { changed } from "./sending.js";

const questionOf = (el) => el.closest("[data-question]");
const placeOf = (item) => itemsOf(questionOf(item)).indexOf(item);

// The numbers beside the items, and the button for an order that is right as it stands.
const showPlaces = (question) => {
  const answered = isAnswered(question);
  itemsOf(question).forEach((item, at) => {
    $("[data-place]", item).textContent = answered ? at + 1 : "–";
  });
  $("[data-unordered]", question).hidden = answered;
};

const number = (question) => {
  numberItems(question);
  changed(question, true);
  showProgress();
  showPlaces(question);
};

const sayPlace = (item) => {
  const t = $("[data-item-text]", item).textContent;
  const m = itemsOf(questionOf(item)).length;
  say(fill(form.dataset.moved, { t, n: placeOf(item) + 1, m }), true);
};

const moveTo = (item, place) => {
  const items = itemsOf(questionOf(item));
  const at = items.indexOf(item);
  const to = Math.min(items.length - 1, Math.max(0, place));
  if (to < at) items[to].before(item);
  else if (to > at) items[to].after(item);
};

// --- keys ----------------------------------------------------------------------------------------
const KEYS = {
  ArrowUp: (at) => at - 1,
  ArrowDown: (at) => at + 1,
  Home: () => 0,
  End: () => Infinity,
};

form.addEventListener("keydown", (event) => {
  const grip = event.target.closest("[data-grip]");
  const to = grip && KEYS[event.key];
  if (!to || event.altKey || event.ctrlKey || event.metaKey) return;
  event.preventDefault();
  const item = grip.closest("[data-item]");
  moveTo(item, to(placeOf(item)));
  grip.focus();
  number(questionOf(item));
  sayPlace(item);
});

// --- dragging ------------------------------------------------------------------------------------
let dragged = null; // { item, from: its place before }

const over = (y) =>
  itemsOf(questionOf(dragged.item)).filter((item) => {
    const { top, height } = item.getBoundingClientRect();
    return item !== dragged.item && top + height / 2 < y;
  }).length;

const drop = (taken) => {
  if (!dragged) return;
  const { item, from } = dragged;
  dragged = null;
  item.classList.remove("is-dragged");
  if (!taken) moveTo(item, from);
  else if (placeOf(item) !== from) {
    number(questionOf(item));
    sayPlace(item);
  }
};

form.addEventListener("pointerdown", (event) => {
  const grip = event.target.closest("[data-grip]");
  if (!grip || event.button) return;
  const item = grip.closest("[data-item]");
  dragged = { item, from: placeOf(item) };
  item.classList.add("is-dragged");
  grip.setPointerCapture(event.pointerId);
});
// On the document: an item that is moved in the page loses the pointer, and the drag may end above
// another part of the page.
document.addEventListener("pointermove", ({ clientY }) => {
  if (dragged) moveTo(dragged.item, over(clientY));
});
document.addEventListener("pointerup", () => drop(true));
document.addEventListener("pointercancel", () => drop(false));

form.addEventListener("click", (event) => {
  const button = event.target.closest("[data-keep]");
  if (!button) return;
  const question = questionOf(button);
  arrange(question);
  number(question);
  $("[data-grip]", question).focus();
});

// With scripts, grips take the place of the numbers, which are sent as before.
all("[data-with-script]", form).forEach((el) => {
  el.hidden = false;
});
all("[data-without-script], [data-item] > input", form).forEach((el) => {
  el.hidden = true;
});
all("[data-order]", form).forEach((list) => showPlaces(questionOf(list)));
form.addEventListener("assay:put", ({ target }) => {
  if ($("[data-order]", target)) showPlaces(target);
});
