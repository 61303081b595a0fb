// The link of an e-mail ends in #notice-NUMBER: arriving there marks that notice read. A POST does
// it, so that a mail scanner that only fetches pages changes nothing.
(function () {
  "use strict";
  var found = /^#notice-(\d+)$/.exec(location.hash);
  if (!found || !document.body.dataset.who) return;
  var headers = JSON.parse(document.body.getAttribute("hx-headers") || "{}");
  headers.Accept = "application/json";
  fetch("/notices/" + found[1] + "/read/", { method: "POST", headers: headers, credentials: "same-origin", redirect: "manual" }).catch(function () {});
  history.replaceState(history.state, "", location.pathname + location.search);
})();
