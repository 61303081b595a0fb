// The rows of certifications: added and removed here instead of by a round to the server.
import { $, all, byId } from "../lib/dom.js";

const form = byId("apply-form");

const withRows = () => {
  const rows = $("[data-rows]", form);
  const blank = byId("cert-row");
  const add = $("[data-row-add]", form);
  const own = () => all("[data-row]", rows);

  const showFull = () => {
    add.hidden = own().length >= Number(rows.dataset.rowsMost);
  };
  const addRow = () => {
    const next = Math.max(-1, ...own().map((row) => Number(row.dataset.row))) + 1;
    rows.insertAdjacentHTML("beforeend", blank.innerHTML.replaceAll("__n__", next));
    $("input", rows.lastElementChild).focus();
  };
  const dropRow = (row) => {
    const near = row.previousElementSibling ?? row.nextElementSibling;
    row.remove();
    (near ? $("input", near) : add).focus();
  };

  form.addEventListener("click", (event) => {
    const button = event.target.closest("[data-row-add], [data-row-drop]");
    if (!button) return;
    event.preventDefault();
    event.stopPropagation();
    if (button === add) addRow();
    else dropRow(button.closest("[data-row]"));
    showFull();
    form.dispatchEvent(new Event("input", { bubbles: true })); // so that it is saved
  });
  // Saving while typing must not send ten megabytes each time; sending the form does.
  form.addEventListener("formdata", (event) => {
    if (form.dataset.submitting) return;
    own().forEach((row) => event.formData.delete(`cert-${row.dataset.row}-file`));
  });
  showFull();
};

if (form) withRows();
