// The scoring sheet and its check: the row follows what is chosen and typed, Next goes on to the
// next open line, and the submission takes along what was not saved yet. Saving itself is
// autosave.js; without scripts every line has a form with a button.
(function () {
  "use strict";
  var doc = document, assay = window.assay, sheet = doc.querySelector(".is-scoring");
  if (!sheet || !assay) return;
  var told = sheet.dataset, checking = sheet.classList.contains("is-meta");
  var $ = function (selector, root) { return (root || doc).querySelector(selector); };
  var all = function (selector, root) { return Array.from((root || doc).querySelectorAll(selector)); };
  var lines = all(".line[data-line]"), dirty = new Set();
  var lineOf = function (el) { return el.closest && el.closest(".line[data-line]"); };
  var current = function () { return $(".line.is-current"); };
  var chosen = function (line) { var on = $("input[type=radio]:checked", line); return on ? on.value : ""; };
  var typed = function (line) { return $("textarea", line).value.trim(); };

  // --- what a line says of itself -------------------------------------------------------------
  function lacks(line) {
    var value = chosen(line);
    if (!value) return "choice";
    var always = told.alwaysWhy !== undefined && !checking;
    return (value === "false" || value.endsWith("met") || always) && !typed(line) ? "reason" : ""; // met, unmet: a correction
  }
  function preview(text) {
    var words = text.split("\n").map(function (row) { return row.trim(); }).filter(Boolean).map(function (row) {
      return row.startsWith("> ") ? "“" + row.slice(2).trim() + "”" : row;
    }).join(" ");
    if (words.length <= 160) return words;
    var cut = words.slice(0, 159), space = cut.lastIndexOf(" ");
    return (space > 100 ? cut.slice(0, space) : cut).trimEnd() + "…";
  }
  function shape(name) { // the icons of the buttons are in the page already
    var from = $((name === "check" ? ".v-yes" : ".v-no") + " .icon");
    return from ? from.cloneNode(true) : "";
  }
  function show(line) {
    var value = chosen(line), missing = lacks(line), out = $("[data-state-of-line]", line), word = doc.createElement("span");
    line.dataset.state = missing ? "open" : "done";
    var fixed = value.endsWith("met"), yes = value === "true";
    line.dataset.tick = missing ? "open" : fixed ? "wait" : yes ? "yes" : "no";
    word.className = "state " + (fixed ? "state-wait" : value ? yes ? "state-yes" : "state-no" : "state-open");
    if (fixed) word.textContent = out.dataset.wait;
    else if (value) word.append(shape(yes ? "check" : "cross"), yes ? out.dataset.yes || told.true : out.dataset.no || told.false);
    else word.textContent = "–";
    out.replaceChildren(word);
    var sub = $("[data-preview]", line);
    if (sub) sub.textContent = preview(typed(line));
    counts();
  }
  function counts() {
    var marks = lines.map(function (l) { return l.dataset.tick; });
    var n = function (mark) { return marks.filter(function (m) { return m === mark; }).length; };
    var yes = n("yes"), no = n("no"), open = n("open"), fixed = n("wait");
    all(".dock .ticks i").forEach(function (tick, at) { tick.className = "t-" + marks[at] + (lines[at] === current() ? " is-current" : ""); });
    all("[data-counts-out]").forEach(function (el) { el.textContent = assay.fill(told.counts, { y: yes, f: no, o: open, c: fixed }); });
    all("[data-scored-out]").forEach(function (el) { el.textContent = assay.fill(told.scored, { n: yes + no, t: lines.length }); });
    all(".finish .btn").forEach(function (b) { b.classList.toggle("btn-primary", !open && (!b.dataset.when || b.dataset.when === (no ? "no" : "yes"))); });
    all("[data-next], [data-phone-next]").forEach(function (b) { b.classList.toggle("btn-primary", !!open); });
    var phone = $(".phone-steps");
    if (phone) phone.classList.toggle("is-done", !open);
    var pace = $("[data-pace]");
    if (pace && !open) pace.hidden = true;
  }
  function complain(line, missing) {
    all("[data-error]", line).forEach(function (p) { p.hidden = true; });
    var box = $("textarea", line), name = checking ? "remark" : missing === "choice" ? "met" : "rationale";
    box.removeAttribute("aria-invalid");
    if (!missing) return;
    var out = $('[data-error="' + name + '"]', line), text = missing === "choice" ? told.choose : told.reason;
    if (checking && missing === "choice") { $("input[type=radio]", line).focus(); return; }
    $("span", out).textContent = text;
    out.hidden = false;
    assay.say(text, true);
    if (missing === "choice") $("input[type=radio]", line).focus();
    else { box.setAttribute("aria-invalid", "true"); box.setAttribute("aria-describedby", out.id); box.focus(); }
  }
  function touched(event) {
    var line = lineOf(event.target);
    if (!line) return;
    dirty.add(line.dataset.pk);
    show(line);
    if (!lacks(line)) complain(line, "");
  }
  ["input", "change", "assay:filled"].forEach(function (name) { doc.addEventListener(name, touched); });
  doc.addEventListener("assay:saved", function (event) { var line = lineOf(event.target); if (line) dirty.delete(line.dataset.pk); });

  // --- passages: without a mouse, one key goes through them, and ⇧ with the arrows trims ---------
  var passage = -1;
  function nextPassage() {
    var source = $("[data-panel]:not([hidden]) [data-quote-source]"), parts = source ? all("p, li, td, pre, h3, h4, h5, h6", source).filter(function (el) {
      return el.textContent.trim() && !$("p, li", el);
    }) : [];
    if (!parts.length) return;
    passage = (passage + 1) % parts.length;
    if (doc.activeElement && doc.activeElement !== doc.body) doc.activeElement.blur();
    getSelection().selectAllChildren(parts[passage]);
    parts[passage].scrollIntoView({ block: "nearest" });
    assay.say(parts[passage].textContent.trim().slice(0, 200));
  }

  // --- moving ---------------------------------------------------------------------------------
  function nextOf(line) {
    var at = lines.indexOf(line);
    return lines.slice(at + 1).concat(lines.slice(0, at)).find(function (l) { return l.dataset.state === "open"; });
  }
  function go(line) {
    if (line !== current()) line.click();
    if (checking || matchMedia("(hover: none)").matches) return;
    line.scrollIntoView({ block: "nearest" });
  }
  function next(line) {
    var missing = lacks(line);
    complain(line, missing);
    if (missing) return;
    var open = nextOf(line), end = $(".finish .btn-primary") || $(".finish .btn");
    if (open) go(open);
    else if (checking && !$("#remarks").value.trim() && $('.finish [data-when="no"].btn-primary')) { $("#decision").scrollIntoView({ block: "nearest" }); $("#remarks").focus(); }
    else { if (doc.activeElement) doc.activeElement.blur(); end.focus(); assay.say(assay.words.allDone); }
  }
  doc.addEventListener("click", function (event) {
    var hit = event.target.closest("[data-phone-next]"), line = current();
    if (hit && line) next(line);
    if (checking && (hit = event.target.closest("[data-next]"))) next(lineOf(hit));
    if (event.target.closest("[data-passage]")) nextPassage();
    if ((hit = event.target.closest("[data-full]"))) {
      var on = sheet.classList.toggle("is-full"), before = hit.dataset.more || hit.textContent;
      hit.dataset.more = before;
      hit.textContent = on ? hit.dataset.less : before;
      hit.setAttribute("aria-pressed", String(on));
    }
    if ((hit = event.target.closest("[data-go-to-line]"))) {
      var wanted = $(hit.getAttribute("href"));
      if (wanted) { event.preventDefault(); go(wanted); $("input[type=radio]", wanted).focus({ preventScroll: true }); }
    }
  });
  // A verdict needs its reason next; where it needs none, the box waits for whoever wants to write.
  doc.addEventListener("keyup", function (event) {
    var line = lineOf(event.target);
    if (line && event.target.type === "radio" && /^[tfade]$/i.test(event.key) && !event.ctrlKey && lacks(line) === "reason") $("textarea", line).focus();
  });
  doc.addEventListener("assay:current", function (event) {
    counts();
    var line = lineOf(event.target);
    if (line && !checking) history.replaceState(history.state, "", "?line=" + line.dataset.pk);
  });

  // --- sending --------------------------------------------------------------------------------
  // Sent too early: say how many lines are open, and ask whether to go to the first of them.
  function askFor(open) {
    var dialog = $("#lines-open"), title = $("h2", dialog), first = open[0], yes = $("[data-go-open]", dialog);
    title.textContent = open.length === 1 ? title.dataset.one : assay.fill(title.dataset.many, { n: open.length, t: lines.length });
    yes.textContent = assay.fill(yes.dataset.goOpen, { n: first.dataset.line });
    dialog.returnValue = "";
    dialog.addEventListener("close", function () {
      if (dialog.returnValue !== "go") return;
      go(first);
      complain(first, lacks(first));
    }, { once: true });
    dialog.showModal();
  }
  // Capturing: Next only moves on here, and autosave must not take the line's form for sent.
  doc.addEventListener("submit", function (event) {
    var form = event.target;
    if (form.classList.contains("score-form")) { event.preventDefault(); next(lineOf(form)); return; }
    if (!form.matches("[data-submit-sheet]")) return;
    var open = lines.filter(lacks);
    if (open.length) {
      event.preventDefault();
      event.stopPropagation();
      askFor(open);
      return;
    }
    form.elements.pending.value = JSON.stringify(lines.filter(function (l) { return dirty.has(l.dataset.pk); }).map(function (l) {
      return { line: l.dataset.pk, met: chosen(l), rationale: $("textarea", l).value, version: $("[name=version]", l).value };
    }));
  }, true);
  if (lines.length) counts();
  var here = current(), wide = matchMedia("(min-width: 700px)").matches; // a phone shows one line anyway
  if (here && wide && !$("[data-error-summary]") && lines.indexOf(here) > 0) here.scrollIntoView({ block: "center" });
})();
