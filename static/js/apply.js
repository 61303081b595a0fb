// The rows of certifications: added and removed here instead of by a round to the server.
(function () {
  "use strict";
  var form = document.getElementById("apply-form");
  var rows = form && form.querySelector("[data-rows]"), blank = document.getElementById("cert-row");
  if (!rows || !blank) return;
  var all = function () { return Array.from(rows.querySelectorAll("[data-row]")); };
  var add = form.querySelector("[data-row-add]");
  var changed = function () { form.dispatchEvent(new Event("input", { bubbles: true })); };
  function full() { add.hidden = all().length >= Number(rows.dataset.rowsMost); }
  form.addEventListener("click", function (event) {
    var button = event.target.closest("[data-row-add], [data-row-drop]");
    if (!button) return;
    event.preventDefault();
    event.stopPropagation();
    if (button === add) {
      var next = all().reduce(function (most, row) { return Math.max(most, Number(row.dataset.row)); }, -1) + 1;
      rows.insertAdjacentHTML("beforeend", blank.innerHTML.replaceAll("__n__", next));
      rows.lastElementChild.querySelector("input").focus();
    } else {
      var row = button.closest("[data-row]"), near = row.previousElementSibling || row.nextElementSibling;
      row.remove();
      (near ? near.querySelector("input") : add).focus();
    }
    full();
    changed();
  });
  // Saving while typing must not send ten megabytes each time; sending the form does.
  form.addEventListener("formdata", function (event) {
    if (form.dataset.submitting) return;
    all().forEach(function (row) { event.formData.delete("cert-" + row.dataset.row + "-file"); });
  });
  full();
})();
