// A task with its tabs beside it, and steps that need no page load.
import "../lib/steps.js";
import "../lib/tabs.js";
