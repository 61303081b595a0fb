// The places of the top bar that do not fit go into the menu "More", so that none is ever cut.
(function () {
  "use strict";
  var doc = document, nav = doc.querySelector(".topbar > .nav"), more = nav && nav.querySelector("[data-more]");
  if (!more || !window.ResizeObserver) return;
  var list = nav.querySelector("ul"), items = Array.from(list.children), box = more.querySelector(".menu-box");
  var count = more.querySelector(".count"), link = function (item) { return item.querySelector("a"); };
  // The last place goes first; the one people are at stays.
  var order = items.filter(function (item) { return !link(item).hasAttribute("aria-current"); }).reverse();
  var fits = function () { return nav.scrollWidth <= nav.clientWidth; };
  function fit() {
    nav.classList.remove("is-fitted");
    more.hidden = true;
    items.forEach(function (item) { item.hidden = false; });
    if (!fits()) {
      more.hidden = false;
      order.some(function (item) { item.hidden = true; return fits(); });
      show();
    } else more.open = false;
    nav.classList.add("is-fitted");
  }
  function show() {
    var waiting = 0;
    box.textContent = "";
    items.filter(function (item) { return item.hidden; }).forEach(function (item) {
      var copy = link(item).cloneNode(true), n = copy.querySelector(".count");
      copy.removeAttribute("data-go"); // its key finds the place in the bar, also while it is hidden
      waiting += n ? Number(n.textContent) || 0 : 0;
      box.append(copy);
    });
    count.textContent = waiting;
    count.hidden = !waiting;
  }
  var width = 0;
  new ResizeObserver(function () {
    if (doc.documentElement.clientWidth === width) return; // not for what fitting itself changes
    width = doc.documentElement.clientWidth;
    fit();
  }).observe(doc.documentElement);
  if (doc.fonts) doc.fonts.ready.then(fit);
})();
