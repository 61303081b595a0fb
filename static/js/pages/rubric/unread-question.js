// Sending asked about lines that are not confirmed: the question counts down with them.
import { $, byId } from "../../lib/dom.js";

const countDown = (changes) => {
  const nodes = changes.flatMap((change) => [...change.addedNodes]);
  if (nodes.some((node) => node.id === "refusal")) return; // the question as it was just asked
  const asked = $('#refusal[data-question="unread"]');
  if (!asked) return;
  const { unread } = byId("lines-head").dataset;
  asked.hidden = !unread;
  const number = $("b", asked);
  // The question stands in what is observed: changing it only when it differs ends the round.
  if (unread && number.textContent !== unread) number.textContent = unread;
};
new MutationObserver(countDown).observe(byId("lines"), { childList: true, subtree: true });
