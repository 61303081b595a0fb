// The form of an exam question shows only the fields its kind uses. Without this file it shows all.
import { $, all } from "../lib/dom.js";

const form = $("[data-question-form]");
const { kind } = form.elements;

const show = () => {
  all("[data-kinds]", form).forEach((el) => {
    el.closest(".field").hidden = !el.dataset.kinds.split(" ").includes(kind.value);
  });
};
kind.addEventListener("change", show);
show();
