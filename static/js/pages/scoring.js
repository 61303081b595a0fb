// The scoring sheet and its check: the row follows what is chosen and typed, Next goes on to the
// next open line, and the submission takes along what was not saved yet. Saving itself is
// lib/autosave.js; without scripts every line has a form with a button.
import "../lib/steps.js";
import "../lib/tabs.js";
import { $ } from "../lib/dom.js";
import "./scoring/moving.js";
import "./scoring/sending.js";
import { currentLine, lines, showCounts } from "./scoring/rows.js";

if (lines.length) showCounts();
const here = currentLine();
const isWide = matchMedia("(min-width: 700px)").matches; // a phone shows one line anyway
if (here && isWide && !$("[data-error-summary]") && lines.indexOf(here) > 0) {
  here.scrollIntoView({ block: "center" });
}
