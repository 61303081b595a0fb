// Texts that were typed for other lines and never reached the server, shown when the page opens.
// The text of the current line is offered inside its editor (lib/kept-texts.js).
import { $, all, byId, make, makeButton } from "../../lib/dom.js";
import { toast } from "../../lib/announcements.js";
import { unsentUnder } from "../../lib/autosave.js";
import { makeOffer } from "../../lib/kept-offers.js";
import { keepAgain } from "../../lib/kept-texts.js";
import { texts } from "../../lib/storage.js";
import { fill, words } from "../../lib/words.js";

const SMALL = "btn btn-small";

const openingButton = (place, note, line) =>
  makeButton(fill(place.dataset.openLine, { n: line.dataset.line }), SMALL, () => {
    note.remove();
    line.click();
    line.tabIndex = -1;
    line.focus();
  });

const addingButton = (place, kept, text) =>
  makeButton(place.dataset.add, SMALL, () => {
    const box = byId("new-text");
    box.value = text;
    box.form.dataset.kept = kept.address;
    box.form.requestSubmit();
  });

const discardingButton = (place, note, kept) =>
  makeButton(place.dataset.discard, `${SMALL} btn-plain`, () => {
    note.remove();
    texts.forget(kept.address);
    toast(words.discarded, words.undo, () => {
      keepAgain(kept.address, kept.fields);
      show();
    });
  });

const showText = (place, kept) => {
  const pk = /lines\/(\d+)\/$/.exec(kept.address)?.[1];
  const text = (kept.fields.text ?? "").trim();
  const line = byId(`line-${pk}`);
  if (!pk || !text || line?.classList.contains("is-current")) return;
  if (byId(`line-${pk}-view`)?.dataset.text === text) return;
  const sentence = make("p", {}, fill(place.dataset.note, { t: kept.at }));
  const note = makeOffer(make("div", {}, sentence, make("p", { class: "quote" }, text)));
  const first = line ? openingButton(place, note, line) : addingButton(place, kept, text);
  $(".actions", note).append(first, discardingButton(place, note, kept));
  place.append(note);
};

const show = () => {
  const place = byId("kept");
  if (!place) return;
  place.textContent = "";
  const under = `/tasks/${byId("workbench").dataset.task}/rubric/lines/`;
  unsentUnder(under).forEach((kept) => showText(place, kept));
};

// A text brought back as a new line is forgotten only when that line is on the page.
let added = null;
document.addEventListener("assay:leaving", () => {
  const form = $(".add-line[data-kept]");
  added = form ? { address: form.dataset.kept, text: form.elements.text.value.trim() } : null;
});
document.addEventListener("assay:page", () => {
  const isThere = all(".line-collapsed").some((view) => view.dataset.text === added?.text);
  if (added && isThere) texts.forget(added.address);
  added = null;
  show();
});
show();
