// Parts of a page that come after it: every module prepares what is new.
export const arrived = (el) => {
  el.dispatchEvent(new CustomEvent("assay:arrived", { bubbles: true }));
};

export const onArrival = (prepare) => {
  document.addEventListener("assay:arrived", (event) => prepare(event.target));
};
