// The rubric workbench: TRUE or FALSE of the reference answer on the current line, saved at once.
(function () {
  "use strict";
  var doc = document, assay = window.assay, parts = assay && assay.parts;
  if (!parts || !doc.getElementById("workbench")) return;
  var $ = function (selector, root) { return (root || doc).querySelector(selector); };
  var viewOf = function (form) { return doc.getElementById("line-" + form.elements.line.value + "-view"); };

  // What the line's view knows is shown in the editor, also after a save that let a mark lapse.
  function show(form) {
    var view = form && viewOf(form), box = form && $("[data-fare]", form);
    if (!view || !box) return;
    var met = view.dataset.met, why = $("[data-why]", box), label = $("label", why), weight = view.dataset.weight;
    box.querySelectorAll("[data-met-button]").forEach(function (b) { b.setAttribute("aria-pressed", String(b.value === met)); });
    label.textContent = weight === "1" ? label.dataset.lostOne : assay.fill(label.dataset.lost, { n: weight });
    if (doc.activeElement !== form.elements.why) {
      form.elements.why.value = view.dataset.why || form.elements.why.value;
      if (met === "1") form.elements.why.value = "";
      why.toggleAttribute("data-closed", met !== "0" && !$("[aria-invalid]", why));
    }
  }
  function mark(form, button) {
    var why = form.elements.why, box = $("[data-why]", form), missing = $("[data-why-missing]", box);
    if (button.value === "0" && !why.value.trim()) {
      missing.hidden = box.hasAttribute("data-closed");
      box.removeAttribute("data-closed");
      why.focus();
      return;
    }
    missing.hidden = true;
    function again() { if (form.isConnected) mark(form, button); else assay.saving.forget("step"); }
    assay.settle().then(function (fine) {
      if (!fine) return null;
      var data = new FormData();
      data.append("csrfmiddlewaretoken", form.elements.csrfmiddlewaretoken.value);
      data.append("version", form.elements.version.value);
      data.append("met", button.value);
      data.append("why", button.value === "0" ? why.value : "");
      return parts.post(button.getAttribute("formaction"), data).then(function (answer) {
        if (!answer.ok || !answer.reply.html) { parts.refused(answer, again); return; }
        var typing = doc.activeElement === why;
        if (typing) why.blur();
        parts.replace(answer.reply.html);
        if (form.isConnected) show(form);
        var line = form.closest(".line"), said = $("#fare");
        if (typing && line) { line.tabIndex = -1; line.focus({ preventScroll: true }); }
        var asked = $('#refusal[data-question="unmarked"], #refusal[data-question="required"]');
        if (asked) onward(asked);
        if (said) assay.say([$("h2", said), $(".balance", said)].map(function (el) { return el.textContent; }).join(" ").replace(/\s+/g, " "));
      });
    }).catch(function () { parts.lost(again); });
  }
  // Sending asked for the marks that are missing: each one given leads to the next line without.
  function onward(asked) {
    var open = $("#fare [data-unmarked]"), send = $("[data-key='ctrl+shift+enter']");
    if (open) {
      $("b", asked).textContent = open.firstChild.textContent.trim();
      $("[data-choose]", open).click();
    } else {
      asked.hidden = true;
      if (send) send.focus({ preventScroll: true });
    }
  }
  doc.addEventListener("submit", function (event) {
    var by = event.submitter;
    if (!by || !by.hasAttribute("data-met-button")) return;
    event.preventDefault();
    event.stopImmediatePropagation();
    mark(event.target, by);
  }, true);
  doc.addEventListener("keydown", function (event) {
    if (event.target.id !== "line-why" || event.key !== "Enter" || event.isComposing || event.ctrlKey || event.metaKey) return;
    event.preventDefault();
    event.stopPropagation();
    mark(event.target.form, $(".fare-no", event.target.form));
  }, true);
  doc.addEventListener("assay:editor", function (event) { show(event.target); });
  doc.addEventListener("assay:page", function () { show($("[data-editor]", $("#line-list") || doc)); });
  // Sending asked about lines that are not read yet: the question counts down with them.
  new MutationObserver(function (changes) {
    var came = changes.some(function (c) { return Array.from(c.addedNodes).some(function (n) { return n.id === "refusal"; }); });
    if (came) return; // the question as it was just asked
    var asked = $('#refusal[data-question="unread"]'), unread = $("#unread"), left = unread && $("b", unread);
    if (!asked || !unread) return;
    asked.hidden = unread.hidden;
    if (left) $("b", asked).textContent = left.textContent;
  }).observe(doc.getElementById("lines"), { childList: true });
  // Listens behind rubric.js, so the parts of the answer are in their places already.
  doc.addEventListener("assay:saved", function (event) { if (event.target.matches("[data-editor]")) show(event.target); });
  show($("[data-editor]", $("#line-list") || doc));
})();
