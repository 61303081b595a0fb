// Tabs that change without a page load and stay where they were left: data-tabs, data-tab,
// data-panel.
import { $, all, mark } from "./dom.js";
import { recall, remember } from "./storage.js";

const keyOf = (tabs) => `assay:tab:${tabs.dataset.tabs}`;

const show = (tabs, name) => {
  const pane = tabs.parentElement;
  const wanted = $(`[data-panel="${name}"]`, pane);
  if (!wanted) return;
  all("[data-panel]", pane).forEach((panel) => {
    panel.hidden = panel !== wanted;
  });
  all("[data-tab]", tabs).forEach((tab) => mark(tab, "aria-current", tab.dataset.tab === name));
};

// An address that names a tab wins over the one that was left open.
export const showKeptTabs = () => {
  if (/[?&]tab=/.test(location.search)) return;
  all("[data-tabs]").forEach((tabs) => {
    const kept = recall(keyOf(tabs));
    if (kept) show(tabs, kept);
  });
};

document.addEventListener("click", (event) => {
  const tab = event.target.closest("[data-tab]");
  const tabs = tab?.closest("[data-tabs]");
  if (!tabs || event.ctrlKey || event.metaKey) return;
  event.preventDefault();
  show(tabs, tab.dataset.tab);
  remember(keyOf(tabs), tab.dataset.tab);
  document.dispatchEvent(new CustomEvent("assay:tab"));
});
showKeptTabs();
