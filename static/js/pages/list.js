// Ticks of a list: all of the page, the number, and the steps, which appear with the first tick.
import { $, all } from "../lib/dom.js";

const list = $("[data-list]");
const steps = list && $("[data-steps]", list);

if (steps) {
  const page = $("[data-tick-page]", list);
  const match = $("[data-all-match]", list);
  const said = $("[data-ticked]", list);
  const ticks = all("tbody input[name=pk]", list);

  const show = () => {
    const n = ticks.filter((tick) => tick.checked).length;
    for (const tick of ticks) {
      if (tick.checked) tick.closest("tr").dataset.state = "ticked";
      else delete tick.closest("tr").dataset.state;
    }
    page.checked = n === ticks.length;
    page.indeterminate = n > 0 && n < ticks.length;
    said.textContent = (n === 1 ? said.dataset.one : said.dataset.more).replace("{n}", n);
    steps.toggleAttribute("data-empty", !n && !match?.checked);
    said.hidden = Boolean(match?.checked);
  };

  page.addEventListener("change", () => {
    for (const tick of ticks) tick.checked = page.checked;
    if (match && !page.checked) match.checked = false;
    show();
  });
  list.addEventListener("change", show);
  window.addEventListener("pageshow", show); // the browser may have kept the ticks
  show();
}
