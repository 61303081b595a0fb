// What the pointer presses stays in its place until the click has come: a button that is replaced in
// between is never clicked.
const LONGEST = 1000; // milliseconds; a press that ends outside the window has no end

let release = () => {};
let released = Promise.resolve();

addEventListener("pointerdown", () => {
  release();
  released = new Promise((done) => {
    release = done;
    setTimeout(done, LONGEST);
  });
}, true);
for (const name of ["pointerup", "pointercancel"]) {
  addEventListener(name, () => setTimeout(release), true); // the click comes right after it
}

export const afterPress = () => released;
