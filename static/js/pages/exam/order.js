// Putting items in order by buttons; without scripts, by numbers.
import { $, all } from "../../lib/dom.js";
import { say } from "../../lib/announcements.js";
import { fill } from "../../lib/words.js";
import { arrange, form, itemsOf, numberItems } from "./answers.js";
import { showProgress } from "./progress.js";
import { changed } from "./sending.js";

const number = (question) => {
  numberItems(question);
  changed(question, true);
  showProgress();
};

const move = (button, question) => {
  const item = button.closest("[data-item]");
  if (button.dataset.move === "up") item.previousElementSibling?.before(item);
  else item.nextElementSibling?.after(item);
  number(question);
  button.focus();
  const t = $("[data-item-text]", item).textContent;
  say(fill(form.dataset.moved, { t, n: itemsOf(question).indexOf(item) + 1 }));
};

form.addEventListener("click", (event) => {
  const button = event.target.closest("[data-move], [data-keep]");
  if (!button) return;
  const question = button.closest("[data-question]");
  arrange(question);
  if (button.matches("[data-keep]")) number(question);
  else move(button, question);
});
all("[data-with-script]", form).forEach((el) => {
  el.hidden = false;
});
