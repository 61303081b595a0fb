// The state of saving, said in one place for every page. While all is saved it is quiet: the time in
// .saved[data-saved], on phones in the strip. Else the strip says since when, why, and what to do; it
// stays in sight, and each new trouble is announced once.
(function () {
  "use strict";
  var doc = document, assay = window.assay, strip = doc.getElementById("saving");
  if (!assay || !strip) return;
  var words = assay.words, fill = assay.fill;
  var troubles = new Map(); // what is not saved -> { since, text, aloud, label, act }
  var away = "", known = "", timer = 0; // "signedOut", "otherPerson"; what was announced last
  var part = function (name) { return strip.querySelector("[data-saving-" + name + "]"); };
  var places = function () { return Array.from(doc.querySelectorAll(".saved[data-saved]")); };
  var quiet = function () { return places().map(function (el) { return el.textContent; })[0] || ""; };
  var last = function () { // with words of its own before those that only wait for the line
    var all = Array.from(troubles.values());
    return all.filter(function (t) { return t.text; }).pop() || all.pop();
  };

  function ago(since) {
    var n = Math.floor((Date.now() - since) / 60000);
    return n < 1 ? "" : n === 1 ? words.minute : n < 120 ? fill(words.minutes, { n: n }) : fill(words.hours, { n: Math.floor(n / 60) });
  }
  function head() {
    if (!troubles.size) return "";
    var since = Math.min.apply(null, Array.from(troubles.values(), function (t) { return t.since; })), time = ago(since);
    var at = new Date(since).toLocaleTimeString([], { hour: "2-digit", minute: "2-digit", hourCycle: "h23" });
    return time ? fill(words.unsavedFor, { t: at, d: time }) : fill(words.unsaved, { t: at });
  }
  function why() {
    var trouble = last();
    if (away) return words[away];
    if (trouble && trouble.text) return trouble.text;
    if (!navigator.onLine && (trouble || places().length)) return words.offline;
    return trouble ? words.noAnswer : "";
  }
  function write(el, text) { if (el.textContent !== text) el.textContent = text; }
  function show() {
    var reason = why(), trouble = last(), act = part("act");
    strip.classList.toggle("is-quiet", !reason);
    strip.hidden = !reason && !quiet();
    write(part("head"), head());
    write(part("why"), reason || quiet());
    part("sign-in").hidden = away !== "signedOut";
    act.hidden = away === "signedOut" || !trouble || !trouble.act;
    write(act, (trouble && trouble.label) || words.again);
    act.removeAttribute("aria-busy");
    clearTimeout(timer);
    timer = setTimeout(announce, 50); // what happens at once is said in one sentence
  }
  function announce() {
    var reason = why(), trouble = last(), now = reason && [reason, troubles.size > 0].join();
    if (now && now !== known) assay.say([head(), away ? reason : (trouble && trouble.aloud) || reason].filter(Boolean).join(": "), true);
    if (!now && known) assay.say(quiet());
    known = now;
  }
  // Of what is not saved, all that only waits is tried again; what asks for a decision is opened.
  part("act").addEventListener("click", function (event) {
    var trouble = last(), all = Array.from(troubles.values());
    known = "";
    event.target.setAttribute("aria-busy", "true");
    (trouble && trouble.label ? [trouble] : all.filter(function (t) { return t.act && !t.label; })).forEach(function (t) { t.act(); });
  });

  assay.saving = {
    // Words for the quiet place: "Saved 12:03:22", "Saving …".
    say: function (text) { places().forEach(function (el) { write(el, text); }); show(); },
    // Something is not saved. trouble: since; text, if it is not the line; act, and its label.
    fail: function (what, trouble) {
      var before = troubles.get(what) || {};
      troubles.delete(what); // the newest is said
      troubles.set(what, Object.assign({}, trouble, { since: before.since || trouble.since || Date.now() }));
      show();
    },
    done: function (what, text) {
      away = "";
      troubles.delete(what);
      troubles.delete("step"); // a step that did not go through changed nothing
      assay.saving.say(text);
    },
    forget: function (what) { if (troubles.delete(what)) show(); },
    away: function (reason) { away = reason; show(); },
  };
  assay.signedOut = function () { assay.saving.away("signedOut"); };
  doc.addEventListener("assay:renewed", function () { assay.saving.away(""); });
  doc.addEventListener("assay:page", show);
  ["online", "offline"].forEach(function (name) { window.addEventListener(name, show); });
  setInterval(function () { if (troubles.size) write(part("head"), head()); }, 5000);
  // What sticks below makes room, whatever the strip says and however wide the window is.
  new ResizeObserver(function () { doc.documentElement.style.setProperty("--strip", strip.offsetHeight + "px"); }).observe(strip);
  show();
})();
