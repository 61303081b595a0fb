// Saves forms marked data-autosave while people type. What could not be sent stays in this browser,
// under one key per person and form, until the server has it or the person discards it.
// POST of the form, JSON back: 200 {saved_at, version}, 409 {detail, yours, theirs, version, at}.
(function () {
  "use strict";
  var doc = document, body = doc.body, assay = window.assay;
  if (!assay || !window.fetch) return;
  var words = assay.words, fill = assay.fill, states = new WeakMap();
  var SKIP = /^(csrfmiddlewaretoken|version|next|comment|why|limits_reason|because-.*)$/;
  var pending = new Map(); // address -> the form whose save is on its way or failed; it may have left the page
  var DELAY = 800, RETRY = 15000, HANGS = 10000, KEEP_DAYS = 30;
  var forms = function () { return Array.from(doc.querySelectorAll("form[data-autosave]")); };
  var address = function (form) { return form.dataset.autosave || form.getAttribute("action") || location.pathname; };
  var keyOf = function (form) { return "assay:text:" + (body.dataset.who || "") + ":" + address(form); };
  var versionOf = function (form) { return form.elements.version ? form.elements.version.value : ""; };
  var clock = function (at) {
    var date = at ? new Date(at) : new Date();
    if (at && isNaN(date)) return String(at);
    return date.toLocaleTimeString([], { hour12: false });
  };
  var day = function (at) { var lang = doc.documentElement.lang; return new Date(at).toLocaleString(lang === "en" ? "en-GB" : lang, { weekday: "short", day: "numeric", month: "short", hour: "2-digit", minute: "2-digit", hourCycle: "h23" }); };
  function state(form) {
    if (!states.has(form)) states.set(form, { timer: 0, sent: snapshot(form), busy: false, again: false, conflict: null });
    return states.get(form);
  }
  function values(form) {
    var found = {};
    Array.from(form.elements).forEach(function (el) {
      if (!el.name || SKIP.test(el.name) || /^(password|file|submit|button|image)$/.test(el.type)) return;
      if (el.type === "radio" || el.type === "checkbox") { found[el.name] = found[el.name] || []; if (el.checked) found[el.name].push(el.value); }
      else if (el.tagName === "SELECT" && el.multiple) found[el.name] = Array.from(el.selectedOptions, function (o) { return o.value; });
      else found[el.name] = el.value;
    });
    return found;
  }
  var snapshot = function (form) { return JSON.stringify(values(form)); };
  function put(form, fields) {
    Array.from(form.elements).forEach(function (el) {
      if (!el.name || !(el.name in fields) || SKIP.test(el.name)) return;
      var value = fields[el.name];
      if (el.type === "radio" || el.type === "checkbox") el.checked = [].concat(value).map(String).indexOf(el.value) >= 0;
      else if (el.tagName === "SELECT" && el.multiple) Array.from(el.options).forEach(function (o) { o.selected = value.indexOf(o.value) >= 0; });
      else if (el.type !== "file") el.value = value === null ? "" : value;
    });
    form.dispatchEvent(new CustomEvent("assay:filled", { bubbles: true }));
    Array.from(form.elements).forEach(function (el) { if (el.name in fields) el.dispatchEvent(new Event("input", { bubbles: true })); });
  }
  function unsaved(form, trouble) {
    var again = function () { return save(form); };
    keep(form);
    assay.saving.fail(address(form), Object.assign({ since: state(form).since, act: again }, trouble));
  }
  function undone(form, s) { // typed back to what is saved
    s.since = 0;
    faults(form, {});
    assay.saving.forget(address(form));
  }
  function waits(form) { // the line is down, or the server
    unsaved(form, {});
    state(form).timer = setTimeout(function () { save(form); }, RETRY);
  }
  function keep(form) {
    var text = JSON.stringify({ at: Date.now(), version: versionOf(form), fields: values(form) });
    return assay.remember(keyOf(form), text);
  }

  // --- sending --------------------------------------------------------------------------------
  function changed(form, now) {
    var s = state(form);
    clearTimeout(s.timer);
    if (s.conflict) { keep(form); return; }
    if (snapshot(form) === s.sent) { if (!s.busy) undone(form, s); return; }
    s.since = s.since || Date.now();
    keep(form);
    if (now) { save(form); return; }
    s.timer = setTimeout(function () { save(form); }, DELAY);
  }
  function save(form, without) {
    var s = state(form), now = snapshot(form), data = new FormData(form);
    clearTimeout(s.timer);
    if (s.conflict || form.dataset.submitting || now === s.sent || (!without && now === s.refused)) return Promise.resolve();
    if (s.busy) { s.again = "now"; return Promise.resolve(); }
    s.busy = true;
    if (without) now = leaveOut(data, now, s.sent, without);
    pending.set(address(form), form);
    var lost = false;
    var slow = [setTimeout(function () { assay.saving.say(words.saving); }, 1000), setTimeout(function () { unsaved(form, {}); }, HANGS)];
    var token = form.elements.csrfmiddlewaretoken;
    s.running = assay.ask(address(form), {
      method: "POST", body: data, keepalive: now.length < 50000, // outlives the page: somebody may leave while it is on its way
      headers: { "Accept": "application/json", "X-Autosave": "1", "X-CSRFToken": token ? token.value : "" },
    }).then(function (response) {
      return response.json().catch(function () { return {}; }).then(function (reply) { answered(form, s, now, response, reply, without); });
    }).catch(function () {
      lost = true;
      waits(form);
    }).finally(function () {
      slow.forEach(clearTimeout);
      s.busy = false;
      var then = s.then;
      s.then = null;
      if (then && !lost && !s.conflict) { s.again = false; then(); return; }
      if (s.again) { var soon = s.again === "now" && !lost; s.again = false; changed(form, soon); }
    });
    return s.running;
  }
  // Texts of other forms under this address that were never sent: [{address, at, fields}].
  assay.kept = function (under) {
    var head = "assay:text:" + (body.dataset.who || "") + ":", found = [];
    Object.keys(window.localStorage || {}).forEach(function (key) {
      if (key.indexOf(head + under) !== 0 || pending.has(key.slice(head.length))) return;
      var text;
      try { text = JSON.parse(assay.recall(key)); } catch (broken) { return; }
      if (text && text.fields && Date.now() - text.at < KEEP_DAYS * 864e5) found.push({ key: key, address: key.slice(head.length), at: day(text.at), fields: text.fields });
    });
    return found;
  };
  // Everything typed is with the server: true. Something could not be stored or must be decided: false.
  function allSaved() {
    var left = Array.from(pending.values()).filter(function (form) { return !form.isConnected; });
    return Promise.all(forms().concat(left).map(function (form) {
      var s = state(form);
      return Promise.resolve(s.busy ? s.running : null).then(function () { return save(form); }).then(function () { return !s.conflict && (form.dataset.submitting || snapshot(form) === s.sent); });
    })).then(function (all) { return all.every(Boolean); });
  }
  assay.settle = allSaved;
  // A field the server refuses must not hold back the others: they go without it.
  function leaveOut(data, now, sent, names) {
    var fields = JSON.parse(now), before = JSON.parse(sent);
    names.forEach(function (name) {
      data.delete(name);
      fields[name] = before[name];
      [].concat(before[name] === undefined ? [] : before[name]).forEach(function (value) { data.append(name, value); });
    });
    return JSON.stringify(fields);
  }
  // Each refused field says why, below itself; the bar, which is always in sight, says which.
  function faults(form, fields) {
    form.querySelectorAll("[data-fault]").forEach(function (note) {
      var of = form.elements[note.dataset.fault];
      of = of && of.length && !of.tagName ? of[0] : of;
      if (of) { of.removeAttribute("aria-invalid"); of.removeAttribute("aria-errormessage"); }
      note.remove();
    });
    Object.keys(fields).forEach(function (name) {
      var el = form.elements[name], note = doc.createElement("p"), box;
      el = el && el.length && !el.tagName ? el[0] : el;
      if (!el) return;
      box = el.closest("fieldset") || el;
      note.className = "field-error"; note.dataset.fault = name; note.id = (el.id || name) + "-fault";
      note.textContent = [].concat(fields[name]).join(" ");
      el.setAttribute("aria-invalid", "true"); el.setAttribute("aria-errormessage", note.id);
      if (box === el) box.after(note); else box.append(note);
    });
  }
  function answered(form, s, sent, response, reply, without) {
    if (response.ok && !response.redirected) {
      s.sent = sent;
      s.renewed = false;
      if (without) {
        s.refused = snapshot(form);
        if (form.elements.version && reply.version !== undefined) form.elements.version.value = reply.version;
        pending.delete(address(form));
        unsaved(form, s.fault);
        form.dispatchEvent(new CustomEvent("assay:saved", { bubbles: true, detail: reply }));
        return;
      }
      s.refused = null;
      faults(form, {});
      pending.delete(address(form));
      if (form.elements.version && reply.version !== undefined) form.elements.version.value = reply.version;
      s.since = 0;
      assay.saving.done(address(form), fill(words.saved, { t: clock(reply.saved_at) }));
      if (snapshot(form) === sent) assay.remember(keyOf(form), null); else { s.since = Date.now(); keep(form); s.again = s.again || true; }
      form.dispatchEvent(new CustomEvent("assay:saved", { bubbles: true, detail: reply }));
      return;
    }
    keep(form);
    var out = response.status === 401 || response.redirected, away = response.status >= 502 && response.status <= 504;
    if (!out && !away && reply.code !== "csrf") pending.delete(address(form)); // asking again gets the same answer
    if (response.status === 409 && reply.theirs !== undefined) { s.conflict = reply; decide(form); return; }
    if (away) { waits(form); return; }
    var names = Object.keys(reply.fields || {}).filter(function (name) { return form.elements[name]; });
    if (names.length && !without) {
      s.refused = sent;
      faults(form, reply.fields);
      s.fault = fault(form, names, reply.fields);
      unsaved(form, s.fault);
      if (leaveOut(new FormData(), sent, s.sent, names) !== s.sent) s.then = s.then || function () { save(form, names); };
      return;
    }
    if (reply.code === "csrf" && assay.renew && !s.renewed) { s.renewed = true; assay.renew().then(function (fine) { if (!fine) unsaved(form, {}); }); return; }
    unsaved(form, out ? {} : { text: reply.detail || words.failed });
    if (out) assay.signedOut();
  }
  function fault(form, names, fields) {
    var text = fill(words.refused, { d: names.map(function (name) { return labelOf(form, name); }).join(", ") });
    return { text: text, aloud: [text].concat(names.map(function (name) { return [].concat(fields[name]).join(" "); })).join(" "), label: words.showField, act: function () {
      var el = form.querySelector("[aria-invalid=true]");
      if (el) el.focus();
    } };
  }
  doc.addEventListener("assay:renewed", retry);

  // --- two versions ---------------------------------------------------------------------------
  var dialog = doc.getElementById("conflict"), asking = null;
  function asFields(form, value, like) {
    if (value && typeof value === "object") return value;
    var name = form.dataset.autosaveField || Object.keys(like || {})[0] || (form.querySelector("textarea[name]") || {}).name;
    var fields = {};
    fields[name] = value === null || value === undefined ? "" : String(value);
    return fields;
  }
  function labelOf(form, name) {
    var el = form.elements[name];
    el = el && el.length && !el.tagName ? el[0] : el;
    var label = el && el.labels && el.labels[0];
    return label ? label.textContent.trim() : name;
  }
  // What two texts do not share, between their common beginning and end, on word borders.
  function marked(box, text, other) {
    var a = 0, b = 0, max = Math.min(text.length, other.length);
    while (a < max && text[a] === other[a]) a++;
    while (a > 0 && a < text.length && /\w/.test(text[a - 1]) && /\w/.test(text[a] || " ")) a--;
    while (b < max - a && text[text.length - 1 - b] === other[other.length - 1 - b]) b++;
    while (b > 0 && /\w/.test(text[text.length - b]) && /\w/.test(text[text.length - b - 1] || " ")) b--;
    var ins = doc.createElement("ins");
    ins.textContent = text.slice(a, text.length - b);
    box.append(text.slice(0, a), ins.textContent ? ins : "", text.slice(text.length - b));
  }
  function decide(form) {
    var s = state(form), reply = s.conflict;
    if (!dialog || dialog.open) return;
    var theirs = asFields(form, reply.theirs), mine = values(form), names = Object.keys(theirs).filter(function (n) {
      return n in mine && JSON.stringify([].concat(mine[n]).map(String)) !== JSON.stringify([].concat(theirs[n] === null ? "" : theirs[n]).map(String));
    });
    if (!names.length) { settle(form, mine, reply.version); return; } // both typed the same
    asking = { form: form, theirs: theirs, one: names.length === 1 && typeof mine[names[0]] === "string" ? names[0] : null };
    var left = dialog.querySelector("[data-conflict-mine]"), right = dialog.querySelector("[data-conflict-theirs]");
    left.textContent = right.textContent = "";
    names.forEach(function (name) {
      if (names.length > 1) [left, right].forEach(function (box) { var h = doc.createElement("h3"); h.textContent = labelOf(form, name); box.append(h); });
      var m = [].concat(mine[name]).join(", "), t = [].concat(theirs[name] === null ? "" : theirs[name]).join(", ");
      [[left, m, t], [right, t, m]].forEach(function (side) { var p = doc.createElement("p"); marked(p, side[1], side[2]); side[0].append(p); });
    });
    dialog.querySelector("[data-conflict-detail]").textContent = reply.detail || "";
    dialog.querySelector("[data-conflict-at]").textContent = reply.at ? day(reply.at) === "Invalid Date" ? reply.at : day(reply.at) : "";
    dialog.querySelector("[data-conflict-edit]").hidden = !asking.one;
    chosen("mine");
    unsaved(form, { text: words.twoVersions, label: words.compare, act: function () { decide(form); } });
    dialog.showModal();
    dialog.focus();
  }
  function chosen(side) {
    dialog.querySelectorAll("[data-conflict-side]").forEach(function (el) { el.classList.toggle("is-chosen", el.dataset.conflictSide === side); });
    asking.side = side;
    if (asking.one) doc.getElementById("conflict-text").value = side === "mine" ? values(asking.form)[asking.one] : asking.theirs[asking.one];
  }
  // Goes on from the server's version with these fields; saves them if they differ from it.
  function settle(form, fields, version) {
    var s = state(form);
    s.conflict = null;
    if (form.elements.version) form.elements.version.value = version;
    put(form, fields);
    return save(form);
  }
  function choose(what) {
    var ask = asking, form = ask.form, s = state(form), mine = values(form), reply = s.conflict;
    asking = null;
    dialog.close();
    if (what === "later") { keep(form); return; }
    if (what === "mine") {
      var fields = ask.side === "theirs" && !ask.one ? ask.theirs : mine;
      if (ask.one) fields = Object.assign({}, mine, JSON.parse(JSON.stringify({ [ask.one]: doc.getElementById("conflict-text").value })));
      settle(form, fields, reply.version);
      return;
    }
    s.sent = JSON.stringify(Object.assign({}, mine, ask.theirs));
    settle(form, ask.theirs, reply.version);
    s.sent = snapshot(form);
    assay.remember(keyOf(form), null);
    assay.saving.done(address(form), fill(words.saved, { t: clock(reply.at) }));
    assay.toast(words.tookTheirs, words.undo, function () { put(form, mine); });
  }
  if (dialog) {
    dialog.addEventListener("click", function (event) {
      var button = event.target.closest("[data-conflict-choice]");
      if (button) choose(button.dataset.conflictChoice);
    });
    dialog.addEventListener("cancel", function (event) { event.preventDefault(); if (asking) choose("later"); });
    dialog.addEventListener("keydown", function (event) {
      var typing = event.target.tagName === "TEXTAREA";
      if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) choose("mine");
      else if (!typing && event.key === "1") chosen("mine");
      else if (!typing && event.key === "2") chosen("theirs");
      else return;
      event.preventDefault();
    });
  }

  // --- text kept from an earlier visit --------------------------------------------------------
  function offer(form) {
    var kept;
    try { kept = JSON.parse(assay.recall(keyOf(form)) || "null"); } catch (broken) { kept = null; }
    if (!kept || pending.has(address(form))) return;
    var now = values(form), differs = Object.keys(kept.fields).some(function (n) { return n in now && JSON.stringify(now[n]) !== JSON.stringify(kept.fields[n]); });
    var sentSince = kept.submitted && kept.version !== versionOf(form);
    if (!differs || sentSince || Date.now() - kept.at > KEEP_DAYS * 864e5) { assay.remember(keyOf(form), null); return; }
    var note = doc.createElement("div"), p = doc.createElement("p"), actions = doc.createElement("div");
    note.className = "note note-wait"; note.setAttribute("role", "status"); actions.className = "actions";
    p.textContent = fill(words.found, { t: day(kept.at) });
    var compare = [words.compare, "btn btn-small", function () { // as with a stale save: neither is lost
      put(form, kept.fields);
      state(form).conflict = { theirs: now, version: versionOf(form), detail: p.textContent, at: "" };
      decide(form);
    }];
    (dialog ? [compare] : []).concat([[words.use, "btn btn-small", function () { put(form, kept.fields); changed(form); }],
      [words.discard, "btn btn-small btn-plain", function () {
        var text = assay.recall(keyOf(form));
        assay.remember(keyOf(form), null);
        assay.toast(words.discarded, words.undo, function () { assay.remember(keyOf(form), text); offer(form); });
      }]]).forEach(function (choice) {
      var button = doc.createElement("button");
      button.type = "button"; button.textContent = choice[0]; button.className = choice[1];
      button.addEventListener("click", function () { note.remove(); choice[2](); });
      actions.append(button);
    });
    note.append(p, actions);
    form.prepend(note);
  }

  // --- events ---------------------------------------------------------------------------------
  var formOf = function (event) { return event.target.closest && event.target.closest("form[data-autosave]"); };
  // A choice is made in one step, so it is saved at once; words are, when somebody stops typing.
  ["input", "change"].forEach(function (name) {
    doc.addEventListener(name, function (event) {
      var form = (event.target.form && event.target.form.matches("[data-autosave]")) ? event.target.form : formOf(event);
      if (form) changed(form, name === "change" && event.target.matches("select, [type=radio], [type=checkbox]"));
    });
  });
  doc.addEventListener("focusout", function (event) { var form = formOf(event); if (form && states.has(form)) save(form); });
  doc.addEventListener("submit", function (event) {
    var form = formOf(event);
    if (!form || event.defaultPrevented) return;
    clearTimeout(state(form).timer);
    if (state(form).busy) { // what is on its way brings the version this must be sent with
      event.preventDefault();
      var by = event.submitter;
      state(form).then = function () { // the save may have brought a new button in the old one's place
        if (by && !by.isConnected) by = by.id && doc.getElementById(by.id);
        form.requestSubmit(by && by.form === form ? by : undefined);
      };
      return;
    }
    form.dataset.submitting = "1";
    var kept = JSON.parse(assay.recall(keyOf(form)) || "null");
    if (kept) { kept.submitted = true; assay.remember(keyOf(form), JSON.stringify(kept)); }
  });
  doc.addEventListener("htmx:afterRequest", function (event) { var form = formOf(event); if (form) { delete form.dataset.submitting; if (event.detail.successful && !event.detail.xhr.getResponseHeader("X-Status")) { state(form).sent = snapshot(form); assay.remember(keyOf(form), null); } } });
  window.addEventListener("pageshow", function () { forms().forEach(function (form) { delete form.dataset.submitting; }); });
  doc.addEventListener("visibilitychange", function () { if (doc.visibilityState === "hidden") forms().forEach(function (f) { if (states.has(f)) save(f); }); });
  function retry() {
    var left = Array.from(pending.values()).filter(function (form) { return !form.isConnected; });
    forms().concat(left).forEach(function (form) { if (states.has(form)) save(form); });
  }
  window.addEventListener("online", retry);
  doc.addEventListener("htmx:load", function (event) {
    var root = event.detail.elt;
    [root].concat(Array.from(root.querySelectorAll("form[data-autosave]"))).forEach(function (form) {
      if (form.matches("form[data-autosave]") && !states.has(form)) { state(form); offer(form); }
    });
  });
  forms().forEach(function (form) { if (!states.has(form)) { state(form); offer(form); } });
})();
