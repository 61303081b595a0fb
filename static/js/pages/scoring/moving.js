// From line to line: Next, links to a line, the text beside the lines, and its passages.
import { $, all, byId } from "../../lib/dom.js";
import { say } from "../../lib/announcements.js";
import { roundFrom } from "../../lib/lines.js";
import { words } from "../../lib/words.js";
import {
  complain, currentLine, isCheck, lackOf, lineOf, lines, needsReason, sheet, showCounts,
} from "./rows.js";

export const goTo = (line) => {
  if (line !== currentLine()) line.click();
  if (isCheck || matchMedia("(hover: none)").matches) return;
  line.scrollIntoView({ block: "nearest" });
};

const goToEnd = () => {
  const lacksRemarks = isCheck && !byId("remarks").value.trim();
  if (lacksRemarks && $('.finish [data-when="no"].btn-primary')) {
    byId("decision").scrollIntoView({ block: "nearest" });
    byId("remarks").focus();
    return;
  }
  const end = $(".finish .btn-primary") ?? $(".finish .btn");
  document.activeElement?.blur();
  end.focus();
  say(words.allDone);
};

export const goOn = (line) => {
  const lack = lackOf(line);
  complain(line, lack);
  if (lack) return;
  const open = roundFrom(lines, line).find((l) => l.dataset.state === "open");
  if (open) goTo(open);
  else goToEnd();
};

// Without a mouse, one key goes through the passages, and ⇧ with the arrows trims.
const PASSAGES = "p, li, td, pre, h3, h4, h5, h6";
let passage = -1;

const nextPassage = () => {
  const source = $("[data-panel]:not([hidden]) [data-quote-source]");
  const parts = source
    ? all(PASSAGES, source).filter((el) => el.textContent.trim() && !$("p, li", el))
    : [];
  if (!parts.length) return;
  passage = (passage + 1) % parts.length;
  const part = parts[passage];
  if (document.activeElement !== document.body) document.activeElement?.blur();
  getSelection().selectAllChildren(part);
  part.scrollIntoView({ block: "nearest" });
  say(part.textContent.trim().slice(0, 200));
};

const showWhole = (button) => {
  const on = sheet.classList.toggle("is-full");
  button.dataset.more ||= button.textContent;
  button.textContent = on ? button.dataset.less : button.dataset.more;
  button.setAttribute("aria-pressed", String(on));
};

const followLink = (link, event) => {
  const wanted = $(link.getAttribute("href"));
  if (!wanted) return;
  event.preventDefault();
  goTo(wanted);
  $("input[type=radio]", wanted).focus({ preventScroll: true });
};

document.addEventListener("click", (event) => {
  const hit = (selector) => event.target.closest(selector);
  if (hit("[data-phone-next]") && currentLine()) goOn(currentLine());
  if (isCheck && hit("[data-next]")) goOn(lineOf(hit("[data-next]")));
  if (hit("[data-passage]")) nextPassage();
  if (hit("[data-full]")) showWhole(hit("[data-full]"));
  if (hit("[data-go-to-line]")) followLink(hit("[data-go-to-line]"), event);
});
// A verdict needs its reason next, also to go on with one that was begun; where it needs none, the
// box waits for whoever wants to write.
document.addEventListener("keyup", (event) => {
  const line = lineOf(event.target);
  const isVerdict = event.target.type === "radio" && /^[tfade]$/i.test(event.key);
  if (line && isVerdict && !event.ctrlKey && needsReason(line)) $("textarea", line).focus();
});
document.addEventListener("assay:current", (event) => {
  showCounts();
  const line = lineOf(event.target);
  if (line && !isCheck) history.replaceState(history.state, "", `?line=${line.dataset.pk}`);
});
