// Runs before the first paint, so that the chosen theme does not flash. Everything else: assay.js.
(function () {
  var root = document.documentElement;
  root.classList.add("js");
  try {
    var theme = localStorage.getItem("assay:theme");
    if (theme === "light" || theme === "dark") root.dataset.theme = theme;
  } catch (refused) {
    // Storage may be closed (private windows, policy): the system's theme applies.
  }
})();
