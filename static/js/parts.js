// Steps without a full page load: a form is posted as the browser would, and parts of the answer
// replace parts of the page. Tabs that stay where they were left. Every page works without this.
(function () {
  "use strict";
  var doc = document, assay = window.assay;
  if (!assay || !window.fetch) return;
  var words = assay.words;
  var $ = function (selector, root) { return (root || doc).querySelector(selector); };
  var all = function (selector, root) { return Array.from((root || doc).querySelectorAll(selector)); };
  var arrived = function (el) { el.dispatchEvent(new CustomEvent("htmx:load", { bubbles: true, detail: { elt: el } })); };

  // A box somebody is writing in, or has written in, is not taken away by a save.
  function held(el) { return all("textarea[data-hold]", el).some(function (box) { return box === doc.activeElement || box.value !== box.defaultValue; }); }
  // Each element of the answer replaces the one with its id; the sent form's own goes in any case.
  function replace(html, sent) {
    var box = doc.createElement("template");
    box.innerHTML = html;
    Array.from(box.content.children).forEach(function (el) {
      var old = el.id && doc.getElementById(el.id);
      if (old && (old.contains(sent) || !held(old))) { old.replaceWith(el); arrived(el); }
    });
    return box.content;
  }
  function post(url, data) {
    return assay.ask(url, {
      method: "POST", body: data,
      headers: { "Accept": "application/json, text/html", "X-Parts": "1" },
    }).then(function (response) {
      return response.text().then(function (text) {
        var html = /html/.test(response.headers.get("Content-Type") || ""), reply = {};
        if (!html) { try { reply = JSON.parse(text); } catch (broken) { reply = {}; } }
        if (response.ok) assay.saving.forget("step");
        return { ok: response.ok, status: response.status, url: response.url, html: html ? text : "", reply: reply, page: response.headers.get("X-Page"), go: response.headers.get("X-Go") };
      });
    });
  }
  function send(form, by) {
    var data = new FormData(form);
    if (by && by.name) data.append(by.name, by.value);
    if (assay.parts.shown) data.append("shown", assay.parts.shown()); // only what is different comes back
    if (by) by.setAttribute("aria-busy", "true");
    return post((by && by.getAttribute("formaction")) || form.getAttribute("action") || location.href, data)
      .finally(function () { if (by) by.removeAttribute("aria-busy"); });
  }
  function refused(answer, again) {
    if (answer.status === 401) { assay.signedOut(); lost(again); return; }
    assay.problem(answer.reply.detail || words.failed);
    scrollTo({ top: 0 });
  }
  // The step was not taken; `again` takes it. Whoever goes on to another line has left it.
  function lost(again) { assay.saving.fail("step", { text: words.failed, act: again }); }
  doc.addEventListener("assay:current", function () { assay.saving.forget("step"); });

  // The whole answer takes the page's place; the line people work on stays where the eye is.
  function swapPage(answer) {
    doc.dispatchEvent(new CustomEvent("assay:leaving"));
    var next = new DOMParser().parseFromString(answer.html, "text/html"), before = $(".line.is-current");
    var top = before ? before.getBoundingClientRect().top : null;
    var scrolled = all(".pane.is-stuck").map(function (p) { return p.scrollTop; });
    ["#main", "#workbar", "#dock"].forEach(function (part) {
      var old = $(part), now = next.querySelector(part);
      if (old && now) { old.replaceWith(now); if (window.htmx) window.htmx.process(now); arrived(now); } // those inside #main went with it
    });
    toasts(next.querySelectorAll("#toasts > *"));
    all(".pane.is-stuck").forEach(function (p, n) { p.scrollTop = scrolled[n] || 0; });
    tabs();
    there(answer.url, top);
  }
  function toasts(list) {
    list.forEach(function (toast) {
      all("#toasts > *").forEach(function (old) { old.remove(); });
      $("#toasts").append(toast); arrived(toast);
      assay.say($("span", toast).textContent);
    });
  }
  // The page stands: the focus is on its line, at the height where the line before it was.
  function there(url, top) {
    history.replaceState(history.state, "", url);
    var line = $(".line.is-current");
    if (line) {
      line.tabIndex = -1;
      var asks = $("#main [data-error-summary]");
      // It has the focus already; a question about a line stays in sight above that line.
      if (asks) (asks.dataset.question ? line : asks).scrollIntoView({ block: "center" });
      else line.focus({ preventScroll: true });
      if (asks) top = null;
      else if (top !== null && top > 60 && top < innerHeight - 160) scrollBy(0, line.getBoundingClientRect().top - top);
      else line.scrollIntoView({ block: "center" });
    }
    doc.dispatchEvent(new CustomEvent("assay:page"));
  }
  // One step at a time: what is being saved goes first, and a key pressed twice is one step. Moves
  // are counted instead, for whoever moves a line by five places presses the key five times.
  var stepping = false, leaving = false, moves = [];
  window.addEventListener("pageshow", function () { stepping = leaving = false; });
  function step(form, by) {
    stepping = true;
    var own = form.matches("[data-autosave]"), again = function () { if (form.isConnected) form.requestSubmit(by); else assay.saving.forget("step"); }, before = assay.settle && !own ? assay.settle() : Promise.resolve(true);
    return before.then(function (fine) {
      if (!fine) { if (!$("dialog[open]")) lost(again); return null; } // a text must be decided about, or the line is down
      return send(form, by).then(function (answer) { if (answer.go) { leaving = true; location.assign(answer.go); }
        else if (answer.page) assay.parts.took(answer, form);
        else if (answer.html) swapPage(answer); else refused(answer, again);
      });
    }).catch(function () { lost(again); }).finally(function () {
      if (leaving) return; // nothing more is pressed on this page
      delete form.dataset.submitting;
      stepping = false;
      var value = moves.shift(), next = value && $('[name="by"][value="' + value + '"]', $("#" + form.id));
      if (next) next.form.requestSubmit(next); else moves = [];
    });
  }
  doc.addEventListener("submit", function (event) {
    var form = event.target, by = event.submitter;
    if (event.defaultPrevented || !(form.closest("[data-parts], #toasts") || (by && by.hasAttribute("data-step-form")))) return;
    event.preventDefault();
    if (!stepping) step(form, by);
    else { if (by && by.name === "by" && form.id) moves.push(by.value); delete form.dataset.submitting; }
  });

  // --- tabs -----------------------------------------------------------------------------------
  function show(nav, name) {
    var pane = nav.parentElement, wanted = $('[data-panel="' + name + '"]', pane);
    if (!wanted) return;
    all("[data-panel]", pane).forEach(function (p) { p.hidden = p !== wanted; });
    all("[data-tab]", nav).forEach(function (a) { if (a.dataset.tab === name) a.setAttribute("aria-current", "true"); else a.removeAttribute("aria-current"); });
  }
  function tabs() {
    all("[data-tabs]").forEach(function (nav) {
      var kept = !/[?&]tab=/.test(location.search) && assay.recall("assay:tab:" + nav.dataset.tabs);
      if (kept) show(nav, kept);
    });
  }
  doc.addEventListener("click", function (event) {
    var tab = event.target.closest("[data-tab]"), nav = tab && tab.closest("[data-tabs]");
    if (!nav || event.ctrlKey || event.metaKey) return;
    event.preventDefault();
    show(nav, tab.dataset.tab);
    assay.remember("assay:tab:" + nav.dataset.tabs, tab.dataset.tab);
    doc.dispatchEvent(new CustomEvent("assay:tab"));
  });
  assay.parts = { replace: replace, post: post, send: send, refused: refused, lost: lost, arrived: arrived, toasts: toasts, there: there };
  tabs();
})();
