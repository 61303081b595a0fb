// The form of an exam question shows only the fields its kind uses. Without this file it shows all.
(function () {
  "use strict";
  var form = document.querySelector("[data-question-form]");
  if (!form) return;
  function show() {
    form.querySelectorAll("[data-kinds]").forEach(function (el) {
      el.closest(".field").hidden = el.dataset.kinds.split(" ").indexOf(form.elements.kind.value) < 0;
    });
  }
  form.elements.kind.addEventListener("change", show);
  show();
})();
