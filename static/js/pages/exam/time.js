// What was measured on this page: the seconds each question was in view, and the time that is left.
import { $ } from "../../lib/dom.js";

export const secondsOf = new Map(); // key of a question -> seconds the server does not know of yet

// Counted from the server's time, because the clock of a computer may be wrong.
export const clock = $("[data-deadline]");
const { deadline, now } = clock.dataset;
let end = new Date(deadline) - new Date(now) + performance.now();

export const setTimeLeft = (milliseconds) => {
  end = milliseconds + performance.now();
};
export const secondsLeft = () => Math.ceil((end - performance.now()) / 1000);
