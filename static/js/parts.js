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

  // Each element of the answer replaces the one with its id.
  function replace(html) {
    var box = doc.createElement("template");
    box.innerHTML = html;
    Array.from(box.content.children).forEach(function (el) {
      var old = el.id && doc.getElementById(el.id);
      if (old) { old.replaceWith(el); arrived(el); }
    });
  }
  function post(url, data) {
    return fetch(url, {
      method: "POST", body: data, credentials: "same-origin",
      headers: { "Accept": "application/json, text/html", "X-Parts": "1" },
    }).then(function (response) {
      return response.text().then(function (text) {
        var html = /html/.test(response.headers.get("Content-Type") || ""), reply = {};
        if (!html) { try { reply = JSON.parse(text); } catch (broken) { reply = {}; } }
        return { ok: response.ok, status: response.status, url: response.url, html: html ? text : "", reply: reply };
      });
    });
  }
  function send(form, by) {
    var data = new FormData(form);
    if (by && by.name) data.append(by.name, by.value);
    if (by) by.setAttribute("aria-busy", "true");
    return post((by && by.getAttribute("formaction")) || form.getAttribute("action") || location.href, data)
      .finally(function () { if (by) by.removeAttribute("aria-busy"); });
  }
  function refused(answer) {
    assay.problem(answer.status === 401 ? words.signedOut : answer.reply.detail || words.failed);
    scrollTo({ top: 0 });
  }
  function lost() { assay.problem(words.failed); }

  // The whole answer takes the page's place; the line people work on stays where the eye is.
  function swapPage(answer) {
    var next = new DOMParser().parseFromString(answer.html, "text/html"), before = $(".line.is-current");
    var top = before ? before.getBoundingClientRect().top : null;
    var scrolled = all(".pane.is-stuck").map(function (p) { return p.scrollTop; });
    ["#main", "#workbar", "#dock"].forEach(function (part) {
      var old = $(part), now = next.querySelector(part);
      if (old && now) { old.replaceWith(now); arrived(now); } // those inside #main went with it
    });
    next.querySelectorAll("#toasts > *").forEach(function (toast) {
      all("#toasts > *").forEach(function (old) { old.remove(); });
      $("#toasts").append(toast); arrived(toast);
      assay.say($("span", toast).textContent);
    });
    all(".pane.is-stuck").forEach(function (p, n) { p.scrollTop = scrolled[n] || 0; });
    tabs();
    history.replaceState(history.state, "", answer.url);
    var line = $(".line.is-current");
    if (line) {
      line.tabIndex = -1;
      if (!$("[data-error-summary]")) line.focus({ preventScroll: true });
      if (top !== null && top > 60 && top < innerHeight - 160) scrollBy(0, line.getBoundingClientRect().top - top);
      else line.scrollIntoView({ block: "center" });
    }
    doc.dispatchEvent(new CustomEvent("assay:page"));
  }
  function step(form, by) {
    return send(form, by).then(function (answer) {
      delete form.dataset.submitting;
      if (answer.html) swapPage(answer); else refused(answer);
    }, function () { delete form.dataset.submitting; lost(); });
  }
  doc.addEventListener("submit", function (event) {
    var form = event.target, by = event.submitter;
    if (event.defaultPrevented || !(form.closest("[data-parts], #toasts") || (by && by.hasAttribute("data-step-form")))) return;
    event.preventDefault();
    step(form, by);
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
  assay.parts = { replace: replace, post: post, send: send, refused: refused, lost: lost, arrived: arrived };
  tabs();
})();
