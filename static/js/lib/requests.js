// Requests in the background. A refusal comes with status 200 and its own status in X-Status,
// because browsers write every other to the console as an error; here it is what it is.
import { $ } from "./dom.js";

export const ask = async (url, options = {}) => {
  const answer = await fetch(url, {
    credentials: "same-origin",
    ...options,
    headers: { "X-Quiet": "1", ...options.headers },
  });
  const status = Number(answer.headers.get("X-Status")) || answer.status;
  return {
    status,
    ok: status >= 200 && status < 300,
    redirected: answer.redirected,
    url: answer.url,
    headers: answer.headers,
    text: () => answer.text(),
    json: () => answer.json(),
  };
};

// The token every form of this page is sent with.
export const csrfToken = (form) => $('input[name="csrfmiddlewaretoken"]', form)?.value ?? "";

// The fields of a step that no form of the page holds.
export const fieldsOf = (values, form) => {
  const data = new FormData();
  data.append("csrfmiddlewaretoken", csrfToken(form));
  for (const [name, value] of Object.entries(values)) data.append(name, value);
  return data;
};
