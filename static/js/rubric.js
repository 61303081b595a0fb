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
  // Exactly one filled button: the next step, as the server sees it.
  function fillOne() {
    var next = $("#send") ? $("#send").dataset.step : "";
    all("[data-next]").forEach(function (b) { b.classList.toggle("btn-primary", next === "line"); });
    all("[data-add]").forEach(function (b) { b.classList.toggle("btn-primary", next === "add"); });
  }
  var totals = function () { var head = $("#lines-head [data-totals]"); return head ? head.textContent.replace(/\s+/g, " ").trim() : ""; };
  function put(html) {
    var before = totals();
    parts.replace(html);
    fillOne();
    if (totals() !== before) assay.say(totals()); // for those who do not see the bars move
  }
  function nextTodo(after) {
    var lines = all(".line[data-pk]"), at = lines.indexOf(after);
    return lines.slice(at + 1).concat(lines.slice(0, Math.max(at, 0))).find(function (l) { var v = viewOf(l); return v && v.hasAttribute("data-todo"); });
  }
  var watched = new WeakSet();
  function watch(form) {
    if (watched.has(form)) return;
    watched.add(form);
    form.addEventListener("assay:saved", function (event) {
      if (event.detail.html) put(event.detail.html);
      if (form.dataset.last) { delete form.dataset.last; rest(form); }
    });
    form.addEventListener("submit", function (event) {
      var by = event.submitter, line = form.closest(".line"), box = form.elements.comment;
      if (by && by.hasAttribute("data-answer")) {
        event.preventDefault();
        if (box.value.trim()) reply(box).then(function (said) { if (said) assay.toast(said); }); else box.focus();
      }
      if (by && by.hasAttribute("data-next")) { event.preventDefault(); done(form, line); }
    });
    form.addEventListener("assay:filled", function () { if (!form.isConnected) save(form); });
  }
  // "Done": the line is read; what was typed goes along; on to the next line that needs somebody.
  function done(form, line) {
    var view = viewOf(line), asked = $("#requests"), next = nextTodo(line) || (asked ? null : line.nextElementSibling);
    var sent = unsent(line).map(reply), typed = differs(form, view);
    if (typed || sent.length) view.removeAttribute("data-todo"); // until the server answers
    if (view.hasAttribute("data-unread") && !typed) sent.push(confirm(form, view));
    if (next) { next.click(); return; }
    form.dataset.last = "1";
    save(form);
    Promise.all(sent).then(function () { if (form.dataset.last && !differs(form, viewOf(line))) { delete form.dataset.last; rest(form); } });
  }
  function differs(form, view) {
    var now = function (name) { var el = form.elements[name]; return el ? el.value : ""; };
    return ["text", "importance", "weight", "dimension"].some(function (name) { return now(name).trim() !== view.dataset[name]; });
  }
  function confirm(form, view) {
    var data = new FormData();
    data.append("csrfmiddlewaretoken", form.elements.csrfmiddlewaretoken.value);
    data.append("then", "next");
    var again = function () { confirm(form, view); };
    view.removeAttribute("data-todo"); // until the server answers
    return parts.post(form.getAttribute("action"), data).then(function (answer) {
      if (answer.ok && answer.reply.html) put(answer.reply.html);
      else { view.setAttribute("data-todo", ""); parts.refused(answer, again); }
    }, function () { view.setAttribute("data-todo", ""); parts.lost(again); });
  }
  // After the last line: to the button that comes next, or to the box that is still empty.
  function rest(form) {
    var line = form.closest(".line"), open = line && viewOf(line).hasAttribute("data-todo"), box = form.elements.comment;
    var go = open ? box || form.elements.text : $("#send").dataset.step === "add" ? $("#new-text") : $("[data-send]");
    if (go) go.focus();
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
    form.elements.line.value = pk;
    form.elements.text.value = view.dataset.text;
    form.elements.dimension.value = view.dataset.dimension;
    check(form, "importance", view.dataset.importance);
    check(form, "weight", view.dataset.weight);
    PARTS.forEach(function (name) {
      var part = more && $('[data-part="' + name + '"]', more);
      if (part) $('[data-slot="' + name + '"]', form).append(part);
    });
    becauses(form, pk);
    replyBox(form, pk);
    form.setAttribute("data-autosave", "");
    $(".line-body", line).append(form);
    bringBack(form);
    fillOne();
    watch(form);
    form.dispatchEvent(new CustomEvent("assay:editor", { bubbles: true }));
    parts.arrived(form);
    if (view.dataset.typed) { // typed here before, and not with the server yet
      form.elements.text.value = view.dataset.typed;
      form.elements.text.dispatchEvent(new Event("input", { bubbles: true }));
    }
    caret = null;
    if (line.getBoundingClientRect().bottom > innerHeight - 16) line.scrollIntoView({ block: "nearest" });
    mark(line);
    later(line);
  }
  // A thread about which nobody asks now comes when its line is opened.
  function later(line) {
    var slot = $("[data-later]", line);
    if (!slot) return;
    delete slot.dataset.later;
    assay.ask("?thread=" + line.dataset.pk, { headers: { "X-Parts": "1", "Accept": "application/json, text/html" } }).then(function (answer) {
      if (!answer.ok) throw answer;
      return answer.text();
    }).then(function (html) {
      parts.replace(html);
      var form = $("[data-editor]", line);
      if (form) bringBack(form);
    }).catch(function () { slot.dataset.later = ""; }); // asked for again when the line is opened again
  }
  // What stands under a mark is the same wherever its rule has something to say.
  function becauses(form, pk) {
    all("[data-note]", form).forEach(function (mark) {
      var note = all(".lint-note", viewOf(doc.getElementById("line-" + pk)))[mark.dataset.note];
      if (note) { mark.prepend(note.cloneNode(true)); delete mark.dataset.note; }
    });
    all("span[data-because]", form).forEach(function (slot) {
      var like = doc.getElementById("because").content.querySelector('[data-because="' + slot.dataset.because + '"]');
      if (!like) return;
      var now = like.cloneNode(true), box = $("textarea", now), button = $("button", now), token = slot.dataset.token;
      box.id = $("label", now).htmlFor = "because-" + pk + "-" + token;
      box.name = "because-" + token;
      button.value = token;
      button.setAttribute("formaction", button.getAttribute("formaction").replace("/lines/0/", "/lines/" + pk + "/"));
      slot.replaceWith(now);
    });
  }
  // The box for an answer is on the page once, as a template: forty of them are a lot to send.
  function replyBox(form, pk) {
    var thread = $(".line-thread", form), source = doc.getElementById("reply");
    if (!thread || !source || $("textarea", thread)) return;
    thread.append(source.content.cloneNode(true));
    var box = $("textarea", thread);
    box.id = $("label", thread).htmlFor = "reply-" + pk;
    box.dataset.of = thread.dataset.of;
  }
  function close(line, quietly) {
    var form = $("[data-editor]", line), view = viewOf(line), more = $(".line-more", line);
    if (!form) return;
    if (!quietly) save(form);
    var link = view && $(".line-open", view), typed = form.elements.text.value.trim();
    if (!quietly && link && typed && typed !== view.dataset.text) { link.textContent = typed; view.dataset.typed = form.elements.text.value; } // until the server answers
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
    all(".line:not(.is-current)").forEach(function (line) { close(line); });
    open(event.target);
  });
  doc.addEventListener("click", function (event) {
    var link = event.target.closest("a[data-open]"), goal = event.target.closest("[data-choose]"), todo = event.target.closest("[data-next-todo]");
    if (todo && !(event.ctrlKey || event.metaKey)) {
      event.preventDefault();
      var next = nextTodo($(".line.is-current")) || $(".line.is-current");
      if (next) { next.click(); next.tabIndex = -1; next.focus({ preventScroll: true }); next.scrollIntoView({ block: "nearest" }); }
    }
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

  // --- a step: the lines that look different now come back, and the order of all -----------------
  parts.shown = function () {
    return all(".line[data-pk]").map(function (line) { return [line.dataset.pk, (viewOf(line) || line).dataset.looks, line.dataset.talk].join(":"); }).join(",");
  };
  parts.took = function (answer, form) {
    var before = $(".line.is-current"), top = before ? before.getBoundingClientRect().top : null, list = doc.getElementById("line-list");
    doc.dispatchEvent(new CustomEvent("assay:leaving"));
    var own = form.matches(".add-line") && form;
    all("[data-editor]", list).forEach(function (editor) { close(editor.closest(".line"), true); });
    var step = parts.replace(answer.html, form).getElementById("step"), order = step.dataset.order.split(".").filter(Boolean);
    var chosen = step.dataset.chosen.split("."), fresh = {}, place;
    all(".line", step).forEach(function (line) { fresh[line.dataset.pk] = line; });
    all(".line[data-pk]", list).forEach(function (line) { if (order.indexOf(line.dataset.pk) < 0) line.remove(); });
    place = list.firstElementChild;
    order.forEach(function (pk, n) {
      var old = doc.getElementById("line-" + pk), line = fresh[pk] || old, pick = $(".pick", line);
      if (old && line !== old) { if (place === old) place = line; old.replaceWith(line); }
      if (place === line) place = line.nextElementSibling; else list.insertBefore(line, place);
      line.dataset.line = $(".line-n", line).textContent = n + 1;
      line.classList.toggle("is-current", pk === step.dataset.current);
      if (pk === step.dataset.current) line.setAttribute("aria-current", "true"); else line.removeAttribute("aria-current");
      pick.checked = chosen.indexOf(pk) >= 0;
      pick.setAttribute("aria-label", assay.fill(list.dataset.chooseLabel, { n: n + 1 }));
    });
    all('input[name="seen"]').forEach(function (el) { el.value = step.dataset.revision; });
    assay.saving.done("step", step.dataset.saved);
    if (own) { own.elements.text.value = ""; delete own.dataset.kept; }
    if ($(".line.is-current")) open($(".line.is-current"));
    parts.toasts(step.querySelectorAll("[data-toast]"));
    parts.there(answer.page, top);
  };

  // --- answers to the reviewer ------------------------------------------------------------------
  // One that was typed and not sent goes along with "Done" and with "Send to review".
  function unsent(root) {
    return all('textarea[name="comment"]', root).filter(function (box) { return box.value.trim() && !box.readOnly; });
  }
  var keyOf = function (box) { return "assay:text:" + (doc.body.dataset.who || "") + ":" + box.dataset.answerAt + box.dataset.of; };
  function bringBack(form) {
    var box = form.elements.comment;
    if (box && !box.value) box.value = assay.recall(keyOf(box)) || "";
  }
  doc.addEventListener("input", function (event) {
    if (event.target.name === "comment" && event.target.dataset.of) assay.remember(keyOf(event.target), event.target.value.trim() ? event.target.value : null);
  });
  function reply(box) {
    var typed = box.value.trim(), data = new FormData(), again = function () { reply(box); }, sent;
    data.append("csrfmiddlewaretoken", $('input[name="csrfmiddlewaretoken"]').value);
    data.append("key", box.dataset.of);
    data.append("line", box.id.replace("reply-", ""));
    data.append("comment", box.value);
    sent = parts.post(box.dataset.answerAt, data);
    box.readOnly = true; // on its way: neither changed nor sent twice
    return sent.then(function (answer) {
      box.readOnly = false;
      if (!answer.ok || !answer.reply.html) { parts.refused(answer, again); return false; }
      put(answer.reply.html);
      assay.remember(keyOf(box), null);
      return answer.reply.said || typed;
    }, function () { box.readOnly = false; parts.lost(again); return false; });
  }
  doc.addEventListener("submit", function (event) {
    var by = event.submitter, own = event.target.elements.comment;
    var boxes = by && by.hasAttribute("data-send") ? unsent(doc).filter(function (box) { return box !== own; }) : [];
    if (own && own.readOnly) own.disabled = true; // its answer is on its way already
    if (!boxes.length) return; // the one in this form goes along by itself
    event.preventDefault();
    event.stopImmediatePropagation();
    boxes.reduce(function (before, box) {
      return before.then(function (fine) { return fine && reply(box); });
    }, Promise.resolve(true)).then(function (fine) { var button = by.isConnected ? by : $("#send [data-send]"); if (fine) button.form.requestSubmit(button); });
  }, true);

  // --- splitting at the place somebody pointed at ----------------------------------------------
  ["keyup", "click", "input"].forEach(function (name) {
    doc.addEventListener(name, function (event) {
      if (event.target.id === "line-text") caret = event.target.selectionStart;
    });
  });
  // Rows of a text are lines to be: said while they are typed.
  var rowsOf = function (text) { return text.split(/\n/).filter(function (row) { return row.trim(); }).length; };
  doc.addEventListener("input", function (event) {
    if (event.target.id !== "line-text") return;
    var hint = $("[data-rows]", event.target.form), n = rowsOf(event.target.value);
    if (hint) hint.textContent = n > 1 ? assay.fill(hint.dataset.rows, { n: n }) : "";
  });
  doc.addEventListener("submit", function (event) {
    var by = event.submitter, form = event.target;
    if (!by || !by.hasAttribute("data-split") || !form.elements.text) return;
    var length = form.elements.text.value.trim().length, at = $("input[data-at]", form);
    if (!at) { at = doc.createElement("input"); at.type = "hidden"; at.name = "at"; at.dataset.at = ""; form.append(at); }
    var rows = rowsOf(form.elements.text.value) > 1;
    at.value = !rows && caret !== null && caret > 0 && caret < length ? caret : "";
  }, true);

  // Enter on a weight or an importance means: edit the words.
  doc.addEventListener("keydown", function (event) {
    var form = event.target.type === "radio" && event.key === "Enter" && !(event.ctrlKey || event.metaKey || event.altKey) && event.target.closest("[data-editor]");
    if (form) { event.preventDefault(); form.elements.text.focus(); }
  }, true);
  // A dimension is found by typing its first letters; Enter goes back to the line.
  doc.addEventListener("keydown", function (event) {
    var line = event.target.id === "line-dimension" && event.key === "Enter" && !(event.ctrlKey || event.metaKey || event.altKey) && event.target.closest(".line");
    if (line) { event.preventDefault(); event.stopPropagation(); line.tabIndex = -1; line.focus({ preventScroll: true }); }
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
    var view = line && viewOf(line), source = $("[data-passages]"), said = line && doc.getElementById("line-" + line.dataset.pk + "-quote"), wanted = said ? said.textContent.replace(/[\s*_`#>|-]+/g, "") : "";
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
    var asked = $(".split-places");
    all("[data-editor]").forEach(function (form) { watch(form); bringBack(form); });
    fillOne();
    mark($(".line.is-current"));
    if (!asked) return;
    $("button", asked).focus({ preventScroll: true });
    asked.scrollIntoView({ block: "nearest" });
    assay.say($("legend", asked).textContent, true);
  }
  doc.addEventListener("assay:page", start);
  doc.addEventListener("assay:tab", function () { mark($(".line.is-current")); });
  start();
})();
