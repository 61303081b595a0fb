// What this browser keeps. It may be full or closed: then nothing is kept, and nothing fails.
export const person = document.body.dataset.who ?? "";

export const remember = (key, value) => {
  try {
    if (value === null) localStorage.removeItem(key);
    else localStorage.setItem(key, value);
  } catch {
    return false;
  }
  return true;
};

export const recall = (key) => {
  try {
    return localStorage.getItem(key);
  } catch {
    return null;
  }
};

const namesUnder = (head) => {
  try {
    return Object.keys(localStorage).filter((key) => key.startsWith(head));
  } catch {
    return [];
  }
};

// What one person has in this browser of one kind: the keys are "assay:KIND:PERSON:NAME".
const shelf = (kind) => {
  const head = `assay:${kind}:${person}:`;
  const read = (name) => recall(head + name);
  return {
    read,
    readJson: (name) => {
      try {
        return JSON.parse(read(name) ?? "null");
      } catch {
        return null;
      }
    },
    keep: (name, text) => remember(head + name, text),
    keepJson: (name, value) => remember(head + name, JSON.stringify(value)),
    forget: (name) => remember(head + name, null),
    namesUnder: (start) => namesUnder(head + start).map((key) => key.slice(head.length)),
  };
};

// Texts that the server does not have yet, by the address they are sent to.
export const texts = shelf("text");
// Texts of forms that are sent in one go, by the path they are sent to.
export const sentTexts = shelf("form");
// Answers of an exam that the server does not have yet, by sitting and question.
export const answers = shelf("exam");
