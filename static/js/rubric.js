// The rubric workbench: one editor that follows the current line, saved by autosave.js.
(function () {
  "use strict";
  var doc = document, assay = window.assay, parts = assay && assay.parts;
  if (!parts) return;
  var $ = function (selector, root) { return (root || doc).querySelector(selector); };
  var all = function (selector, root) { return Array.from((root || doc).querySelectorAll(selector)); };
  var PARTS = ["marks", "draft", "thread"], caret = null;
  var viewOf = function (line) { return doc.getElementById("line-" + line.dataset.pk + "-view"); };

  function check(form, name, value) {
    all('input[name="' + name + '"]', form).forEach(function (el) { el.checked = el.value === value; });
  }
  // --- the editor -----------------------------------------------------------------------------
  function watch(form) {
    form.addEventListener("assay:saved", function (event) { if (event.detail.html) parts.replace(event.detail.html); });
    form.addEventListener("submit", function (event) {
      var by = event.submitter;
      if (!by || !by.hasAttribute("data-next")) return;
      event.preventDefault();
      var line = form.closest(".line"), next = line.nextElementSibling;
      unsent(line).forEach(reply);
      if (next) next.click(); else { save(form); line.tabIndex = -1; line.focus({ preventScroll: true }); }
    });
    form.addEventListener("assay:filled", function () { if (!form.isConnected) save(form); });
  }
  function save(form) { form.dispatchEvent(new Event("focusout", { bubbles: true })); }
  function open(line) {
    if ($("[data-editor]", line)) { mark(line); return; }
    var source = doc.getElementById("editor"), view = viewOf(line);
    if (!source || !view) return;
    var form = source.content.querySelector("form").cloneNode(true), pk = line.dataset.pk, more = $(".line-more", line);
    form.setAttribute("action", form.getAttribute("action").replace("/lines/0/", "/lines/" + pk + "/"));
    all("[formaction]", form).forEach(function (b) { b.setAttribute("formaction", b.getAttribute("formaction").replace("/lines/0/", "/lines/" + pk + "/")); });
    form.elements.version.value = view.dataset.token;
    form.elements.text.value = view.dataset.text;
    form.elements.dimension.value = view.dataset.dimension;
    check(form, "importance", view.dataset.importance);
    check(form, "weight", view.dataset.weight);
    PARTS.forEach(function (name) {
      var part = more && $('[data-part="' + name + '"]', more);
      if (part) $('[data-slot="' + name + '"]', form).append(part);
    });
    form.setAttribute("data-autosave", "");
    $(".line-body", line).append(form);
    watch(form);
    parts.arrived(form);
    caret = null;
    if (line.getBoundingClientRect().bottom > innerHeight - 16) line.scrollIntoView({ block: "nearest" });
    mark(line);
  }
  function close(line) {
    var form = $("[data-editor]", line), view = viewOf(line), more = $(".line-more", line);
    if (!form) return;
    save(form);
    var link = view && $(".line-open", view), typed = form.elements.text.value.trim();
    if (link && typed && typed !== view.dataset.text) { link.textContent = typed; view.dataset.text = typed; } // until the server answers
    if (!more) {
      more = doc.createElement("div");
      more.className = "line-more"; more.hidden = true;
      $(".line-body", line).append(more);
    }
    PARTS.forEach(function (name) {
      var part = $('[data-part="' + name + '"]', form);
      if (part) more.append(part);
    });
    form.remove();
  }
  doc.addEventListener("assay:current", function (event) {
    all(".line:not(.is-current)").forEach(close);
    open(event.target);
  });
  doc.addEventListener("click", function (event) {
    var link = event.target.closest("a[data-open]"), goal = event.target.closest("[data-choose]");
    if (link && !(event.ctrlKey || event.metaKey)) {
      event.preventDefault();
      var line = link.closest(".line"), was = line.classList.contains("is-current");
      if (was) $("textarea", line).focus(); else setTimeout(function () { line.focus({ preventScroll: true }); });
    }
    if (goal) {
      event.preventDefault();
      var wanted = doc.getElementById("line-" + goal.dataset.choose);
      if (wanted) { wanted.click(); wanted.tabIndex = -1; wanted.focus({ preventScroll: true }); wanted.scrollIntoView({ block: "nearest" }); }
    }
  }, true);

  // --- answers to the reviewer ------------------------------------------------------------------
  // One that was typed and not sent goes along with "Done" and with "Send to review".
  function unsent(root) {
    return all('textarea[name="comment"]', root).filter(function (box) { return box.form && box.value.trim() && !box.readOnly; });
  }
  function reply(box) {
    var typed = box.value.trim(), view = doc.getElementById(box.id.replace("reply-", "line-") + "-view"), sent = parts.send(box.form);
    box.readOnly = true; // on its way: neither changed nor sent twice
    return sent.then(function (answer) {
      box.readOnly = false;
      var page = new DOMParser().parseFromString(answer.html || "", "text/html"), now = page.getElementById(box.id);
      var part = now && now.closest("[data-part]"), state = view && page.getElementById(view.id);
      var flat = function (text) { return text.replace(/\s+/g, ""); };
      if (!part || flat(part.textContent).indexOf(flat(typed)) < 0) { parts.refused(answer); return false; }
      [box.closest("[data-part]"), view && $(".line-sub", view), $("#requests"), $("#send")].forEach(function (old, n) {
        var fresh = [part, state && $(".line-sub", state), page.getElementById("requests"), page.getElementById("send")][n];
        if (old && fresh) { old.replaceWith(fresh); parts.arrived(fresh); }
      });
      return true;
    }, function () { box.readOnly = false; parts.lost(); return false; });
  }
  doc.addEventListener("submit", function (event) {
    var boxes = event.target.id === "send" ? unsent(doc) : [];
    if (!boxes.length) return;
    event.preventDefault();
    event.stopImmediatePropagation();
    boxes.reduce(function (before, box) {
      return before.then(function (fine) { return fine && reply(box); });
    }, Promise.resolve(true)).then(function (fine) { if (fine) doc.getElementById("send").requestSubmit(); });
  }, true);

  // --- splitting at the place somebody pointed at ----------------------------------------------
  ["keyup", "click", "input"].forEach(function (name) {
    doc.addEventListener(name, function (event) {
      if (event.target.id === "line-text") caret = event.target.selectionStart;
    });
  });
  doc.addEventListener("submit", function (event) {
    var by = event.submitter, form = event.target;
    if (!by || !by.hasAttribute("data-split") || !form.elements.text) return;
    var length = form.elements.text.value.trim().length, at = $("input[data-at]", form);
    if (!at) { at = doc.createElement("input"); at.type = "hidden"; at.name = "at"; at.dataset.at = ""; form.append(at); }
    at.value = caret !== null && caret > 0 && caret < length ? caret : "";
  }, true);

  // Enter on a weight or an importance means: edit the words.
  doc.addEventListener("keydown", function (event) {
    var form = event.target.type === "radio" && event.key === "Enter" && event.target.closest("[data-editor]");
    if (form) { event.preventDefault(); form.elements.text.focus(); }
  }, true);
  // A line is one statement: Enter adds it.
  doc.addEventListener("keydown", function (event) {
    if (event.target.id !== "new-text" || event.key !== "Enter" || event.shiftKey || event.isComposing || event.keyCode === 229) return;
    event.preventDefault();
    event.stopPropagation();
    if (event.target.value.trim()) event.target.form.requestSubmit();
  }, true);

  // --- the passage behind the current line ------------------------------------------------------
  function mark(line) {
    if (!window.Highlight || !CSS.highlights) return;
    CSS.highlights.delete("passage");
    var view = line && viewOf(line), source = $("[data-passages]"), wanted = view && view.dataset.quoteText.replace(/[\s*_`#>|-]+/g, "");
    if (!source || !wanted) return;
    var walker = doc.createTreeWalker(source, NodeFilter.SHOW_TEXT), node, map = [], flat = "";
    while ((node = walker.nextNode())) for (var i = 0; i < node.length; i++) if (!/[\s*_`#>|-]/.test(node.data[i])) { flat += node.data[i]; map.push([node, i]); }
    var at = flat.indexOf(wanted);
    if (at < 0) return;
    var range = doc.createRange(), last = map[at + wanted.length - 1];
    range.setStart(map[at][0], map[at][1]);
    range.setEnd(last[0], last[1] + 1);
    CSS.highlights.set("passage", new Highlight(range));
    var pane = source.closest(".pane"), box = range.getBoundingClientRect(), frame = pane.getBoundingClientRect();
    if (box.height && getComputedStyle(pane).overflowY === "auto" && (box.top < frame.top + 60 || box.bottom > frame.bottom - 20)) pane.scrollTop += box.top - frame.top - 120;
  }
  function start() {
    all("[data-editor]").forEach(watch);
    mark($(".line.is-current"));
  }
  doc.addEventListener("assay:page", start);
  doc.addEventListener("assay:tab", function () { mark($(".line.is-current")); });
  start();
})();
