// The task editor: guidance for the part in hand, preview in place, Markdown marks, next part.
// Without this file the editor is a plain form with all of its guidance beside it.
(function () {
  "use strict";
  var doc = document, form = doc.getElementById("task-form"), preview = doc.getElementById("preview");
  if (!form) return;
  var all = function (selector) { return Array.from(doc.querySelectorAll(selector)); };

  // --- the part in hand -------------------------------------------------------------------------
  var current = "title";
  function show(name) {
    current = name;
    all("[data-guide]").forEach(function (guide) { guide.hidden = guide.dataset.guide !== name; guide.classList.remove("section"); });
    all("[data-part-link]").forEach(function (link) {
      if (link.dataset.partLink === name) link.setAttribute("aria-current", "true"); else link.removeAttribute("aria-current");
    });
    all("[data-guided]").forEach(function (part) { part.classList.toggle("is-in-hand", part.dataset.guided === name); });
  }
  function go(name) {
    var part = doc.querySelector('[data-guided="' + name + '"]');
    if (!part) return;
    back();
    part.querySelector("textarea, input").focus();
    part.scrollIntoView({ block: "start" });
  }
  doc.addEventListener("focusin", function (event) {
    var part = event.target.closest("[data-guided]");
    if (part) show(part.dataset.guided);
  });
  doc.addEventListener("click", function (event) {
    var link = event.target.closest("[data-part-link]"), step = event.target.closest("[data-part-step]");
    if (link) { event.preventDefault(); go(link.dataset.partLink); return; }
    if (!step) return;
    var names = all("[data-guided]").map(function (part) { return part.dataset.guided; });
    go(names[Math.min(names.length - 1, Math.max(0, names.indexOf(current) + Number(step.dataset.partStep)))]);
  });
  doc.addEventListener("htmx:afterSettle", function () { show(current); });
  show(current);

  var title = form.elements.title, heading = doc.querySelector("[data-title]"), untitled = heading.textContent;
  title.addEventListener("input", function () { heading.textContent = title.value.trim() || untitled; });

  // --- the categories of the chosen domain -------------------------------------------------------
  var domain = form.elements.domain, category = form.elements.category;
  function narrow() {
    var named = domain.selectedOptions[0], wanted = category.value, found = null;
    Array.from(category.querySelectorAll("optgroup")).forEach(function (group) {
      group.hidden = group.disabled = !named || group.label !== named.text;
      if (!group.disabled) found = Array.from(group.children).find(function (option) { return option.value === wanted; }) || null;
    });
    (found || category.options[0]).selected = true; // two domains may share a key
  }
  if (domain && domain.tagName === "SELECT") {
    // before the autosave hears of it, so that a category of another domain is never sent
    domain.addEventListener("input", narrow);
    form.addEventListener("assay:filled", narrow);
    narrow();
  }

  // --- preview ----------------------------------------------------------------------------------
  var button = doc.querySelector("[data-preview]"), label = button.querySelector("span"), write = label.textContent;
  function back() {
    if (preview.hidden) return;
    preview.hidden = true;
    form.hidden = false;
    label.textContent = write;
  }
  button.addEventListener("click", function (event) {
    event.preventDefault();
    if (!preview.hidden) { back(); return; }
    window.assay.ask(button.formAction, { method: "POST", body: new FormData(form), headers: { "HX-Request": "true" } })
      .then(function (answer) { if (!answer.ok || answer.redirected) throw new Error(String(answer.status)); return answer.text(); })
      .then(function (html) {
        preview.innerHTML = html; // made safe on the server, the same as every page
        preview.hidden = false;
        form.hidden = true;
        label.textContent = button.dataset.previewBack;
        preview.focus({ preventScroll: true });
        preview.scrollIntoView({ block: "start" });
      })
      .catch(function () { window.assay.problem(window.assay.words.failed); });
  });

  // --- Markdown ---------------------------------------------------------------------------------
  var marks = {
    bold: function (text) { return "**" + (text || "…") + "**"; },
    italic: function (text) { return "*" + (text || "…") + "*"; },
    list: function (text) { return (text || "…").replace(/^/gm, "- "); },
    quote: function (text) { return (text || "…").replace(/^/gm, "> "); },
    table: function (text) { return "\n| " + (text.replace(/\n/g, " ") || "…") + " | … |\n| --- | --- |\n| … | … |\n"; },
  };
  doc.addEventListener("mousedown", function (event) { if (event.target.closest("[data-md]")) event.preventDefault(); });
  doc.addEventListener("click", function (event) {
    var mark = event.target.closest("[data-md]");
    if (!mark) return;
    var box = mark.closest("[data-guided]").querySelector("textarea");
    var chosen = box.value.slice(box.selectionStart, box.selectionEnd);
    box.focus();
    box.setRangeText(marks[mark.dataset.md](chosen), box.selectionStart, box.selectionEnd, "end");
    box.dispatchEvent(new Event("input", { bubbles: true }));
  });
})();
