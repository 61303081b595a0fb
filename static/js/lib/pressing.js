// What the pointer presses stays in its place until the click has come: a button that is replaced in
// between is never clicked.
const LONGEST = 10000; // milliseconds; the end of a press may be lost
const CLICK = 50; // milliseconds from the end of a press to its click, on a touch screen

const down = new Map(); // pointer -> the timer that ends its press
let release = () => {};
let released = Promise.resolve();

const end = (pointer) => {
  clearTimeout(down.get(pointer));
  down.delete(pointer);
  if (!down.size) release();
};
const endIn = (time, pointer) => {
  clearTimeout(down.get(pointer));
  down.set(pointer, setTimeout(end, time, pointer));
};
const endAll = () => [...down.keys()].forEach(end);

addEventListener("pointerdown", ({ button, pointerId: pointer }) => {
  if (button) return; // a menu opens, and nothing is clicked
  if (!down.size) {
    released = new Promise((done) => {
      release = done;
    });
  }
  endIn(LONGEST, pointer);
}, true);
for (const name of ["pointerup", "pointercancel"]) {
  addEventListener(name, ({ pointerId: pointer }) => {
    if (down.has(pointer)) endIn(CLICK, pointer);
  }, true);
}
addEventListener("contextmenu", endAll, true);
addEventListener("blur", endAll);

export const afterPress = () => released;
