// Keys, lines, quotations, questions, toasts, counters. Every page works without this file.
// Attributes it understands are listed in docs/look.md. Saving lives in saving.js and autosave.js.
(function () {
  "use strict";
  var doc = document, body = doc.body, store = window.localStorage;
  var words = (doc.getElementById("words") || {}).dataset || {};
  var $ = function (selector, root) { return (root || doc).querySelector(selector); };
  var all = function (selector, root) { return Array.from((root || doc).querySelectorAll(selector)); };
  var fill = function (text, values) {
    return Object.keys(values).reduce(function (t, k) { return t.replace("%" + k, values[k]); }, text || "");
  };
  var remember = function (key, value) {
    try { if (value === null) store.removeItem(key); else store.setItem(key, value); } catch (full) { return false; }
    return true;
  };
  var recall = function (key) { try { return store.getItem(key); } catch (closed) { return null; } };
  var visible = function (el) { return el.getClientRects().length > 0; };
  var textBox = function (el) {
    return !!el && (el.isContentEditable || el.tagName === "TEXTAREA" || el.tagName === "SELECT" ||
      (el.tagName === "INPUT" && !/^(radio|checkbox|button|submit|reset|file|range|color)$/.test(el.type)));
  };
  // A request in the background. A refusal comes with status 200 and its own status in X-Status,
  // because browsers write every other to the console as an error; here it is what it is.
  function ask(url, options) {
    var headers = Object.assign({ "X-Quiet": "1" }, options.headers);
    return fetch(url, Object.assign({ credentials: "same-origin" }, options, { headers: headers })).then(function (answer) {
      var status = statusOf(answer.headers.get("X-Status"), answer.status);
      return { status: status, ok: status >= 200 && status < 300, redirected: answer.redirected, url: answer.url, headers: answer.headers,
        text: function () { return answer.text(); }, json: function () { return answer.json(); } };
    });
  }
  function statusOf(told, status) { return Number(told) || status; }
  function say(text, urgent) {
    var region = doc.getElementById(urgent ? "live-assertive" : "live-polite");
    if (!region || !text) return;
    region.textContent = "";
    setTimeout(function () { region.textContent = text; }, 60);
  }

  // --- toasts: ten seconds, paused under pointer or focus -------------------------------------
  function arm(toast) {
    var left = 10000, since, timer;
    function go() { since = Date.now(); timer = setTimeout(function () { toast.remove(); }, left); }
    function hold() { clearTimeout(timer); left = Math.max(1500, left - (Date.now() - since)); }
    ["mouseenter", "focusin"].forEach(function (e) { toast.addEventListener(e, hold); });
    ["mouseleave", "focusout"].forEach(function (e) { toast.addEventListener(e, go); });
    go();
  }
  function toast(text, undoLabel, undo) {
    var box = doc.createElement("div"), span = doc.createElement("span");
    box.className = "toast";
    span.textContent = text;
    box.append(span);
    if (undo) {
      var button = doc.createElement("button");
      button.type = "button"; button.className = "btn btn-small"; button.textContent = undoLabel;
      button.dataset.undo = "";
      button.addEventListener("click", function () { box.remove(); undo(); });
      box.append(button);
    }
    doc.getElementById("toasts").append(box);
    arm(box);
  }
  // An error never is a toast: it stands in the page until it is dealt with.
  function problem(text) {
    var old = $("[data-script-problem]"), place = doc.getElementById("notes");
    if (old) old.remove();
    if (!text) return;
    var note = doc.createElement("div"), p = doc.createElement("p");
    note.className = "note note-no"; note.dataset.scriptProblem = ""; note.setAttribute("role", "alert");
    p.textContent = text;
    note.append(p); place.append(note);
  }

  // --- lines ----------------------------------------------------------------------------------
  var lines = function () { return all(".line[data-line]").filter(function (l) { return visible(l) || l.closest(".one-on-phone"); }); };
  var currentLine = function () { return $(".line.is-current[data-line]"); };
  function choose(line, focus) {
    var before = currentLine();
    if (!line || line === before) return;
    var top = before ? before.getBoundingClientRect().top : null;
    if (before) { before.classList.remove("is-current"); before.removeAttribute("aria-current"); }
    line.classList.add("is-current");
    line.setAttribute("aria-current", "true");
    if (focus !== false) { line.tabIndex = -1; line.focus({ preventScroll: true }); }
    var now = line.getBoundingClientRect(), low = innerHeight - 120;
    // The current line keeps its height on the screen, so that the eye need not search for it.
    if (focus !== false && top !== null && top > 60 && top < low) scrollBy(0, now.top - top);
    else if (now.top < 110 || now.bottom > low) line.scrollIntoView({ block: "center" });
    var list = lines();
    say(fill(words.line, { n: list.indexOf(line) + 1, t: list.length }));
    line.dispatchEvent(new CustomEvent("assay:current", { bubbles: true }));
  }
  function step(by) {
    var list = lines(), at = list.indexOf(currentLine());
    choose(list[Math.min(list.length - 1, Math.max(0, at < 0 ? 0 : at + by))]);
  }
  function nextOpen() {
    var list = lines(), at = list.indexOf(currentLine());
    var order = list.slice(at + 1).concat(list.slice(0, at + 1));
    var open = order.find(function (l) { return l.dataset.state === "open" && l !== list[at]; });
    if (open) choose(open); else say(words.allDone);
  }
  function openLine(line) {
    var target = $("[data-open]", line) || $("textarea, input:not([type=hidden]), button, a[href]", line);
    if (target && target.matches("[data-open]")) target.click(); else if (target) target.focus();
  }

  // --- keys -----------------------------------------------------------------------------------
  var singleKeys = function () {
    return body.hasAttribute("data-single-keys") && recall("assay:single-keys") !== "off";
  };
  function combo(event) {
    var key = event.key.length === 1 ? event.key.toLowerCase() : { " ": "space" }[event.key] || event.key.toLowerCase();
    if (event.altKey && /^Key[A-Z]$/.test(event.code)) key = event.code.slice(3).toLowerCase(); // ⌥P types π on a Mac
    var parts = [];
    if (event.ctrlKey || event.metaKey) parts.push("ctrl");
    if (event.altKey) parts.push("alt");
    if (event.shiftKey && (key.length > 1 || parts.length)) parts.push("shift");
    return parts.concat(key).join("+");
  }
  function keyed(key, root) {
    return all("[data-key]", root).filter(function (el) {
      return el.dataset.key.toLowerCase().split(" ").indexOf(key) >= 0 && !el.disabled && (visible(el) || el.type === "radio");
    });
  }
  function press(key) {
    var line = currentLine(), dialog = $("dialog[open]");
    var found = dialog ? keyed(key, dialog) : (line && keyed(key, line)[0]) ? keyed(key, line)
      : keyed(key).filter(function (el) { return !el.closest("[data-line], dialog"); });
    var none = !found[0] && !dialog && line && $('[data-no-key="' + CSS.escape(key) + '"]', line); // why it does nothing here
    if (none) { toast(none.dataset.says); say(none.dataset.says); return true; }
    if (!found[0]) return false;
    var el = found[0];
    if (textBox(el)) el.focus(); else { if (el.type === "radio") el.focus(); el.click(); }
    return true;
  }
  var goAt = 0;
  doc.addEventListener("keydown", function (event) {
    if (event.defaultPrevented || event.isComposing || event.keyCode === 229) return;
    var key = combo(event), typing = textBox(event.target), dialog = $("dialog[open]");
    if (/^(ctrl|alt)\+/.test(key)) { if (press(key)) event.preventDefault(); return; }
    if (key === "escape") {
      all("details.menu[open]").forEach(function (m) { m.open = false; $("summary", m).focus(); });
      if (typing && !dialog) event.target.blur();
      return;
    }
    if (typing || !singleKeys() || key === "shift" || key === "tab") return;
    // What has the focus comes first: Enter on a link follows it, on a button presses it.
    if ((key === "enter" || key === "space") && event.target.closest("a[href], button, summary, select, input, [role=button]")) return;
    var handled = true;
    if (!dialog && goAt && Date.now() - goAt < 1500) {
      goAt = 0;
      var place = $('[data-go="' + CSS.escape(key) + '"]');
      if (place) { place.click(); event.preventDefault(); return; }
    }
    if (!dialog && key === "u" && $("button[data-undo]")) all("button[data-undo]").pop().click(); // #words carries the word itself
    else if (press(key)) handled = true;
    else if (dialog) handled = false;
    else if (key === "g" && $("[data-go]")) goAt = Date.now();
    else if (key === "?") openKeys();
    else if (key === "q" && $("[data-quote-target]")) quote();
    else if (key === "j" && lines().length) step(1);
    else if (key === "k" && lines().length) step(-1);
    else if (key === "n" && $("[data-line][data-state]")) nextOpen();
    else if (key === "enter" && doc.activeElement === currentLine() && currentLine()) openLine(currentLine());
    else handled = false;
    if (handled) event.preventDefault();
  });

  function caps(key) {
    var names = { ctrl: /Mac/.test(navigator.platform) ? "⌘" : "Ctrl", shift: "⇧", alt: "Alt", enter: "↵", arrowup: "↑", arrowdown: "↓", escape: "Esc", space: "Space" };
    var box = doc.createElement("span");
    box.className = "keys";
    key.split("+").forEach(function (k) {
      var cap = doc.createElement("kbd");
      cap.textContent = names[k] || k.toUpperCase();
      box.append(cap);
    });
    return box;
  }
  function openKeys() {
    var dialog = doc.getElementById("keys");
    if (!dialog || dialog.open) return;
    all("[data-found]", dialog).forEach(function (el) { el.remove(); });
    var go = $("[data-go-keys]", dialog);
    if (go) { go.textContent = ""; go.append(caps("g"), ...all("[data-go]").map(function (el) { return caps(el.dataset.go); })); }
    all("[data-if]", dialog).forEach(function (el) { el.hidden = !$(el.dataset.if); });
    var seen = {};
    all("[data-key], [data-help-key]").forEach(function (el) {
      var label = el.dataset.keyLabel, key = el.dataset.helpKey || el.dataset.key; // a help key is heard elsewhere
      if (!label) { var copy = el.cloneNode(true); all(".keys, .sr", copy).forEach(function (k) { k.remove(); }); label = copy.textContent.trim() || el.getAttribute("aria-label"); }
      if (el.closest("dialog") || !label || key === "?" || /^\d$/.test(key)) return;
      var id = key + label, group = el.dataset.keyGroup || "here";
      if (seen[id]) return;
      seen[id] = true;
      var list = $('[data-key-group-list="' + group + '"]', dialog);
      if (!list) {
        list = doc.createElement("div");
        list.dataset.keyGroupList = group; list.dataset.found = "";
        list.innerHTML = "<h3></h3><ul class='plain-list'></ul>";
        list.firstChild.textContent = words[group === "saving" ? "savingGroup" : group] || words.here;
        $(".key-groups", dialog).append(list);
      }
      var item = doc.createElement("li"), text = doc.createElement("span");
      item.dataset.found = ""; text.textContent = label;
      item.append(text, caps(key.toLowerCase().split(" ")[0]));
      $("ul", list).append(item);
    });
    showKeySwitch();
    dialog.showModal();
    dialog.focus();
  }
  function showKeySwitch() {
    all("[data-toggle-keys]").forEach(function (b) { b.textContent = recall("assay:single-keys") === "off" ? words.keysOn : words.keysOff; });
  }

  // --- quotations -----------------------------------------------------------------------------
  var lastRange = null;
  function keepRange() {
    var s = getSelection(), node = s.rangeCount && s.getRangeAt(0).commonAncestorContainer;
    var el = node && (node.nodeType === 1 ? node : node.parentElement);
    if (el && !s.isCollapsed && el.closest("[data-quote-source]")) lastRange = s.getRangeAt(0).cloneRange();
  }
  doc.addEventListener("selectionchange", keepRange);
  function quote() {
    keepRange(); // the event comes with the next frame: a quick key is before it
    var target = $("[data-quote-target]", currentLine() || doc) || $("[data-quote-target]");
    var text = lastRange ? lastRange.toString().replace(/\s+/g, " ").trim() : "";
    if (!target || !text) { say(words.noSelection); return; }
    var at = target.value.length && target.selectionEnd || target.value.length;
    var before = target.value.slice(0, at), after = target.value.slice(at);
    var piece = (!before || before.endsWith("\n\n") ? "" : before.endsWith("\n") ? "\n" : "\n\n") + "> " + text + "\n\n";
    target.value = before + piece + after.replace(/^\n+/, "");
    target.focus();
    target.selectionStart = target.selectionEnd = before.length + piece.length;
    target.dispatchEvent(new Event("input", { bubbles: true }));
    markQuotes();
    lastRange = null;
    say(words.quoted);
  }
  // Passages quoted in the current rationale are marked in the source, without touching its markup.
  function markQuotes() {
    if (!window.Highlight || !CSS.highlights) return;
    var ranges = [], target = $("[data-quote-target]", currentLine() || doc);
    (target ? target.value.match(/^> .+$/gm) || [] : []).forEach(function (row) {
      var wanted = row.slice(2).replace(/\s+/g, "");
      all("[data-quote-source]").forEach(function (source) {
        var walker = doc.createTreeWalker(source, NodeFilter.SHOW_TEXT), node, map = [], flat = "";
        while ((node = walker.nextNode())) for (var i = 0; i < node.length; i++) if (/\S/.test(node.data[i])) { flat += node.data[i]; map.push([node, i]); }
        var at = flat.indexOf(wanted);
        if (at < 0 || !wanted) return;
        var range = doc.createRange(), last = map[at + wanted.length - 1];
        range.setStart(map[at][0], map[at][1]); range.setEnd(last[0], last[1] + 1);
        ranges.push(range);
      });
    });
    CSS.highlights.set("quote", new Highlight(...ranges));
  }

  // --- counters -------------------------------------------------------------------------------
  function countWords(text) {
    var cjk = (text.match(/[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]/g) || []).length;
    return cjk + (text.replace(/[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]/g, " ").match(/[\p{L}\p{N}][\p{L}\p{N}'’._-]*/gu) || []).length;
  }
  function counter(el) {
    var field = doc.getElementById(el.dataset.countFor);
    if (!field) return;
    var inWords = el.dataset.count === "words", number = inWords ? countWords(field.value) : Array.from(field.value).length;
    var limit = Number(el.dataset.max || field.maxLength || 0);
    el.textContent = fill(inWords ? words.words : words.characters, { n: limit > 0 ? fill(words.of, { n: number, m: limit }) : number });
    el.classList.toggle("is-over", limit > 0 && number > limit);
  }

  // Browsers give a page the clipboard over https and on the own machine only.
  function copy(text) {
    function done() { say(words.copied); toast(words.copied); }
    function byHand() {
      var box = doc.createElement("textarea"), before = doc.activeElement;
      box.value = text; box.className = "sr";
      doc.body.append(box); box.select();
      var worked = doc.execCommand("copy");
      box.remove(); before.focus();
      if (worked) done(); else problem(words.notCopied);
    }
    if (navigator.clipboard) navigator.clipboard.writeText(text).then(done, byHand); else byHand();
  }

  // --- clicks, questions ----------------------------------------------------------------------
  doc.addEventListener("click", function (event) {
    var t = event.target, hit;
    if ((hit = t.closest("[data-open-dialog]"))) { if (hit.dataset.openDialog === "keys") openKeys(); else doc.getElementById(hit.dataset.openDialog).showModal(); return; }
    if (t.closest("[data-toggle-keys]")) { remember("assay:single-keys", recall("assay:single-keys") === "off" ? null : "off"); showKeySwitch(); return; }
    if ((hit = t.closest("[data-theme-set]"))) { theme(hit.dataset.themeSet); return; }
    if ((hit = t.closest("[data-step]"))) { if (hit.dataset.step === "open") nextOpen(); else step(Number(hit.dataset.step)); return; }
    if (t.closest("[data-quote]")) { quote(); return; }
    if ((hit = t.closest("[data-copy], [data-copy-from]"))) {
      copy(hit.dataset.copy || (doc.getElementById(hit.dataset.copyFrom) || {}).textContent || "");
      return;
    }
    if (t.closest("[data-print]")) { print(); return; }
    all("details.menu[open]").forEach(function (m) { if (!m.contains(t)) m.open = false; });
    hit = t.closest(".line[data-line]");
    if (hit && !hit.classList.contains("is-current") && getSelection().isCollapsed) choose(hit, !t.closest("a, button, input, textarea, select, label, summary"));
  });
  // The button must not take the selection away before it is quoted.
  doc.addEventListener("mousedown", function (e) { if (e.target.closest("[data-quote]")) e.preventDefault(); });
  doc.addEventListener("submit", function (event) {
    var form = event.target, dialog = doc.getElementById("confirm"), by = event.submitter;
    var question = (by && by.dataset.confirm) || form.dataset.confirm;
    if (!question || !dialog || form.dataset.confirmed) { delete form.dataset.confirmed; return; }
    event.preventDefault();
    event.stopImmediatePropagation();
    $("[data-confirm-title]", dialog).textContent = (by && by.dataset.confirmTitle) || form.dataset.confirmTitle || question;
    $("[data-confirm-text]", dialog).textContent = (by && by.dataset.confirmTitle) || form.dataset.confirmTitle ? question : "";
    var label = by ? by.cloneNode(true) : null;
    if (label) all(".keys", label).forEach(function (k) { k.remove(); });
    $("[data-confirm-yes]", dialog).textContent = (label ? label.textContent : "OK").replace(/\s*…\s*$/, "").trim();
    dialog.returnValue = "";
    dialog.addEventListener("close", function () {
      if (dialog.returnValue === "yes") { form.dataset.confirmed = "1"; form.requestSubmit(by || undefined); }
    }, { once: true });
    dialog.showModal();
  }, true);

  function theme(name) {
    var root = doc.documentElement;
    if (name === "system") { root.removeAttribute("data-theme"); remember("assay:theme", null); }
    else { root.dataset.theme = name; remember("assay:theme", name); }
    showTheme();
  }
  function showTheme() {
    var now = doc.documentElement.dataset.theme || "system";
    all("[data-theme-set]").forEach(function (b) { b.setAttribute("aria-pressed", String(b.dataset.themeSet === now)); });
  }

  // --- start, and again for what htmx brings --------------------------------------------------
  function start(root) {
    all("[data-count]", root).forEach(counter);
    var summary = $("[data-error-summary]", root) || (root.matches && root.matches("[data-error-summary]") ? root : null);
    if (summary) summary.focus();
    all("[data-toast]", root).forEach(arm);
    markQuotes();
  }
  doc.addEventListener("input", function (event) {
    var el = event.target; // what is copied from a PDF may hold characters nobody sees and nothing stores
    if (typeof el.value === "string" && el.type !== "file" && el.value.indexOf("\0") >= 0) {
      var at = el.selectionStart, before = el.value.slice(0, at).replace(/\0/g, "").length;
      el.value = el.value.replace(/\0/g, "");
      if (at !== null) el.setSelectionRange(before, before);
    }
    all('[data-count-for="' + CSS.escape(event.target.id || "-") + '"]').forEach(counter);
    if (event.target.matches("[data-quote-target]")) markQuotes();
  });
  doc.addEventListener("assay:current", markQuotes);
  doc.addEventListener("htmx:load", function (event) { if (event.detail.elt !== body) start(event.detail.elt); });
  ["htmx:responseError", "htmx:sendError", "htmx:timeout"].forEach(function (name) {
    doc.addEventListener(name, function () { problem(words.failed); });
  });
  // What htmx asks for is refused quietly as well: 409 and 422 bring something to show, others do not.
  doc.addEventListener("htmx:beforeSwap", function (event) {
    var status = statusOf(event.detail.xhr.getResponseHeader("X-Status"), 0);
    if (!status || status === 409 || status === 422) return;
    event.detail.shouldSwap = false;
    if (status === 401) window.assay.signedOut(); else problem(words.failed);
  });
  window.assay = { ask: ask, say: say, toast: toast, problem: problem, fill: fill, words: words, remember: remember, recall: recall };
  showTheme();
  start(doc);
  all("[data-toast] > span").forEach(function (t) { say(t.textContent); });

  // In the history the answer to a form is a question whether to send it again. It takes the address
  // of its page instead, so that Back and Reload bring that page.
  (function () {
    var own = $("[data-fresh]"), from = doc.referrer.indexOf(location.origin + "/") === 0 ? doc.referrer : "";
    var at = own ? own.dataset.fresh : body.dataset.posted || from;
    if ("posted" in body.dataset && at) history.replaceState(history.state, "", at);
  })();
  // A page that was left by sending something from it, or whose lines may have been sent meanwhile,
  // is not shown again from memory as it was.
  var left = false;
  window.addEventListener("submit", function (event) { if (!event.defaultPrevented && event.target.method === "post") left = true; });
  window.addEventListener("pageshow", function (event) {
    var own = $("[data-fresh]");
    if (!event.persisted) return;
    if (own) location.replace(own.dataset.fresh); else if (left) location.reload();
  });
})();
