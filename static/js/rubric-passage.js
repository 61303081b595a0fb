// The rubric workbench: words selected in the task or its reference answer become a line, or the
// passage the current line rests on. P walks through the text sentence by sentence, for hands that
// stay on the keys.
(function () {
  "use strict";
  var doc = document, assay = window.assay;
  if (!assay || !doc.getElementById("workbench")) return;
  var $ = function (selector, root) { return (root || doc).querySelector(selector); };
  var all = function (selector, root) { return Array.from((root || doc).querySelectorAll(selector)); };
  var BLOCKS = "p, li, h3, h4, h5, h6, td, th, pre, dt, dd", LONGEST = 2000;
  var box = function () { return doc.getElementById("passage"); };
  var flat = function (text) { return text.replace(/\s+/g, " ").trim(); };
  var range = null, walk = null, focusText = false;

  // --- the selection --------------------------------------------------------------------------
  function selected() {
    var s = getSelection(), node = s.rangeCount && !s.isCollapsed && s.getRangeAt(0).commonAncestorContainer;
    var el = node && (node.nodeType === 1 ? node : node.parentElement);
    return el && el.closest("[data-panel]") && (el.closest("[data-passage-source]") || $("[data-passage-source]", el)) ? s.getRangeAt(0) : null;
  }
  function show() {
    if (!box()) return;
    $("[data-passage-do]", box()).hidden = !range;
    $("[data-passage-hint]", box()).hidden = !!range;
  }
  doc.addEventListener("selectionchange", function () {
    var now = selected(), in_ = doc.activeElement && doc.activeElement.closest(".passage");
    if (now) range = now.cloneRange(); else if (!in_ && !walk) range = null;
    show();
  });
  // The buttons must not take the selection away before it is used.
  doc.addEventListener("mousedown", function (event) { if (event.target.closest(".passage")) event.preventDefault(); });
  doc.addEventListener("submit", function (event) {
    var form = event.target, current = $(".line.is-current");
    if (form.id !== "passage-new" && form.id !== "passage-of") return;
    var words = range ? flat(range.toString()).slice(0, LONGEST) : "";
    if (!words || (form.id === "passage-of" && !current)) { event.preventDefault(); event.stopImmediatePropagation(); assay.say(box().dataset.emptyText); return; }
    form.elements.quote.value = words;
    if (form.id === "passage-new") {
      form.elements.text.value = words;
      form.elements.after.value = current ? current.dataset.pk : "";
      focusText = true;
    } else form.setAttribute("action", form.getAttribute("action").replace(/lines\/\d+\//, "lines/" + current.dataset.pk + "/"));
    end();
  }, true);
  // The new line opens with its words chosen: the first key replaces them, an arrow keeps them.
  doc.addEventListener("assay:page", function () {
    range = null;
    show();
    var text = doc.getElementById("line-text");
    if (focusText && text) { text.focus(); text.select(); }
    focusText = false;
  });

  // --- sentence by sentence -------------------------------------------------------------------
  function sentences() {
    var found = [];
    all("#task [data-panel]:not([hidden]) [data-passage-source]").forEach(function (source) {
      var blocks = all(BLOCKS, source).filter(function (b) { return !$(BLOCKS, b); });
      (blocks.length ? blocks : [source]).forEach(function (block) { found = found.concat(inBlock(block, source.lang)); });
    });
    return found;
  }
  function inBlock(block, lang) {
    var walker = doc.createTreeWalker(block, NodeFilter.SHOW_TEXT), node, map = [], text = "";
    while ((node = walker.nextNode())) for (var i = 0; i < node.length; i++) { map.push([node, i]); text += node.data[i]; }
    var cuts = window.Intl && Intl.Segmenter ? Array.from(new Intl.Segmenter(lang || undefined, { granularity: "sentence" }).segment(text)) : [{ index: 0, segment: text }];
    return cuts.filter(function (cut) { return cut.segment.trim(); }).map(function (cut) {
      var lead = cut.segment.length - cut.segment.trimStart().length, from = map[cut.index + lead], to = map[cut.index + cut.segment.trimEnd().length - 1];
      var r = doc.createRange();
      r.setStart(from[0], from[1]); r.setEnd(to[0], to[1] + 1);
      return r;
    });
  }
  function begin() {
    var list = sentences(), pane = doc.getElementById("task");
    if (!list.length) { assay.say(box().dataset.emptyText); return; }
    var frame = pane.getBoundingClientRect(), top = Math.max(frame.top, 60) + 40;
    var first = list.findIndex(function (r) { return r.getBoundingClientRect().top >= top; });
    walk = { list: list, from: Math.max(0, first), to: Math.max(0, first) };
    pane.classList.add("is-walking");
    choose(true);
  }
  function choose(said) {
    var r = doc.createRange(), s = getSelection(), a = walk.list[Math.min(walk.from, walk.to)], b = walk.list[Math.max(walk.from, walk.to)];
    r.setStart(a.startContainer, a.startOffset);
    r.setEnd(b.endContainer, b.endOffset);
    if (doc.activeElement && doc.activeElement !== doc.body) doc.activeElement.blur();
    s.removeAllRanges();
    s.addRange(r);
    range = r.cloneRange();
    show();
    var pane = doc.getElementById("task"), frame = pane.getBoundingClientRect(), at = walk.list[walk.to].getBoundingClientRect();
    if (at.top < frame.top + 50 || at.bottom > Math.min(frame.bottom, innerHeight) - 90) {
      if (getComputedStyle(pane).overflowY === "auto") pane.scrollTop += at.top - frame.top - 140; else scrollBy(0, at.top - 200);
    }
    assay.say(assay.fill(box().dataset.selected, { t: flat(r.toString()) }) + (said ? " " + box().dataset.keys : ""));
  }
  function end(clear) {
    if (clear) { getSelection().removeAllRanges(); range = null; show(); }
    if (!walk) return;
    walk = null;
    doc.getElementById("task").classList.remove("is-walking");
    var line = $(".line.is-current");
    if (line) { line.tabIndex = -1; line.focus({ preventScroll: true }); }
  }
  doc.addEventListener("click", function (event) { if (event.target.closest("[data-passage-walk]")) begin(); else if (walk && !event.target.closest(".passage")) end(); });
  doc.addEventListener("keydown", function (event) {
    if (event.defaultPrevented || event.isComposing || event.ctrlKey || event.metaKey || event.altKey) return;
    if (!walk) { if (event.key === "Escape" && range && !event.target.closest("textarea, input, select, dialog")) end(true); return; }
    var key = event.key.length === 1 ? event.key.toLowerCase() : event.key, by = { ArrowDown: 1, j: 1, ArrowRight: 1, ArrowUp: -1, k: -1, ArrowLeft: -1 }[key];
    if (by) {
      walk.to = Math.min(walk.list.length - 1, Math.max(0, walk.to + by));
      if (!event.shiftKey) walk.from = walk.to;
      choose();
    } else if (key === "Escape" || key === "p") end(true);
    else if (key === "q" || key === "Enter") doc.getElementById("passage-new").requestSubmit();
    else if (key === "w") doc.getElementById("passage-of").requestSubmit();
    else { if (key === "Tab") end(); return; }
    event.preventDefault();
    event.stopImmediatePropagation();
  }, true);
  show();
})();
