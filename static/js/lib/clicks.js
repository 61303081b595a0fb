// A click does one thing: that of the first selector it fits. Menus and lines hear of the others.
const acts = [];
const others = [];

export const onClick = (selector, act) => acts.push([selector, act]);
export const onOtherClick = (act) => others.push(act);

document.addEventListener("click", (event) => {
  for (const [selector, act] of acts) {
    const hit = event.target.closest(selector);
    if (hit) {
      act(hit, event);
      return;
    }
  }
  others.forEach((act) => act(event));
});
