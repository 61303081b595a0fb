// The form of a line's editor, made from the template of the page and what the line's view knows.
import { $, all, byId } from "../../lib/dom.js";
import { viewOf } from "./lines.js";

const PARTS = ["marks", "draft", "thread"]; // move from the line into its editor and back

// The values of a new form are its defaults: what differs from them was typed or chosen here.
const check = (form, name, value) => {
  all(`input[name="${name}"]`, form).forEach((el) => {
    el.defaultChecked = el.value === value;
  });
};

const select = (form, name, value) => {
  for (const option of form.elements[name].options) option.defaultSelected = option.value === value;
};

const addressFor = (el, attribute, pk) => {
  const address = el.getAttribute(attribute).replace("/lines/0/", `/lines/${pk}/`);
  el.setAttribute(attribute, address);
};

// What stands under a mark is the same wherever its rule has something to say.
const putReasons = (form, line) => {
  const { pk } = line.dataset;
  all("[data-note]", form).forEach((mark) => {
    const note = all(".lint-note", viewOf(line))[mark.dataset.note];
    if (!note) return;
    mark.prepend(note.cloneNode(true));
    delete mark.dataset.note;
  });
  all("span[data-because]", form).forEach((slot) => {
    const { because, token } = slot.dataset;
    const like = $(`[data-because="${because}"]`, byId("because").content);
    if (!like) return;
    const now = like.cloneNode(true);
    const box = $("textarea", now);
    const button = $("button", now);
    box.id = $("label", now).htmlFor = `because-${pk}-${token}`;
    box.name = `because-${token}`;
    button.value = token;
    addressFor(button, "formaction", pk);
    slot.replaceWith(now);
  });
};

// The box for an answer is on the page once, as a template: forty of them are a lot to send.
const putReplyBox = (form, line) => {
  const thread = $(".line-thread", form);
  const source = byId("reply");
  if (!thread || !source || $("textarea", thread)) return;
  thread.append(source.content.cloneNode(true));
  const box = $("textarea", thread);
  box.id = $("label", thread).htmlFor = `reply-${line.dataset.pk}`;
  box.dataset.of = thread.dataset.of;
};

export const takeParts = (from, into) => {
  PARTS.forEach((name) => {
    const part = from && $(`[data-part="${name}"]`, from);
    if (part) into(name).append(part);
  });
};

// The editor of a line, not yet in the page; null where nothing can be edited.
export const lineForm = (line) => {
  const source = byId("editor");
  const view = viewOf(line);
  if (!source || !view) return null;
  const { pk } = line.dataset;
  const form = $("form", source.content).cloneNode(true);
  addressFor(form, "action", pk);
  all("[formaction]", form).forEach((button) => addressFor(button, "formaction", pk));
  form.elements.version.value = view.dataset.token;
  form.elements.line.value = pk;
  form.elements.text.defaultValue = view.dataset.text;
  select(form, "dimension", view.dataset.dimension);
  check(form, "importance", view.dataset.importance);
  check(form, "weight", view.dataset.weight);
  takeParts($(".line-more", line), (name) => $(`[data-slot="${name}"]`, form));
  putReasons(form, line);
  putReplyBox(form, line);
  form.setAttribute("data-autosave", "");
  return form;
};
