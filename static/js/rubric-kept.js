// The rubric workbench: texts that were typed for other lines and never reached the server, shown
// when the page opens. The text of the current line is offered inside its editor by autosave.js.
(function () {
  "use strict";
  var doc = document, assay = window.assay, bench = doc.getElementById("workbench");
  if (!assay || !assay.kept || !bench) return;
  function button(words, kind, act) {
    var b = doc.createElement("button");
    b.type = "button"; b.className = "btn btn-small" + kind; b.textContent = words;
    b.addEventListener("click", act);
    return b;
  }
  function show() {
    var place = doc.getElementById("kept"), under = "/tasks/" + doc.getElementById("workbench").dataset.task + "/rubric/lines/";
    if (!place) return;
    place.textContent = "";
    assay.kept(under).forEach(function (kept) {
      var pk = (kept.address.match(/lines\/(\d+)\/$/) || [])[1], text = (kept.fields.text || "").trim();
      var line = doc.getElementById("line-" + pk), view = doc.getElementById("line-" + pk + "-view");
      if (!pk || !text || (line && line.classList.contains("is-current"))) return;
      if (view && view.dataset.text === text) return;
      var note = doc.createElement("div"), words = doc.createElement("div"), p = doc.createElement("p"), q = doc.createElement("p"), actions = doc.createElement("div");
      note.className = "note note-wait"; note.setAttribute("role", "status"); actions.className = "actions";
      p.textContent = assay.fill(place.dataset.note, { t: kept.at });
      q.className = "quote"; q.textContent = text;
      words.append(p, q);
      if (line) actions.append(button(assay.fill(place.dataset.openLine, { n: line.dataset.line }), "", function () { note.remove(); line.click(); line.tabIndex = -1; line.focus(); }));
      else actions.append(button(place.dataset.add, "", function () {
        var box = doc.getElementById("new-text");
        box.value = text;
        box.form.dataset.kept = kept.key;
        box.form.requestSubmit();
      }));
      actions.append(button(place.dataset.discard, " btn-plain", function () {
        note.remove();
        assay.remember(kept.key, null);
        assay.toast(assay.words.discarded, assay.words.undo, function () { assay.remember(kept.key, JSON.stringify({ at: Date.now(), version: "", fields: kept.fields })); show(); });
      }));
      note.append(words, actions);
      place.append(note);
    });
  }
  // A text brought back as a new line is forgotten only when that line is on the page.
  var added = null;
  doc.addEventListener("assay:leaving", function () {
    var form = doc.querySelector(".add-line[data-kept]");
    added = form ? { key: form.dataset.kept, text: form.elements.text.value.trim() } : null;
  });
  doc.addEventListener("assay:page", function () {
    var now = added && Array.from(doc.querySelectorAll(".line-collapsed")).some(function (v) { return v.dataset.text === added.text; });
    if (now) assay.remember(added.key, null);
    added = null;
    show();
  });
  show();
})();
