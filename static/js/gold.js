// A quota typed by hand means "my own quotas"; the sum follows. The builder works without this.
(function () {
  "use strict";
  var quotas = Array.from(document.querySelectorAll("[data-quota]"));
  var own = document.querySelector('input[name="allocation"][value="own"]');
  var sum = document.querySelector("[data-quota-sum]");
  var size = document.getElementById("id_size");
  quotas.forEach(function (quota) {
    quota.addEventListener("input", function () {
      var total = quotas.reduce(function (all, q) { return all + (parseInt(q.value, 10) || 0); }, 0);
      if (own) own.checked = true;
      if (sum) sum.textContent = total.toLocaleString();
      if (size) size.value = total;
    });
  });
})();
