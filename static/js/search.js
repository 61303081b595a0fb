// The search box of the top bar: opens at once, lists results while one types. Without this file
// the link leads to the page of results.
(function () {
  "use strict";
  var doc = document, opener = doc.getElementById("search-open"), form = doc.getElementById("search-box");
  if (!opener || !form || !window.assay) return;
  var box = form.elements.q, list = doc.getElementById("search-results");
  var before = null, asked = null, timer = 0, chosen = null;

  function options() { return Array.from(list.querySelectorAll("[role=option]")); }
  function choose(option) {
    if (chosen) chosen.setAttribute("aria-selected", "false");
    chosen = option;
    if (!option) { box.removeAttribute("aria-activedescendant"); return; }
    option.setAttribute("aria-selected", "true");
    box.setAttribute("aria-activedescendant", option.id);
    option.scrollIntoView({ block: "nearest" });
  }
  function fold() {
    choose(null);
    list.hidden = true;
    box.setAttribute("aria-expanded", "false");
  }
  function open() {
    var page = doc.getElementById("search-page-q");
    if (page) { page.focus(); page.select(); return; }
    if (form.hidden) before = doc.activeElement;
    form.hidden = false;
    box.focus(); // in the same moment: what is typed next must not get lost
    box.select();
  }
  function close(back) {
    if (form.hidden) return;
    stop();
    fold();
    form.hidden = true;
    if (back && before && before.isConnected && before !== doc.body) before.focus(); else if (back) box.blur();
  }
  function stop() {
    clearTimeout(timer);
    if (asked) asked.abort();
    asked = null;
  }

  // --- asking -------------------------------------------------------------------------------------
  function ask() {
    var typed = box.value.trim();
    stop();
    if (!typed) { fold(); return; }
    timer = setTimeout(function () {
      var mine = asked = new AbortController();
      fetch(form.dataset.found + "?q=" + encodeURIComponent(typed), { signal: mine.signal, headers: { Accept: "text/html" } })
        .then(function (answer) { return answer.ok && !answer.redirected ? answer.text() : ""; })
        .then(function (html) { if (mine === asked) show(html); })
        .catch(function () { if (mine === asked) fold(); }); // Enter still leads to the page, which says what is wrong
    }, 120);
  }
  function show(html) {
    asked = null;
    fold();
    list.innerHTML = html;
    var said = list.querySelector("[data-said]");
    if (!said) return;
    list.hidden = false;
    box.setAttribute("aria-expanded", String(options().length > 0));
    assay.say(said.textContent.trim());
  }

  // --- keys and pointer ---------------------------------------------------------------------------
  opener.addEventListener("click", function (event) {
    if (event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    open();
  });
  box.addEventListener("input", ask);
  box.addEventListener("keydown", function (event) {
    if (event.isComposing || event.keyCode === 229) return;
    var all = list.hidden ? [] : options(), at = all.indexOf(chosen);
    if (event.key === "Escape") close(true);
    else if (event.key === "ArrowDown" && all.length) choose(all[(at + 1) % all.length]);
    else if (event.key === "ArrowUp" && all.length) choose(all[(Math.max(at, 0) + all.length - 1) % all.length]);
    else if (event.key === "Enter" && chosen && !list.hidden) chosen.click();
    else return;
    event.preventDefault();
    event.stopPropagation();
  });
  form.addEventListener("submit", function (event) {
    if (!box.value.trim()) event.preventDefault();
  });
  form.addEventListener("focusout", function (event) {
    if (event.relatedTarget && !form.contains(event.relatedTarget)) close(false);
  });
  doc.addEventListener("pointerdown", function (event) {
    if (!form.contains(event.target) && !opener.contains(event.target)) close(false);
  });
  // Going back to this page shows it as it was before the search.
  window.addEventListener("pageshow", function (event) { if (event.persisted) close(false); });
})();
