// The exam page: the clock, the count of answers, and sending only what changed in this tab.
// Without this file the page still works: it names the deadline, and handing in sends everything.
(function () {
  "use strict";
  var doc = document, form = doc.getElementById("exam"), assay = window.assay;
  if (!form || !assay) return;
  var fill = assay.fill;

  // --- only what changed ----------------------------------------------------------------------
  // Two tabs may show the same exam. Each sends the answers it changed, so that neither wipes out
  // what the other one saved.
  function answerOf(set, initial) {
    return JSON.stringify(Array.from(set.querySelectorAll("input:not([type=hidden])"), function (el) {
      if (el.type === "radio" || el.type === "checkbox") return initial ? el.defaultChecked : el.checked;
      return initial ? el.defaultValue : el.value;
    }));
  }
  var sets = Array.from(form.querySelectorAll("[data-question]")), saved = new Map(), sent = null;
  sets.forEach(function (set) { saved.set(set, answerOf(set, true)); });
  form.addEventListener("formdata", function (event) {
    sent = new Map();
    sets.forEach(function (set) {
      var now = answerOf(set), key = set.dataset.question;
      sent.set(set, now);
      if (now === saved.get(set)) { event.formData.delete("q-" + key); event.formData.delete("m-" + key); }
    });
  });
  form.addEventListener("assay:saved", function () { if (sent) saved = sent; });

  // --- the count ------------------------------------------------------------------------------
  function isAnswered(set) {
    return Array.from(set.querySelectorAll("input:not([type=hidden])")).some(function (el) {
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
  ["input", "change"].forEach(function (name) { form.addEventListener(name, showCount); });
  doc.addEventListener("assay:current", showCount);
  form.addEventListener("assay:saved", function (event) {
    var bad = event.detail.unreadable || [];
    sets.forEach(function (set, at) {
      var note = set.querySelector("[data-unreadable]");
      if (!note) return;
      var unreadable = bad.indexOf(at + 1) >= 0;
      set.dataset.garbled = unreadable ? "1" : "";
      note.hidden = !unreadable;
    });
    showCount();
  });

  // --- the clock ------------------------------------------------------------------------------
  // Counted from the server's time at loading, because the clock of a computer may be wrong.
  var timer = doc.querySelector("[data-deadline]"), loaded = performance.now();
  var length = new Date(timer.dataset.deadline) - new Date(timer.dataset.now), told = {}, ended = false;
  function tick() {
    var left = Math.ceil((length - (performance.now() - loaded)) / 1000);
    if (left <= 0) {
      timer.textContent = timer.dataset.over;
      if (!ended) { ended = true; handIn(); }
      return;
    }
    var minutes = Math.ceil(left / 60), clock = Math.floor(left / 60) + ":" + String(left % 60).padStart(2, "0");
    timer.textContent = left > 300 ? fill(timer.dataset.minutes, { n: minutes }) : fill(timer.dataset.clock, { c: clock });
    timer.classList.toggle("is-late", left <= 300);
    [5, 1].forEach(function (n) {
      if (left <= n * 60 && !told[n]) { told[n] = true; if (left > n * 60 - 30) assay.say(fill(timer.dataset.soon, { n: n }), true); }
    });
    setTimeout(tick, 1000);
  }
  function handIn() {
    var yes = doc.createElement("input");
    yes.type = "hidden"; yes.name = "confirmed"; yes.value = "1";
    form.append(yes);
    form.requestSubmit();
  }
  sets.forEach(function (set) { if (set.querySelector("[data-unreadable]:not([hidden])")) set.dataset.garbled = "1"; });
  showCount();
  tick();
})();
