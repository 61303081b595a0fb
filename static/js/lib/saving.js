// The state of saving, said in one place for every page. While all is saved it is quiet: the time
// in .saved[data-saved], on phones in the strip. Else the strip says since when, why, and what to
// do; it stays in sight, and each new trouble is announced once.
import { $, all, byId, write } from "./dom.js";
import { say as announce } from "./announcements.js";
import { minuteClock } from "./clock.js";
import { fill, words } from "./words.js";

const strip = byId("saving");
const part = (name) => $(`[data-saving-${name}]`, strip);
const places = () => all(".saved[data-saved]");
const quietWords = () => places()[0]?.textContent ?? "";

const troubles = new Map(); // what is not saved -> { since, text, aloud, label, act }
let gone = ""; // "signedOut", "otherPerson"
let known = ""; // what was announced last
let timer = 0;

// The newest trouble; with words of its own before those that only wait for the line.
const newest = () => {
  const found = [...troubles.values()];
  return found.filter((trouble) => trouble.text).pop() ?? found.pop();
};

const duration = (since) => {
  const n = Math.floor((Date.now() - since) / 60000);
  if (n < 1) return "";
  if (n === 1) return words.minute;
  return n < 120 ? fill(words.minutes, { n }) : fill(words.hours, { n: Math.floor(n / 60) });
};

const head = () => {
  if (!troubles.size) return "";
  const since = Math.min(...[...troubles.values()].map((trouble) => trouble.since));
  const d = duration(since);
  const t = minuteClock(since);
  return d ? fill(words.unsavedFor, { t, d }) : fill(words.unsaved, { t });
};

const reasonNow = () => {
  const trouble = newest();
  if (gone) return words[gone];
  if (trouble?.text) return trouble.text;
  if (!navigator.onLine && (trouble || places().length)) return words.offline;
  return trouble ? words.noAnswer : "";
};

const announceNews = () => {
  const reason = reasonNow();
  const now = reason && [reason, troubles.size > 0].join();
  if (now && now !== known) {
    const aloud = gone ? reason : newest()?.aloud || reason;
    announce([head(), aloud].filter(Boolean).join(": "), true);
  }
  if (!now && known) announce(quietWords());
  known = now;
};

const show = () => {
  const reason = reasonNow();
  const trouble = newest();
  const act = part("act");
  strip.classList.toggle("is-quiet", !reason);
  strip.hidden = !reason && !quietWords();
  write(part("head"), head());
  write(part("why"), reason || quietWords());
  part("sign-in").hidden = gone !== "signedOut";
  act.hidden = gone === "signedOut" || !trouble?.act;
  write(act, trouble?.label || words.again);
  act.removeAttribute("aria-busy");
  clearTimeout(timer);
  timer = setTimeout(announceNews, 50); // what happens at once is said in one sentence
};

const leaveBecause = (reason) => {
  gone = reason;
  show();
};

// Words for the quiet place: "Saved 12:03:22", "Saving …".
export const saySaving = (text) => {
  places().forEach((place) => write(place, text));
  show();
};

// Something is not saved. trouble: since; text, if it is not the line; act, and its label.
export const saveFailed = (what, trouble) => {
  const since = troubles.get(what)?.since || trouble.since || Date.now();
  troubles.delete(what); // the newest is said
  troubles.set(what, { ...trouble, since });
  show();
};

export const saveDone = (what, text) => {
  gone = "";
  troubles.delete(what);
  troubles.delete("step"); // a step that did not go through changed nothing
  saySaving(text);
};

export const forgetSave = (what) => {
  if (troubles.delete(what)) show();
};

export const signedOut = () => leaveBecause("signedOut");
export const otherPerson = () => leaveBecause("otherPerson");

// Of what is not saved, all that only waits is tried again; what asks for a decision is opened.
part("act").addEventListener("click", (event) => {
  const trouble = newest();
  const waiting = [...troubles.values()].filter(({ act, label }) => act && !label);
  known = "asked"; // whatever comes of it is news
  event.target.setAttribute("aria-busy", "true");
  (trouble?.label ? [trouble] : waiting).forEach(({ act }) => act());
});
document.addEventListener("assay:renewed", () => leaveBecause(""));
document.addEventListener("assay:page", show);
for (const name of ["online", "offline"]) window.addEventListener(name, show);
setInterval(() => {
  if (troubles.size) write(part("head"), head());
}, 5000);
// What sticks below makes room, whatever the strip says and however wide the window is.
new ResizeObserver(() => {
  document.documentElement.style.setProperty("--strip", `${strip.offsetHeight}px`);
}).observe(strip);
show();
