// The switch between the light theme, the dark one, and the system's. The first paint: theme.js.
import { all } from "./dom.js";
import { onClick } from "./clicks.js";
import { remember } from "./storage.js";

const KEPT = "assay:theme"; // theme.js reads it

const show = () => {
  const now = document.documentElement.dataset.theme || "system";
  all("[data-theme-set]").forEach((button) => {
    button.setAttribute("aria-pressed", String(button.dataset.themeSet === now));
  });
};

onClick("[data-theme-set]", (button) => {
  const name = button.dataset.themeSet;
  if (name === "system") delete document.documentElement.dataset.theme;
  else document.documentElement.dataset.theme = name;
  remember(KEPT, name === "system" ? null : name);
  show();
});
show();
