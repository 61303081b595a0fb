// Runs before the first paint, so that the chosen theme does not flash. Everything else: assay.js.
// It also names this browser's time zone, so that the server tells times by the same clock.
(function () {
  var root = document.documentElement;
  root.classList.add("js");
  try {
    var theme = localStorage.getItem("assay:theme");
    if (theme === "light" || theme === "dark") root.dataset.theme = theme;
  } catch (refused) {
    // Storage may be closed (private windows, policy): the system's theme applies.
  }
  var zone = window.Intl && Intl.DateTimeFormat().resolvedOptions().timeZone;
  if (zone && document.cookie.split("; ").indexOf("zone=" + zone) < 0) {
    document.cookie = "zone=" + zone + ";path=/;max-age=31536000;samesite=lax" + (location.protocol === "https:" ? ";secure" : "");
  }
})();
