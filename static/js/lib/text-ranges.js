// Finding words in a page without touching its markup, and marking them there.
const plainMap = (root, skipped) => {
  const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
  const places = [];
  let text = "";
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    for (let at = 0; at < node.length; at++) {
      if (skipped?.test(node.data[at])) continue;
      text += node.data[at];
      places.push([node, at]);
    }
  }
  return { text, places };
};

const rangeOf = (places, from, to) => {
  const range = document.createRange();
  range.setStart(...places[from]);
  const [node, at] = places[to - 1];
  range.setEnd(node, at + 1);
  return range;
};

// Where words stand, whatever markup and characters of the skipped kind lie between.
export const rangeOfWords = (root, words, skipped) => {
  const { text, places } = plainMap(root, skipped);
  const wanted = [...words].filter((letter) => !skipped.test(letter)).join("");
  const at = wanted ? text.indexOf(wanted) : -1;
  return at < 0 ? null : rangeOf(places, at, at + wanted.length);
};

// A range for each sentence of a block.
export const rangesOfSentences = (block, lang) => {
  const { text, places } = plainMap(block);
  const whole = [{ index: 0, segment: text }];
  const cuts = Intl.Segmenter
    ? [...new Intl.Segmenter(lang || undefined, { granularity: "sentence" }).segment(text)]
    : whole;
  return cuts
    .filter(({ segment }) => segment.trim())
    .map(({ index, segment }) => {
      const from = index + segment.length - segment.trimStart().length;
      return rangeOf(places, from, index + segment.trimEnd().length);
    });
};

const canHighlight = Boolean(window.Highlight && CSS.highlights);

// Marks ranges in the style ::highlight(NAME); none takes the marks away.
export const highlight = (name, ranges) => {
  if (canHighlight) CSS.highlights.set(name, new Highlight(...ranges));
};
