// What is wrong with a form takes the focus when the page opens.
import { within } from "./dom.js";
import { onArrival } from "./arrivals.js";

const start = (root) => within(root, "[data-error-summary]")[0]?.focus();

onArrival(start);
start(document);
