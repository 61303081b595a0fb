// Whether single keys are on: the person's preference, and the switch in the list of keys.
import { all } from "./dom.js";
import { onClick } from "./clicks.js";
import { recall, remember } from "./storage.js";
import { words } from "./words.js";

const KEPT = "assay:single-keys";
const areOffHere = () => recall(KEPT) === "off";

export const singleKeysAreOn = () =>
  document.body.hasAttribute("data-single-keys") && !areOffHere();

export const showKeySwitch = () => {
  all("[data-toggle-keys]").forEach((button) => {
    button.textContent = areOffHere() ? words.keysOn : words.keysOff;
  });
};

onClick("[data-toggle-keys]", () => {
  remember(KEPT, areOffHere() ? null : "off");
  showKeySwitch();
});
