// The places of the top bar that do not fit go into the menu "More", so that none is ever cut.
import { $, all } from "../lib/dom.js";

const nav = $(".topbar > .nav");
const more = nav && $("[data-more]", nav);

const linkOf = (item) => $("a", item);

const fillMenu = (items) => {
  const box = $(".menu-box", more);
  const count = $(".count", more);
  let waiting = 0;
  box.textContent = "";
  items.forEach((item) => {
    const copy = linkOf(item).cloneNode(true);
    copy.removeAttribute("data-go"); // its key finds the place in the bar, also while it is hidden
    waiting += Number($(".count", copy)?.textContent) || 0;
    box.append(copy);
  });
  count.textContent = waiting;
  count.hidden = !waiting;
};

const fits = () => nav.scrollWidth <= nav.clientWidth;

const fit = () => {
  const items = all("ul > li", nav);
  // The last place goes first; the one people are at stays.
  const order = items.filter((item) => !linkOf(item).hasAttribute("aria-current")).reverse();
  nav.classList.remove("is-fitted");
  more.hidden = true;
  items.forEach((item) => {
    item.hidden = false;
  });
  if (fits()) more.open = false;
  else {
    more.hidden = false;
    order.some((item) => {
      item.hidden = true;
      return fits();
    });
    fillMenu(items.filter((item) => item.hidden));
  }
  nav.classList.add("is-fitted");
};

if (more) {
  let width = 0;
  const observer = new ResizeObserver(() => {
    const now = document.documentElement.clientWidth;
    if (now === width) return; // not for what fitting itself changes
    width = now;
    fit();
  });
  observer.observe(document.documentElement);
  document.fonts?.ready.then(fit);
}
