// What each line of the sheet says of itself, and the counts of all.
import { $, all, make } from "../../lib/dom.js";
import { say } from "../../lib/announcements.js";
import { fill } from "../../lib/words.js";

export const sheet = $(".is-scoring");
const told = sheet.dataset;
export const isCheck = sheet.classList.contains("is-meta"); // a senior's check of the scoring
export const lines = all(".line[data-line]");

export const lineOf = (el) => el.closest?.(".line[data-line]");
export const currentLine = () => $(".line.is-current");
export const chosenOf = (line) => $("input[type=radio]:checked", line)?.value ?? "";
const typedOf = (line) => $("textarea", line).value.trim();

const isCorrection = (value) => value.endsWith("met"); // "met", "unmet"

export const needsReason = (line) => {
  const value = chosenOf(line);
  const always = told.alwaysWhy !== undefined && !isCheck;
  return value === "false" || isCorrection(value) || (Boolean(value) && always);
};

// What a line still needs: "choice", "reason" or nothing.
export const lackOf = (line) => {
  if (!chosenOf(line)) return "choice";
  return needsReason(line) && !typedOf(line) ? "reason" : "";
};

const PREVIEW = 160; // characters

const previewOf = (text) => {
  const rows = text.split("\n").map((row) => row.trim());
  const words = rows
    .filter(Boolean)
    .map((row) => (row.startsWith("> ") ? `“${row.slice(2).trim()}”` : row))
    .join(" ");
  if (words.length <= PREVIEW) return words;
  const cut = words.slice(0, PREVIEW - 1);
  const space = cut.lastIndexOf(" ");
  return `${(space > 100 ? cut.slice(0, space) : cut).trimEnd()}…`;
};

// The icons of the buttons are in the page already.
const iconOf = (verdict) => $(`.v-${verdict} .icon`)?.cloneNode(true) ?? "";

const stateOf = (value, out) => {
  const word = document.createElement("span");
  const yes = value === "true";
  if (isCorrection(value)) {
    word.className = "state state-wait";
    word.textContent = out.dataset.wait;
  } else if (value) {
    word.className = `state state-${yes ? "yes" : "no"}`;
    const text = yes ? out.dataset.yes || told.true : out.dataset.no || told.false;
    word.append(iconOf(yes ? "yes" : "no"), text);
  } else {
    word.className = "state state-open";
    word.textContent = "–";
  }
  return word;
};

const tickOf = (value, lack) => {
  if (lack) return "open";
  if (isCorrection(value)) return "wait";
  return value === "true" ? "yes" : "no";
};

export const showLine = (line) => {
  const value = chosenOf(line);
  const lack = lackOf(line);
  const out = $("[data-state-of-line]", line);
  const preview = $("[data-preview]", line);
  line.dataset.state = lack ? "open" : "done";
  line.dataset.tick = tickOf(value, lack);
  const lacks = lack === "reason" && told.lacksReason;
  const missing = lacks ? [make("span", { class: "line-sub missing" }, told.lacksReason)] : [];
  out.replaceChildren(stateOf(value, out), ...missing);
  if (preview) preview.textContent = previewOf(typedOf(line));
  showCounts();
};

const write = (selector, text) =>
  all(selector).forEach((el) => {
    el.textContent = text;
  });

export const showCounts = () => {
  const marks = lines.map((line) => line.dataset.tick);
  const count = (mark) => marks.filter((m) => m === mark).length;
  const [yes, no, open, wait] = ["yes", "no", "open", "wait"].map(count);
  all(".dock .ticks i").forEach((tick, at) => {
    tick.className = `t-${marks[at]}${lines[at] === currentLine() ? " is-current" : ""}`;
  });
  write("[data-counts-out]", fill(told.counts, { y: yes, f: no, o: open, c: wait }));
  write("[data-scored-out]", fill(told.scored, { n: yes + no, t: lines.length }));
  const outcome = no ? "no" : "yes";
  all(".finish .btn").forEach((button) => {
    const { when } = button.dataset;
    button.classList.toggle("btn-primary", !open && (!when || when === outcome));
  });
  all("[data-next], [data-phone-next]").forEach((button) => {
    button.classList.toggle("btn-primary", open > 0);
  });
  $(".phone-steps")?.classList.toggle("is-done", !open);
  const pace = $("[data-pace]");
  if (pace && !open) pace.hidden = true;
};

// Says at a line what it lacks, and puts the focus there; with nothing, takes it back.
export const complain = (line, lack) => {
  all("[data-error]", line).forEach((p) => {
    p.hidden = true;
  });
  const box = $("textarea", line);
  const radio = $("input[type=radio]", line);
  box.removeAttribute("aria-invalid");
  if (!lack) return;
  if (isCheck && lack === "choice") {
    radio.focus();
    return;
  }
  const name = lack === "choice" ? "met" : "rationale";
  const out = $(`[data-error="${isCheck ? "remark" : name}"]`, line);
  const text = lack === "choice" ? told.choose : told.reason;
  $("span", out).textContent = text;
  out.hidden = false;
  say(text, true);
  if (lack === "choice") radio.focus();
  else {
    box.setAttribute("aria-invalid", "true");
    box.setAttribute("aria-describedby", out.id);
    box.focus();
  }
  out.scrollIntoView({ block: "center" }); // on a phone, Next is below what it speaks of
};
