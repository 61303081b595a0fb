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

addEventListener("pointerdown", ({ pointerId: pointer }) => {
  if (!down.size) {
    released = new Promise((done) => {
      release = done;
    });
  }
  clearTimeout(down.get(pointer));
  down.set(pointer, setTimeout(end, LONGEST, pointer));
}, true);
for (const name of ["pointerup", "pointercancel"]) {
  addEventListener(name, ({ pointerId }) => setTimeout(end, CLICK, pointerId), true);
}
addEventListener("blur", () => [...down.keys()].forEach(end));

export const afterPress = () => released;
