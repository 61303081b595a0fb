// The exam page: every answer is sent on its own as it is given, with the seconds its question was
// in view. What cannot be sent stays in this browser and goes when the connection is back; the
// server's clock decides. Without this file the page still works: handing in sends everything.
(function () {
  "use strict";
  var doc = document, form = doc.getElementById("exam"), assay = window.assay;
  if (!form || !assay || !window.fetch) return;
  var fill = assay.fill, words = assay.words, store = window.localStorage;
  var PREFIX = "assay:exam:" + (doc.body.dataset.who || "") + ":", HERE = PREFIX + form.dataset.sitting + ":";
  var DELAY = 600, RETRY = 5000, LATE = 30, IDLE = 120000, BEAT = 60;
  var sets = Array.from(form.querySelectorAll("[data-question]"));
  var byKey = new Map(sets.map(function (set) { return [set.dataset.question, set]; }));
  var saved = new Map(), queue = new Map(), seconds = new Map();
  var timer = 0, busy = false, again = false, failed = false, over = false, submitting = false;

  // --- an answer as the pairs it is sent as -----------------------------------------------------
  function fields(set) { return Array.from(set.querySelectorAll("input[name], textarea[name]")); }
  function pairs(set, initial) {
    return fields(set).filter(function (el) {
      return !/^(radio|checkbox)$/.test(el.type) || (initial ? el.defaultChecked : el.checked);
    }).map(function (el) { return [el.name, initial && !/^(radio|checkbox|hidden)$/.test(el.type) ? el.defaultValue : el.value]; });
  }
  function answerOf(set, initial) { return JSON.stringify(pairs(set, initial)); }
  function put(set, given) {
    fields(set).forEach(function (el) {
      var values = given.filter(function (pair) { return pair[0] === el.name; }).map(function (pair) { return pair[1]; });
      if (/^(radio|checkbox)$/.test(el.type)) el.checked = values.indexOf(el.value) >= 0;
      else if (values.length) el.value = values[0];
    });
    if (set.querySelector("[data-order]")) arrange(set);
  }
  sets.forEach(function (set) { saved.set(set.dataset.question, answerOf(set, true)); });

  // --- the queue --------------------------------------------------------------------------------
  function changed(set, soon) {
    var key = set.dataset.question, now = answerOf(set);
    if (now === saved.get(key) && !queue.has(key)) return;
    queue.set(key, { answer: now, at: Date.now() });
    assay.remember(HERE + key, JSON.stringify(queue.get(key)));
    clearTimeout(timer);
    timer = setTimeout(flush, soon ? 0 : DELAY);
  }
  function unsaved(text) {
    var since = Math.min.apply(null, Array.from(queue.values(), function (kept) { return kept.at; }));
    if (queue.size) assay.saving.fail("exam", { since: since, text: text, act: function () { flush(); } });
  }
  function retry() {
    failed = true;
    unsaved();
    clearTimeout(timer);
    timer = setTimeout(flush, RETRY);
  }
  function body() {
    var data = new FormData(), at = Date.now();
    data.append("csrfmiddlewaretoken", form.elements.csrfmiddlewaretoken.value);
    queue.forEach(function (kept, key) {
      var age = Math.floor((at - kept.at) / 1000);
      JSON.parse(kept.answer).forEach(function (pair) { data.append(pair[0], pair[1]); });
      if (failed && age >= LATE) data.append("a-" + key, age); // typed offline: what was typed later elsewhere counts
    });
    seconds.forEach(function (n, key) { if (n) data.append("s-" + key, n); });
    return data;
  }
  function flush(leaving) {
    clearTimeout(timer);
    var waiting = Array.from(seconds.values()).reduce(function (a, b) { return a + b; }, 0);
    if (over || submitting || (!queue.size && !waiting)) return Promise.resolve();
    if (busy) { again = true; return Promise.resolve(); }
    busy = true;
    var sent = new Map(queue), measured = new Map(seconds), answers = sent.size;
    return assay.ask(form.dataset.examSave, {
      method: "POST", body: body(), keepalive: leaving === true,
      headers: { "Accept": "application/json", "X-Autosave": "1", "X-CSRFToken": form.elements.csrfmiddlewaretoken.value },
    }).then(function (response) {
      return response.json().catch(function () { return {}; }).then(function (reply) {
        if (response.ok && !response.redirected) return accepted(sent, measured, reply, answers);
        if (response.status >= 500 || response.status === 429) return retry();
        if (reply.code === "exam_over") return ended();
        if (reply.fields) refused(sent, reply);
        if (reply.code === "csrf" && assay.renew && !renewing) { renewing = true; return assay.renew().then(function (fine) { if (!fine) unsaved(); }); }
        var out = response.status === 401 || response.redirected;
        unsaved(out ? "" : reply.detail || words.failed);
        if (out) assay.signedOut();
      });
    }).catch(retry).finally(function () {
      busy = false;
      if (again) { again = false; clearTimeout(timer); timer = setTimeout(flush, DELAY); }
    });
  }
  var renewing = false; // once: a token refused twice is told
  doc.addEventListener("assay:renewed", function () { if (busy) again = true; else flush(); });
  function drop(key) { queue.delete(key); assay.remember(HERE + key, null); }
  function accepted(sent, measured, reply, answers) {
    failed = renewing = false;
    sent.forEach(function (kept, key) {
      saved.set(key, kept.answer);
      if (queue.get(key) === kept) drop(key); else again = true;
    });
    measured.forEach(function (n, key) { seconds.set(key, (seconds.get(key) || 0) - n); });
    if (answers) assay.saving.done("exam", fill(words.saved, { t: reply.saved_at })); else assay.saving.forget("exam");
    if (reply.older && reply.older.length) assay.problem(fill(form.dataset.older, { n: reply.older.join(", ") }));
    if (reply.seconds_left !== undefined) left = reply.seconds_left * 1000 + performance.now();
    garbled(reply.unreadable || []);
  }
  function refused(sent, reply) {
    sent.forEach(function (kept, key) { if (reply.fields[key] && queue.get(key) === kept) drop(key); });
    if (queue.size) again = true;
  }
  function ended() {
    over = true;
    Array.from(queue.keys()).forEach(drop);
    location.reload(); // the server shows the result
  }

  // --- putting items in order -------------------------------------------------------------------
  function items(set) { return Array.from(set.querySelectorAll("[data-item]")); }
  function rankOf(item) { return Number(item.querySelector("input").value) || 1e6; }
  function arrange(set) {
    var list = set.querySelector("[data-order]");
    items(set).sort(function (a, b) { return rankOf(a) - rankOf(b); }).forEach(function (item) { list.append(item); });
  }
  function number(set) {
    items(set).forEach(function (item, at) { item.querySelector("input").value = at + 1; });
    changed(set, true);
    showCount();
  }
  form.addEventListener("click", function (event) {
    var button = event.target.closest("[data-move], [data-keep]"), set = button && button.closest("[data-question]");
    if (!button) return;
    if (button.matches("[data-keep]")) { arrange(set); number(set); return; }
    arrange(set);
    var item = button.closest("[data-item]"), up = button.dataset.move === "up";
    var other = up ? item.previousElementSibling : item.nextElementSibling;
    if (other) { if (up) other.before(item); else other.after(item); }
    number(set);
    button.focus();
    assay.say(fill(form.dataset.moved, { t: item.querySelector("[data-item-text]").textContent, n: items(set).indexOf(item) + 1 }));
  });
  form.querySelectorAll("[data-with-script]").forEach(function (el) { el.hidden = false; });

  // --- the count --------------------------------------------------------------------------------
  function isAnswered(set) {
    if (set.querySelector("[data-order]")) {
      var ranks = items(set).map(rankOf).sort(function (a, b) { return a - b; });
      return ranks.every(function (rank, at) { return rank === at + 1; });
    }
    return fields(set).some(function (el) {
      if (el.type === "hidden") return false;
      return el.type === "radio" || el.type === "checkbox" ? el.checked : el.value.trim() && set.dataset.garbled !== "1";
    });
  }
  var ticks = doc.querySelectorAll("[data-ticks] i"), count = doc.querySelector("[data-answered]"), button = doc.querySelector("[data-hand-in]");
  function showCount() {
    var done = 0;
    sets.forEach(function (set, at) {
      var answered = isAnswered(set), line = set.closest("[data-line]");
      done += answered ? 1 : 0;
      line.dataset.state = answered ? "done" : "open";
      if (ticks[at]) ticks[at].className = (answered ? "t-done" : "t-open") + (line.classList.contains("is-current") ? " is-current" : "");
    });
    count.textContent = fill(count.dataset.answered, { a: done, b: sets.length });
    button.classList.toggle("btn-primary", done === sets.length);
  }
  function garbled(bad) {
    sets.forEach(function (set, at) {
      var note = set.querySelector("[data-unreadable]");
      if (!note) return;
      var unreadable = bad.indexOf(at + 1) >= 0;
      set.dataset.garbled = unreadable ? "1" : "";
      note.hidden = !unreadable;
    });
    showCount();
  }
  ["input", "change"].forEach(function (name) {
    form.addEventListener(name, function (event) {
      var set = event.target.closest("[data-question]");
      if (!set) return;
      showCount();
      changed(set, name === "change");
    });
  });
  doc.addEventListener("assay:current", showCount);

  // --- handing in: only what is not saved goes along ------------------------------------------------
  // Two tabs may show the same exam; what this one never touched must not replace the other's.
  form.addEventListener("formdata", function (event) {
    sets.forEach(function (set) {
      var key = set.dataset.question;
      if (!queue.has(key)) fields(set).forEach(function (el) { event.formData.delete(el.name); });
      if (seconds.get(key)) event.formData.append("s-" + key, seconds.get(key));
    });
  });
  form.addEventListener("submit", function (event) {
    if (navigator.onLine) { submitting = true; return; }
    event.preventDefault();
    assay.saving.fail("step", { text: form.dataset.offline, act: function () { form.requestSubmit(button); } });
  });
  window.addEventListener("pageshow", function () { submitting = false; });

  // --- the clock ----------------------------------------------------------------------------------
  // Counted from the server's time, because the clock of a computer may be wrong.
  var clock = doc.querySelector("[data-deadline]"), told = {}, finishing = false;
  var left = new Date(clock.dataset.deadline) - new Date(clock.dataset.now) + performance.now();
  function tick() {
    var rest = Math.ceil((left - performance.now()) / 1000);
    view();
    setTimeout(tick, 1000);
    if (rest <= 0) {
      clock.textContent = clock.dataset.over;
      if (!finishing && navigator.onLine) { finishing = true; flush().finally(handIn); }
      return;
    }
    var minutes = Math.ceil(rest / 60), text = Math.floor(rest / 60) + ":" + String(rest % 60).padStart(2, "0");
    clock.textContent = rest > 300 ? fill(clock.dataset.minutes, { n: minutes }) : fill(clock.dataset.clock, { c: text });
    clock.classList.toggle("is-late", rest <= 300);
    [10, 5, 1].forEach(function (n) {
      if (rest <= n * 60 && !told[n]) { told[n] = true; if (rest > n * 60 - 30) assay.say(fill(clock.dataset[n === 1 ? "soonOne" : "soon"], { n: n }), n === 1); }
    });
  }
  function handIn() {
    if (over) return;
    var yes = doc.createElement("input");
    yes.type = "hidden"; yes.name = "confirmed"; yes.value = "1";
    form.append(yes);
    form.requestSubmit();
  }
  // The question in view is the current one, or else the one in the middle of the window.
  var active = Date.now();
  ["keydown", "pointermove", "scroll", "input"].forEach(function (name) { doc.addEventListener(name, function () { active = Date.now(); }, { passive: true }); });
  function view() {
    if (doc.visibilityState !== "visible" || Date.now() - active > IDLE) return;
    var middle = innerHeight / 2;
    function away(set) { var r = set.getBoundingClientRect(); return r.top > middle ? r.top - middle : Math.max(0, middle - r.bottom); }
    var current = form.querySelector(".line.is-current [data-question]"), box = current && current.getBoundingClientRect();
    var set = box && box.bottom > 0 && box.top < innerHeight ? current : sets.slice().sort(function (a, b) { return away(a) - away(b); })[0];
    seconds.set(set.dataset.question, (seconds.get(set.dataset.question) || 0) + 1);
    var sum = Array.from(seconds.values()).reduce(function (a, b) { return a + b; }, 0);
    if (sum >= BEAT && !busy && !failed) flush();
  }

  // --- what an earlier visit could not send ---------------------------------------------------------
  function resume() {
    var found = 0;
    Object.keys(store).filter(function (name) { return name.indexOf(PREFIX) === 0; }).forEach(function (name) {
      var set = name.indexOf(HERE) === 0 && byKey.get(name.slice(HERE.length)), kept;
      try { kept = JSON.parse(assay.recall(name) || "null"); } catch (broken) { kept = null; }
      if (!set || !kept) { assay.remember(name, null); return; }
      if (queue.has(set.dataset.question)) return; // answered anew while this file was loading
      if (kept.answer === saved.get(set.dataset.question)) { assay.remember(name, null); return; }
      put(set, JSON.parse(kept.answer));
      queue.set(set.dataset.question, kept);
      found += 1;
    });
    if (found) { failed = true; assay.say(fill(form.dataset.resumed, { n: found })); flush(); }
  }
  sets.forEach(function (set) { if (set.querySelector("[data-unreadable]:not([hidden])")) set.dataset.garbled = "1"; });
  // An answer given while this file was still loading differs from what the server wrote into the
  // page, because the form restores nothing (autocomplete is off).
  sets.forEach(function (set) { changed(set, true); });
  try { resume(); } catch (closed) { /* a browser that keeps nothing still sends as it goes */ }
  doc.addEventListener("visibilitychange", function () { if (doc.visibilityState === "hidden") flush(true); });
  window.addEventListener("online", function () { assay.saving.forget("step"); flush(); });
  window.addEventListener("offline", function () { failed = true; });
  doc.addEventListener("focusout", function (event) { if (form.contains(event.target) && queue.size) flush(); });
  showCount();
  tick();
})();
