// Menus close when something else is clicked, or with Escape (keys.js).
import { $, all } from "./dom.js";
import { onOtherClick } from "./clicks.js";

const open = () => all("details.menu[open]");

export const closeMenus = () => {
  open().forEach((menu) => {
    menu.open = false;
    $("summary", menu).focus();
  });
};

onOtherClick((event) => {
  open().forEach((menu) => {
    if (!menu.contains(event.target)) menu.open = false;
  });
});
