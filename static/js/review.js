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
  // A box made from the template holds nothing of this line yet; one from the server may hold what was typed.
  function fillIn(line, form, empty) {
    var at = form.getAttribute("action").replace(/\/lines\/\d+\//, "/lines/" + line.dataset.pk + "/"), box = form.elements.comment;
    form.setAttribute("action", at);
    $("[data-remark]", form).setAttribute("formaction", at + "comment/");
    var back = $("[data-take-back]", form);
    if (back) { back.setAttribute("formaction", at + "undo/"); back.hidden = line.dataset.state === "open"; }
    all('input[name="aspect"]', form).forEach(function (el) { if (el.value === line.dataset.aspect) el.checked = true; });
    var kept = assay.recall(keyOf(line.dataset.pk));
    if (!box.value && kept) { box.value = kept; form.dataset.recalled = "1"; } // request or remark, nobody knows
    var begun = JSON.parse(assay.recall(keyOf(line.dataset.pk) + ":wording") || "null");
    if (empty || !form.elements.suggest_text.value) FIELDS.forEach(function (name) { form.elements["suggest_" + name].value = (begun || line.dataset)[name]; });
    if (begun || line.hasAttribute("data-suggested")) $("[data-suggest]", form).open = true;
  }
  function open(line) {
    var form = $(".review-editor", line);
    if (!form && source) {
      form = source.content.querySelector("form").cloneNode(true);
      $(".line-body", line).append(form);
      fillIn(line, form, true);
    }
    return form;
  }
  function close(line) {
    var form = $(".review-editor", line);
    if (form) form.remove();
  }
  // The box for a request, with the caret in it: outside of it single keys are live.
  function ask(form) {
    form.classList.add("is-asking");
    all("[data-verdict]").forEach(function (b) { b.classList.toggle("btn-primary", b.dataset.verdict === "change"); });
    form.scrollIntoView({ block: "nearest" });
    form.elements.comment.focus();
  }
  // --- words that were typed and not sent ------------------------------------------------------
  function unsent(line) {
    var form = $(".review-editor", line), kept = assay.recall(keyOf(line.dataset.pk)) || "";
    var begun = JSON.parse(assay.recall(keyOf(line.dataset.pk) + ":wording") || "null");
    var worded = FIELDS.some(function (name) {
      var now = form ? form.elements["suggest_" + name].value : begun ? begun[name] : line.dataset[name];
      return now.trim() !== (line.dataset[name] || "").trim();
    });
    return { words: (form ? form.elements.comment.value : kept).trim() !== "", wording: worded };
  }
  function question(form, open) {
    var box = $("[data-unsent]", form), found = unsent(form.closest(".line")), request = form.matches(".is-asking, [data-recalled]") || found.wording;
    box.hidden = !open;
    form.classList.toggle("has-question", open);
    if (!open) { form.elements.comment.focus(); return; }
    var asks = $("[data-question]", box), after = $("[data-after]", box);
    asks.textContent = request ? asks.dataset.request : asks.dataset.remark;
    after.textContent = (found.words ? [after.dataset.remark] : []).concat(found.wording ? [after.dataset.wording] : []).join(" ");
    box.scrollIntoView({ block: "nearest" });
    $("[data-unsent-send]", box).focus();
  }
  doc.addEventListener("click", function (event) {
    var by = event.target.closest("[data-unsent] button"), form = by && by.form;
    if (!form) return;
    question(form, false);
    if (by.hasAttribute("data-unsent-back")) return;
    var approve = by.hasAttribute("data-unsent-approve");
    if (approve) form.dataset.anyway = "1"; else form.classList.add("is-asking");
    form.requestSubmit($('.desk-verdicts [data-verdict="' + (approve ? "approve" : "change") + '"]', form));
  });
  doc.addEventListener("keydown", function (event) {
    var form = event.key === "Escape" && $(".review-editor.has-question");
    if (!form) return;
    event.preventDefault();
    question(form, false);
  }, true);
  doc.addEventListener("input", function (event) {
    var form = event.target.closest(".review-editor"), line = form && form.closest(".line");
    if (line && /^suggest_/.test(event.target.name)) {
      var wording = {};
      FIELDS.forEach(function (name) { wording[name] = form.elements["suggest_" + name].value; });
      assay.remember(keyOf(line.dataset.pk) + ":wording", JSON.stringify(wording));
    }
    if (line && event.target.name === "comment" && $("[data-unsent-note]", form)) $("[data-unsent-note]", form).remove();
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
    assay.saving.done("step", said.dataset.savedText);
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
  function refusals(form, answer, by) {
    var box = doc.createElement("template"), old = $("[data-refusals]", form), into = doc.createElement("div");
    box.innerHTML = answer.html;
    box = box.content.getElementById("refusals");
    if (old) old.remove();
    if (!box) { parts.lost(function () { form.requestSubmit(by); }); return; }
    into.dataset.refusals = ""; into.setAttribute("role", "alert");
    into.append.apply(into, Array.from(box.children));
    $(".form-actions", form).before(into);
    ask(form);
    var blamed = $("[data-field]", into), at = blamed && form.elements[blamed.dataset.field];
    if (at && /^suggest_(text|weight)$/.test(at.name)) at.focus();
  }
  function verdict(form, by) {
    var line = form.closest(".line"), pk = line.dataset.pk, again = function () { if (form.isConnected) verdict(form, by); else assay.saving.forget("step"); }, remark = by && by.hasAttribute("data-remark");
    if (form.dataset.sending) return;
    form.dataset.sending = "1";
    parts.send(form, by).then(function (answer) {
      delete form.dataset.sending;
      if (answer.ok && answer.html) {
        assay.remember(keyOf(pk), null);
        if (by && by.dataset.verdict === "change") assay.remember(keyOf(pk) + ":wording", null); // it was sent
        answered(pk, answer, !remark);
        return;
      }
      if (answer.html && answer.status === 400 && form.matches(".review-editor")) refusals(form, answer, by);
      else parts.refused(answer, again);
    }, function () { delete form.dataset.sending; parts.lost(again); });
  }
  function takeBack(pk, url) {
    var data = new FormData(), again = function () { takeBack(pk, url); }, token = $('input[name="csrfmiddlewaretoken"]');
    data.append("csrfmiddlewaretoken", token ? token.value : "");
    parts.post(url, data).then(function (answer) {
      if (!answer.ok || !answer.html) { parts.refused(answer, again); return; }
      answered(pk, answer, false);
      doc.getElementById("line-" + pk).click();
    }, function () { parts.lost(again); });
  }
  doc.addEventListener("submit", function (event) {
    var form = event.target, by = event.submitter;
    if (!form.matches(".review-editor, .quick")) return;
    event.preventDefault();
    event.stopImmediatePropagation();
    if (by && by.dataset.verdict === "change" && !form.classList.contains("is-asking")) { ask(form); return; }
    var line = form.closest(".line"), found = unsent(line), approves = by && by.value === "approve";
    if (approves && !form.dataset.anyway && (found.words || found.wording)) { question(open(line), true); return; }
    delete form.dataset.anyway;
    verdict(form, by);
  }, true);
  // A round is not finished over words that nobody would ever read.
  doc.addEventListener("submit", function (event) {
    var line = event.target.matches(".finish") && all(".line[data-pk]").find(function (l) { return unsent(l).words; });
    if (!line) return;
    event.preventDefault();
    event.stopImmediatePropagation();
    if (!line.classList.contains("is-current")) line.click();
    var form = open(line), note = doc.createElement("p"), old = $("[data-unsent-note]", form);
    if (old) old.remove();
    note.className = "field-error"; note.dataset.unsentNote = ""; note.setAttribute("role", "alert");
    note.textContent = $("[data-unsent]", form).dataset.finish;
    $(".form-actions", form).before(note);
    ask(form);
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
