// The review page: one box that follows the current line, and verdicts that move to the next.
import "../lib/steps.js";
import "./review/verdicts.js";
import "./review/filter.js";
import "./review/page.js";

// What those import in their turn: named here, so that the browser asks for everything at once.
import "../lib/tabs.js";
import "./review/box.js";
import "./review/lines.js";
