// The link of an e-mail ends in #notice-NUMBER: arriving there marks that notice read. A POST does
// it, so that a mail scanner that only fetches pages changes nothing.
import { ask, csrfToken } from "./requests.js";
import { person } from "./storage.js";

const [, notice] = /^#notice-(\d+)$/.exec(location.hash) ?? [];

if (notice && person) {
  const headers = { Accept: "application/json", "X-CSRFToken": csrfToken() };
  const marked = ask(`/notices/${notice}/read/`, { method: "POST", headers, redirect: "manual" });
  marked.catch(() => {}); // it stays unread
  history.replaceState(history.state, "", location.pathname + location.search);
}
