// TRUE or FALSE of the reference answer on the current line, saved at once.
import { $, all, byId, focusOn } from "../../lib/dom.js";
import { say } from "../../lib/announcements.js";
import { allSaved } from "../../lib/autosave.js";
import {
  postForParts, replaceParts, stepForgotten, stepLost, stepRefused,
} from "../../lib/parts.js";
import { fieldsOf } from "../../lib/requests.js";
import { fill } from "../../lib/words.js";

const ASKED = '#refusal[data-question="unmarked"], #refusal[data-question="required"]';
const openEditor = () => $("[data-editor]", byId("line-list"));

// What the line's view knows is shown in the editor, also after a save that let a mark lapse.
const show = (form) => {
  const view = form && byId(`line-${form.elements.line.value}-view`);
  const box = form && $("[data-fare]", form);
  if (!view || !box) return;
  const { met, weight } = view.dataset;
  const reason = $("[data-why]", box);
  const label = $("label", reason);
  const { why } = form.elements;
  all("[data-met-button]", box).forEach((button) => {
    button.setAttribute("aria-pressed", String(button.value === met));
  });
  label.textContent =
    weight === "1" ? label.dataset.lostOne : fill(label.dataset.lost, { n: weight });
  if (document.activeElement === why) return;
  why.value = met === "1" ? "" : view.dataset.why || why.value;
  reason.toggleAttribute("data-closed", met !== "0" && !$("[aria-invalid]", reason));
};

// Sending asked for the marks that are missing: each one given leads to the next line without.
const goOn = (asked) => {
  const open = $("#fare [data-unmarked]");
  if (open) {
    $("b", asked).textContent = open.firstChild.textContent.trim();
    $("[data-choose]", open).click();
    return;
  }
  asked.hidden = true;
  $("[data-key='ctrl+shift+enter']")?.focus({ preventScroll: true });
};

const sayBalance = () => {
  const fare = $("#fare");
  if (!fare) return;
  const said = [$("h2", fare), $(".balance", fare)].map((el) => el.textContent);
  say(said.join(" ").replace(/\s+/g, " "));
};

const marked = (form, html) => {
  const { why } = form.elements;
  const typing = document.activeElement === why;
  if (typing) why.blur();
  replaceParts(html);
  if (form.isConnected) show(form);
  const line = form.closest(".line");
  if (typing && line) focusOn(line);
  const asked = $(ASKED);
  if (asked) goOn(asked);
  sayBalance();
};

const send = async (form, button) => {
  const again = () => {
    if (form.isConnected) markLine(form, button);
    else stepForgotten();
  };
  try {
    if (!(await allSaved())) return;
    const { version, why } = form.elements;
    const reason = button.value === "0" ? why.value : "";
    const fields = fieldsOf({ version: version.value, met: button.value, why: reason }, form);
    const answer = await postForParts(button.getAttribute("formaction"), fields);
    if (answer.ok && answer.reply.html) marked(form, answer.reply.html);
    else stepRefused(answer, again);
  } catch {
    stepLost(again);
  }
};

const markLine = (form, button) => {
  const { why } = form.elements;
  const box = $("[data-why]", form);
  const missing = $("[data-why-missing]", box);
  const lacksReason = button.value === "0" && !why.value.trim();
  missing.hidden = !lacksReason || box.hasAttribute("data-closed");
  if (lacksReason) {
    box.removeAttribute("data-closed");
    why.focus();
  } else send(form, button);
};

const onSubmit = (event) => {
  const { target: form, submitter: by } = event;
  if (!by?.hasAttribute("data-met-button")) return;
  event.preventDefault();
  event.stopImmediatePropagation();
  markLine(form, by);
};
const onEnter = (event) => {
  const { target } = event;
  if (target.id !== "line-why" || event.key !== "Enter" || event.isComposing) return;
  if (event.ctrlKey || event.metaKey) return;
  event.preventDefault();
  event.stopPropagation();
  markLine(target.form, $(".fare-no", target.form));
};
document.addEventListener("submit", onSubmit, true);
document.addEventListener("keydown", onEnter, true);
document.addEventListener("assay:editor", (event) => show(event.target));
document.addEventListener("assay:page", () => show(openEditor()));
// The form has put the parts of the answer in their places already.
document.addEventListener("assay:saved", (event) => {
  if (event.target.matches("[data-editor]")) show(event.target);
});

// Sending asked about lines that are not read yet: the question counts down with them.
const countDown = (changes) => {
  const nodes = changes.flatMap((change) => [...change.addedNodes]);
  if (nodes.some((node) => node.id === "refusal")) return; // the question as it was just asked
  const asked = $('#refusal[data-question="unread"]');
  const unread = byId("unread");
  if (!asked || !unread) return;
  asked.hidden = unread.hidden;
  const left = $("b", unread);
  if (left) $("b", asked).textContent = left.textContent;
};
new MutationObserver(countDown).observe(byId("lines"), { childList: true });
show(openEditor());
