// Shows the guidance of the part in hand. Without this file all of it stands beside the text.
(function () {
  "use strict";
  var guides = Array.from(document.querySelectorAll("[data-guide]"));
  function show(name) {
    guides.forEach(function (guide) { guide.hidden = guide.dataset.guide !== name; guide.classList.remove("section"); });
  }
  document.addEventListener("focusin", function (event) {
    var part = event.target.closest("[data-guided]");
    if (part) show(part.dataset.guided);
  });
  if (guides.length) show(guides[0].dataset.guide);
})();
