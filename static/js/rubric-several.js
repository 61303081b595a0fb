// The rubric workbench: finding lines, and one step on several chosen lines. Without it the boxes
// beside the lines and the buttons of the form do the same.
(function () {
  "use strict";
  var doc = document, body = doc.body, assay = window.assay;
  if (!assay || !doc.getElementById("workbench")) return;
  var $ = function (selector, root) { return (root || doc).querySelector(selector); };
  var all = function (selector, root) { return Array.from((root || doc).querySelectorAll(selector)); };
  var picks = function () { return all(".pick"); };
  var chosen = function () { return picks().filter(function (p) { return p.checked; }); };
  var lineOf = function (pick) { return pick.closest(".line"); };
  var textBox = function (el) { return el.matches("textarea, select, input:not([type=radio]):not([type=checkbox])"); };
  var single = function () { return body.hasAttribute("data-single-keys") && assay.recall("assay:single-keys") !== "off"; };
  var from = null; // where a range began

  // --- choosing -------------------------------------------------------------------------------
  function show(quiet) {
    var form = doc.getElementById("several"), n = chosen().length, current = $(".line.is-current");
    if (!form) return;
    form.toggleAttribute("data-empty", !n);
    var words = n === 1 ? form.dataset.one : assay.fill(form.dataset.some, { n: n });
    if (n) $("[data-chosen]", form).textContent = words;
    else if (!quiet) assay.say(form.dataset.cleared);
    if (current) form.elements.current.value = current.dataset.pk;
  }
  function set(pick, on) { if (pick) pick.checked = on; }
  function toggle(line) {
    var pick = line && $(".pick", line);
    if (!pick) return;
    pick.checked = !pick.checked;
    from = line;
    show();
  }
  // From the line where choosing began to this one: all of them.
  function reach(line) {
    var lines = all(".line[data-pk]").filter(function (l) { return !l.hidden; }), a = lines.indexOf(from), b = lines.indexOf(line);
    if (a < 0 || b < 0) { toggle(line); return; }
    lines.slice(Math.min(a, b), Math.max(a, b) + 1).forEach(function (l) { set($(".pick", l), true); });
    show();
  }
  function none() { picks().forEach(function (p) { p.checked = false; }); from = null; show(); }
  doc.addEventListener("click", function (event) {
    var pick = event.target.closest(".pick"), line = pick ? lineOf(pick) : event.shiftKey && event.target.closest(".line[data-pk]");
    if (event.target.closest("[data-choose-none]")) { none(); return; }
    if (event.target.closest("[data-choose-all]")) { picks().forEach(function (p) { set(p, !lineOf(p).hidden); }); show(); return; }
    if (!line || (!pick && event.target.closest("form, button"))) return;
    event.stopPropagation(); // the line need not become the current one
    if (event.shiftKey && from && from !== line) { if (!pick) event.preventDefault(); getSelection().removeAllRanges(); reach(line); }
    else if (pick) { from = line; show(); }
  }, true);
  function press(selector, value) {
    var form = doc.getElementById("several"), button = all(selector, form).find(function (b) { return value === undefined || b.value === value; });
    if (button) form.requestSubmit(button);
  }
  var CLASSES = { e: "essential", i: "important", o: "optional" };
  doc.addEventListener("keydown", function (event) {
    if (event.defaultPrevented || event.isComposing || $("dialog[open]")) return;
    var key = event.key.length === 1 ? event.key.toLowerCase() : event.key, at = event.target, typing = textBox(at);
    if (at.id === "several-dimension" && key === "Enter") { press('[name="set"]', "dimension"); stop(event); return; }
    if (at.id === "find") { if (key === "Escape" || key === "Enter") { stop(event); leave(key === "Escape"); } return; }
    if (typing || event.ctrlKey || event.metaKey) return;
    var line = $(".line.is-current"), some = chosen().length > 0;
    if (event.altKey) {
      if (some && (key === "ArrowUp" || key === "ArrowDown")) { press('[name="by"]', key === "ArrowUp" ? "-1" : "1"); stop(event); }
      return;
    }
    if (!single() || !line) return;
    var idle = at === body || at.closest(".line, #main") && !at.closest("button, a, summary") ;
    if (key === " " && idle && !at.matches(".pick")) { toggle(line); stop(event); }
    else if (event.shiftKey && (key === "j" || key === "k" || key === "ArrowDown" || key === "ArrowUp")) {
      if (!from || !$(".pick", from).checked) { from = line; set($(".pick", line), true); }
      var lines = all(".line[data-pk]").filter(function (l) { return !l.hidden; });
      var to = lines[lines.indexOf(line) + (key === "j" || key === "ArrowDown" ? 1 : -1)];
      if (to) { to.click(); reach(to); } else show();
      stop(event);
    } else if (!some) return;
    else if (key === "Escape") { none(); stop(event); }
    else if (CLASSES[key]) { press('[name="set"]', "importance:" + CLASSES[key]); stop(event); }
    else if (/^\d$/.test(key)) { press('[name="set"]', "weight:" + (key === "0" ? "10" : key)); stop(event); }
    else if (key === "d") { $("#several-dimension").focus(); stop(event); }
    else if (key === "x") { press('[name="remove"]'); stop(event); }
  }, true);
  function stop(event) { event.preventDefault(); event.stopPropagation(); }

  // --- taking the last step back with the usual keys ------------------------------------------
  doc.addEventListener("keydown", function (event) {
    var z = (event.ctrlKey || event.metaKey) && !event.shiftKey && !event.altKey && event.key.toLowerCase() === "z";
    if (!z || textBox(event.target) || $("dialog[open]")) return;
    var undo = $("#undo [data-undo]");
    if (undo) { stop(event); undo.click(); }
  }, true);

  // --- finding --------------------------------------------------------------------------------
  var plain = function (text) { return text.toLocaleLowerCase().normalize("NFKC"); };
  function find() {
    var box = doc.getElementById("find"), wanted = box ? plain(box.value.trim()) : "", ranges = [];
    if (!box) return;
    var lines = all(".line[data-pk]"), n = 0;
    lines.forEach(function (line) {
      var view = doc.getElementById("line-" + line.dataset.pk + "-view"), cols = all(".line-col", line).map(function (col) { return col.textContent; });
      var has = !wanted || plain([view.dataset.text].concat(cols).join(" ")).indexOf(wanted) >= 0;
      line.hidden = !has;
      n += has;
      if (wanted && has) ranges = ranges.concat(places($(".line-open", view), wanted));
    });
    if (window.Highlight && CSS.highlights) CSS.highlights.set("found", new Highlight(...ranges));
    var found = doc.getElementById("found");
    found.textContent = !wanted ? "" : n === 0 ? found.dataset.none : n === 1 ? found.dataset.one : assay.fill(found.dataset.some, { n: n, t: lines.length });
  }
  function places(el, wanted) {
    var walker = doc.createTreeWalker(el, NodeFilter.SHOW_TEXT), node, found = [];
    while ((node = walker.nextNode())) {
      for (var at = plain(node.data).indexOf(wanted); at >= 0 && at + wanted.length <= node.length; at = plain(node.data).indexOf(wanted, at + wanted.length)) {
        var range = doc.createRange();
        range.setStart(node, at); range.setEnd(node, at + wanted.length);
        found.push(range);
      }
    }
    return found;
  }
  function leave(clear) {
    var box = doc.getElementById("find"), current = $(".line.is-current");
    if (clear) { box.value = ""; find(); }
    var line = current && !current.hidden ? current : $(".line[data-pk]:not([hidden])");
    box.blur();
    if (!line) return;
    line.click();
    line.tabIndex = -1;
    line.focus({ preventScroll: true });
    line.scrollIntoView({ block: "nearest" });
  }
  doc.addEventListener("input", function (event) { if (event.target.id === "find") find(); });
  var kept = "";
  doc.addEventListener("assay:leaving", function () { kept = (doc.getElementById("find") || {}).value || ""; });
  doc.addEventListener("assay:page", function () {
    var box = doc.getElementById("find");
    if (box && kept) { box.value = kept; find(); }
    from = chosen().length ? lineOf(chosen()[0]) : null;
    show(true);
  });
  doc.addEventListener("assay:current", function () { show(true); });
  show(true);
})();
