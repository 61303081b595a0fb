// Signing in again, in another tab, changes the token every form is sent with. A page that stood
// open meanwhile takes the new one, so that what was typed in it can still be saved and sent: but
// only for the same person.
(function () {
  "use strict";
  var doc = document, body = doc.body, assay = window.assay, who = body.dataset.who, words = assay && assay.words;
  if (!assay || !who || !window.fetch) return;
  var mark = function () { return (/(?:^|; )csrftoken=([^;]+)/.exec(doc.cookie) || [])[1] || ""; };
  var known = mark(), asking = null;
  function take(token) {
    doc.querySelectorAll("input[name=csrfmiddlewaretoken]").forEach(function (input) { input.value = token; });
    body.setAttribute("hx-headers", JSON.stringify({ "X-CSRFToken": token, "X-Quiet": "1" }));
  }
  // True when this page's forms can be sent (again).
  function renew() {
    if (asking) return asking;
    var now = mark();
    asking = assay.ask("/preferences/", { headers: { "Accept": "text/html" } }).then(function (answer) {
      if (!answer.ok || answer.redirected) { assay.signedOut(); return false; } // nobody is signed in yet
      return answer.text().then(function (text) {
        var page = new DOMParser().parseFromString(text, "text/html"), input = page.querySelector("input[name=csrfmiddlewaretoken]");
        known = now;
        if (page.body.dataset.who !== who || !input) { assay.saving.away("otherPerson"); return false; }
        take(input.value);
        doc.dispatchEvent(new CustomEvent("assay:renewed"));
        return true;
      });
    }).catch(function () { assay.saving.fail("step", { text: words.failed, act: renew }); return false; }).finally(function () { asking = null; });
    return asking;
  }
  function look() { if (mark() && mark() !== known) renew(); }
  doc.addEventListener("visibilitychange", function () { if (doc.visibilityState === "visible") look(); });
  window.addEventListener("focus", look);
  ["pointerdown", "keydown"].forEach(function (name) { doc.addEventListener(name, look, true); });
  window.addEventListener("submit", function (event) { // before anything else hears of it
    var form = event.target, by = event.submitter;
    if (!mark() || mark() === known || form.method !== "post") return;
    event.preventDefault();
    event.stopImmediatePropagation();
    renew().then(function (fine) {
      if (fine) form.requestSubmit(by && by.isConnected ? by : undefined);
    });
  }, true);
  assay.renew = renew;
})();
