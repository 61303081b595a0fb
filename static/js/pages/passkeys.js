/* Passkeys: forms with data-passkey ask the browser, then send what it signed.

   create  the options stand in the page (data-passkey-options: id of a JSON script)
   get     the same, for somebody who is known
   login   the options are fetched: nobody is known yet
   What went wrong is told in the page (data-passkey-says); the form is never sent half: its button
   comes disabled and is enabled here, so that a press before this script is there sends nothing. */
import { all, byId } from "../lib/dom.js";
import { ask } from "../lib/requests.js";

const IN_RESPONSE = ["attestationObject", "authenticatorData", "signature", "userHandle"];

class LineLost extends Error {}

const bytesOf = (text) => {
  const plain = atob(text.replace(/-/g, "+").replace(/_/g, "/"));
  return Uint8Array.from(plain, (letter) => letter.charCodeAt(0));
};

const lettersOf = (buffer) => {
  const plain = Array.from(new Uint8Array(buffer), (byte) => String.fromCharCode(byte)).join("");
  return btoa(plain).replace(/\+/g, "-").replace(/\//g, "_").replace(/=+$/, "");
};

const decoded = (options) => {
  if (options.challenge) options.challenge = bytesOf(options.challenge);
  if (options.user?.id) options.user.id = bytesOf(options.user.id);
  for (const list of [options.excludeCredentials, options.allowCredentials]) {
    for (const known of list ?? []) known.id = bytesOf(known.id);
  }
  return options;
};

const written = (credential) => {
  const { response: from } = credential;
  const response = { clientDataJSON: lettersOf(from.clientDataJSON) };
  for (const name of IN_RESPONSE) {
    if (from[name]) response[name] = lettersOf(from[name]);
  }
  if (from.getTransports) response.transports = from.getTransports();
  return JSON.stringify({
    id: credential.id,
    rawId: lettersOf(credential.rawId),
    type: credential.type,
    response,
    authenticatorAttachment: credential.authenticatorAttachment || undefined,
    clientExtensionResults: credential.getClientExtensionResults(),
  });
};

const fetched = async (url) => {
  try {
    const answer = await ask(url, { headers: { Accept: "application/json" } });
    if (answer.ok) return answer.json();
  } catch {
    // the same as an answer that is none
  }
  throw new LineLost();
};

const optionsFor = (form) =>
  form.dataset.passkey === "login"
    ? fetched(form.action)
    : JSON.parse(byId(form.dataset.passkeyOptions).textContent);

const credentialFor = (form, data) => {
  const publicKey = decoded((data.creation_options ?? data.request_options).publicKey);
  const alone = form.elements.passwordless;
  if (form.dataset.passkey !== "create") return navigator.credentials.get({ publicKey });
  if (alone) {
    const selection = (publicKey.authenticatorSelection ??= {});
    selection.residentKey = alone.checked ? "required" : "discouraged";
    selection.requireResidentKey = alone.checked;
    if (alone.checked) selection.userVerification = "required";
  }
  return navigator.credentials.create({ publicKey });
};

const say = (form, what) => {
  all("[data-passkey-says]", form).forEach((p) => {
    p.hidden = p.dataset.passkeySays !== what;
  });
};

const problemOf = (error) => {
  if (error instanceof LineLost) return "line";
  if (error.name === "SecurityError") return "address";
  if (error.name === "InvalidStateError") return "known";
  if (error.name !== "NotAllowedError") console.error(error); // a fault of ours
  return "refused";
};

const send = async (form) => {
  if (!window.isSecureContext) {
    say(form, "address");
    return;
  }
  if (!window.PublicKeyCredential) {
    say(form, "missing");
    return;
  }
  say(form, "");
  try {
    const credential = await credentialFor(form, await optionsFor(form));
    form.elements.credential.value = written(credential);
    form.submit(); // does not come back here
  } catch (error) {
    say(form, problemOf(error));
  }
};

all("form[data-passkey]").forEach((form) => {
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    send(form);
  });
  all("button:not([type=button])", form).forEach((button) => {
    button.disabled = false;
  });
});
