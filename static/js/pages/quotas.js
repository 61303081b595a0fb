// A quota typed by hand means "my own quotas"; the sum follows. The builder works without this.
import { $, all, byId } from "../lib/dom.js";

const quotas = all("[data-quota]");
const own = $('input[name="allocation"][value="own"]');
const sum = $("[data-quota-sum]");
const size = byId("id_size");

const add = () => {
  const total = quotas.reduce((n, quota) => n + (parseInt(quota.value, 10) || 0), 0);
  if (own) own.checked = true;
  if (sum) sum.textContent = total.toLocaleString();
  if (size) size.value = total;
};
quotas.forEach((quota) => quota.addEventListener("input", add));
