// The rubric workbench: one editor that follows the current line; every step is saved at once.
import "../lib/steps.js";
import "./rubric/replies.js";
import "./rubric/splitting.js";
import "./rubric/editor.js";
import "./rubric/steps.js";
import "./rubric/unsent-texts.js";
import "./rubric/balance-pane.js";
import "./rubric/unread-question.js";
import "./rubric/passages.js";
import "./rubric/bulk-edit.js";

// What those import in their turn: named here, so that the browser asks for everything at once.
import "../lib/tabs.js";
import "./rubric/chosen-lines.js";
import "./rubric/finding.js";
import "./rubric/line-form.js";
import "./rubric/lines.js";
import "./rubric/passage-mark.js";
