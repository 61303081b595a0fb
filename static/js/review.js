// The review page: one box that follows the current line, and verdicts that move to the next.
(function () {
  "use strict";
  var doc = document, assay = window.assay, parts = assay && assay.parts;
  if (!parts) return;
  var words = assay.words;
  var $ = function (selector, root) { return (root || doc).querySelector(selector); };
  var all = function (selector, root) { return Array.from((root || doc).querySelectorAll(selector)); };
  var FIELDS = ["text", "importance", "weight", "dimension"];
  var list = doc.getElementById("line-list"), source = doc.getElementById("editor");
  var current = function () { return $(".line.is-current"); };
  var keyOf = function (pk) { return "assay:text:" + (doc.body.dataset.who || "") + ":" + (list ? list.dataset.draftKey : "") + ":" + pk; };

  // --- the box --------------------------------------------------------------------------------
  function fillIn(line, form) {
    var at = form.getAttribute("action").replace(/\/lines\/\d+\//, "/lines/" + line.dataset.pk + "/"), box = form.elements.comment;
    form.setAttribute("action", at);
    $("[data-remark]", form).setAttribute("formaction", at + "comment/");
    var back = $("[data-take-back]", form);
    if (back) { back.setAttribute("formaction", at + "undo/"); back.hidden = line.dataset.state === "open"; }
    all('input[name="aspect"]', form).forEach(function (el) { if (el.value === line.dataset.aspect) el.checked = true; });
    if (!box.value) box.value = assay.recall(keyOf(line.dataset.pk)) || "";
    var begun = JSON.parse(assay.recall(keyOf(line.dataset.pk) + ":wording") || "null");
    if (!form.elements.suggest_text.value) FIELDS.forEach(function (name) { form.elements["suggest_" + name].value = (begun || line.dataset)[name]; });
    if (begun || line.hasAttribute("data-suggested")) $("[data-suggest]", form).open = true;
  }
  function open(line) {
    var form = $(".review-editor", line);
    if (!form && source) {
      form = source.content.querySelector("form").cloneNode(true);
      $(".line-body", line).append(form);
      fillIn(line, form);
    }
    return form;
  }
  function close(line) {
    var form = $(".review-editor", line);
    if (form) form.remove();
  }
  function ask(form) {
    form.classList.add("is-asking");
    all("[data-verdict]").forEach(function (b) { b.classList.toggle("btn-primary", b.dataset.verdict === "change"); });
    var box = form.elements.comment;
    form.scrollIntoView({ block: "nearest" });
    if (!box.value.trim()) box.focus(); else if (!$('input[name="aspect"]:checked', form)) $('input[name="aspect"]', form).focus();
  }
  doc.addEventListener("input", function (event) {
    var form = event.target.closest(".review-editor"), line = form && form.closest(".line");
    if (line && /^suggest_/.test(event.target.name)) {
      var wording = {};
      FIELDS.forEach(function (name) { wording[name] = form.elements["suggest_" + name].value; });
      assay.remember(keyOf(line.dataset.pk) + ":wording", JSON.stringify(wording));
    }
    if (line && event.target.name === "comment") assay.remember(keyOf(line.dataset.pk), event.target.value.trim() ? event.target.value : null);
  });

  // --- where we are ---------------------------------------------------------------------------
  function place() {
    var line = current(), lines = all(".line[data-pk]");
    all("#dock .ticks i").forEach(function (tick, n) { tick.classList.toggle("is-current", lines[n] === line); });
    var count = $("[data-line-count]");
    if (count && line) count.textContent = assay.fill(count.dataset.words, { n: lines.indexOf(line) + 1, t: lines.length });
  }
  doc.addEventListener("assay:current", function (event) {
    all(".line:not(.is-current)").forEach(close);
    all("#dock [data-verdict]").forEach(function (b) { b.classList.toggle("btn-primary", b.dataset.verdict === "approve" && !$("#dock .finish .btn-primary")); });
    open(event.target);
    place();
  });
  function nextOpen(after) {
    var lines = all(".line[data-pk]"), at = lines.indexOf(after);
    return lines.slice(at + 1).concat(lines.slice(0, at)).find(function (l) { return l.dataset.state === "open" && !l.hidden; });
  }

  // --- verdicts -------------------------------------------------------------------------------
  function answered(pk, answer, go) {
    var line = doc.getElementById("line-" + pk), was = line.classList.contains("is-current");
    parts.replace(answer.html);
    line = doc.getElementById("line-" + pk);
    var said = doc.createElement("template");
    said.innerHTML = answer.html;
    said = said.content.getElementById("said");
    if (was) { line.classList.add("is-current"); line.setAttribute("aria-current", "true"); }
    filter();
    var saved = $("[data-saved]");
    if (saved) saved.textContent = said.dataset.savedText;
    if (go) {
      all("#toasts > *").forEach(function (t) { t.remove(); });
      assay.say(said.textContent);
      if (said.dataset.state !== "open") assay.toast(said.textContent, said.dataset.undoLabel, function () { takeBack(pk, said.dataset.undoUrl); });
    }
    var next = go && was && said.dataset.state !== "open" ? nextOpen(line) : null;
    if (next) next.click();
    else {
      if (was) open(line);
      place();
      if (go && was && said.dataset.state !== "open") {
        assay.say(words.allDone);
        var finish = $("#dock .finish button");
        if (finish) finish.focus();
      } else if (was) { line.tabIndex = -1; line.focus({ preventScroll: true }); }
    }
  }
  function refusals(form, answer) {
    var box = doc.createElement("template"), old = $("[data-refusals]", form), into = doc.createElement("div");
    box.innerHTML = answer.html;
    box = box.content.getElementById("refusals");
    if (old) old.remove();
    if (!box) { parts.lost(); return; }
    into.dataset.refusals = ""; into.setAttribute("role", "alert");
    into.append.apply(into, Array.from(box.children));
    $(".form-actions", form).before(into);
    ask(form);
    if ($('[data-field="comment"]', into)) form.elements.comment.focus();
  }
  function verdict(form, by) {
    var line = form.closest(".line"), pk = line.dataset.pk, remark = by && by.hasAttribute("data-remark");
    if (form.dataset.sending) return;
    form.dataset.sending = "1";
    parts.send(form, by).then(function (answer) {
      delete form.dataset.sending;
      if (answer.ok && answer.html) { assay.remember(keyOf(pk), null); if (!remark) assay.remember(keyOf(pk) + ":wording", null); answered(pk, answer, !remark); return; }
      if (answer.html && answer.status === 400 && form.matches(".review-editor")) refusals(form, answer);
      else parts.refused(answer);
    }, function () { delete form.dataset.sending; parts.lost(); });
  }
  function takeBack(pk, url) {
    var data = new FormData(), token = $('input[name="csrfmiddlewaretoken"]');
    data.append("csrfmiddlewaretoken", token ? token.value : "");
    parts.post(url, data).then(function (answer) {
      if (!answer.ok || !answer.html) { parts.refused(answer); return; }
      answered(pk, answer, false);
      doc.getElementById("line-" + pk).click();
    }, parts.lost);
  }
  doc.addEventListener("submit", function (event) {
    var form = event.target, by = event.submitter;
    if (!form.matches(".review-editor, .quick")) return;
    event.preventDefault();
    event.stopImmediatePropagation();
    if (by && by.dataset.verdict === "change" && !form.classList.contains("is-asking")) { ask(form); return; }
    verdict(form, by);
  }, true);

  // --- links that need no page load ------------------------------------------------------------
  var wanted = (($("[data-filter][aria-current]") || {}).dataset || {}).filter || "all";
  function filter() {
    all("[data-group]").forEach(function (head) { head.hidden = wanted !== "all"; });
    all(".line[data-pk]").forEach(function (line) {
      var fits = wanted === "all" || (wanted === "open" ? line.dataset.state === "open" : line.hasAttribute(wanted === "changed" ? "data-changed" : "data-thread"));
      line.hidden = !(fits || line.classList.contains("is-current"));
      if (line.hidden && line.dataset.line) { line.dataset.wasLine = line.dataset.line; delete line.dataset.line; } // J and K pass over it
      else if (!line.hidden && line.dataset.wasLine) { line.dataset.line = line.dataset.wasLine; delete line.dataset.wasLine; }
    });
    all("#filters [data-filter]").forEach(function (a) { if (a.dataset.filter === wanted) a.setAttribute("aria-current", "true"); else a.removeAttribute("aria-current"); });
  }
  doc.addEventListener("click", function (event) {
    var head = event.target.closest("[data-suggest] > summary"), form = head && head.closest("form");
    if (!form || head.parentNode.open) return;
    form.classList.add("is-asking");
    setTimeout(function () { form.elements.suggest_text.focus(); });
  });
  doc.addEventListener("click", function (event) {
    var t = event.target, link = t.closest("a[data-open]"), asks = t.closest("[data-ask]"), chip = t.closest("[data-filter]"), every = t.closest("[data-all-lines]");
    if (event.ctrlKey || event.metaKey) return;
    if (link || asks) {
      event.preventDefault();
      var line = t.closest(".line");
      setTimeout(function () {
        if (!line.classList.contains("is-current")) line.click();
        var form = open(line);
        if (asks && form) ask(form); else line.focus({ preventScroll: true });
      });
    }
    if (chip) {
      event.preventDefault();
      wanted = chip.dataset.filter;
      filter();
      var here = current();
      if (wanted !== "all" && here) {
        var first = all(".line[data-pk]").find(function (l) { return !l.hidden && l !== here; });
        var fits = wanted === "open" ? here.dataset.state === "open" : here.hasAttribute(wanted === "changed" ? "data-changed" : "data-thread");
        if (!fits && first) { first.click(); filter(); }
      }
    }
    if (every) {
      var single = list.classList.toggle("one-on-phone");
      every.setAttribute("aria-pressed", String(!single));
    }
  }, true);
  var now = current(), form = now && $(".review-editor", now);
  if (form) { fillIn(now, form); if (form.classList.contains("is-asking")) ask(form); }
  filter();
  place();
})();
