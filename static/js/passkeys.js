/* Passkeys: forms with data-passkey ask the browser, then send what it signed.

   create  the options stand in the page (data-passkey-options: id of a JSON script)
   get     the same, for somebody who is known
   login   the options are fetched: nobody is known yet
   What went wrong is told in the page (data-passkey-says); the form is never sent half: its button
   comes disabled and is enabled here, so that a press before this script is there sends nothing. */
(function () {
  "use strict";
  var PLACES = [["challenge"], ["user", "id"]];

  function bytes(text) {
    var plain = atob(text.replace(/-/g, "+").replace(/_/g, "/"));
    return Uint8Array.from(plain, function (c) { return c.charCodeAt(0); });
  }
  function letters(buffer) {
    var plain = Array.from(new Uint8Array(buffer), function (b) { return String.fromCharCode(b); }).join("");
    return btoa(plain).replace(/\+/g, "-").replace(/\//g, "_").replace(/=+$/, "");
  }
  function decoded(options) {
    PLACES.forEach(function (path) {
      var at = path.slice(0, -1).reduce(function (o, k) { return o && o[k]; }, options), last = path[path.length - 1];
      if (at && at[last]) at[last] = bytes(at[last]);
    });
    ["excludeCredentials", "allowCredentials"].forEach(function (list) {
      (options[list] || []).forEach(function (one) { one.id = bytes(one.id); });
    });
    return options;
  }
  function written(credential) {
    var from = credential.response, response = { clientDataJSON: letters(from.clientDataJSON) };
    ["attestationObject", "authenticatorData", "signature", "userHandle"].forEach(function (name) {
      if (from[name]) response[name] = letters(from[name]);
    });
    if (from.getTransports) response.transports = from.getTransports();
    return JSON.stringify({
      id: credential.id, rawId: letters(credential.rawId), type: credential.type, response: response,
      authenticatorAttachment: credential.authenticatorAttachment || undefined,
      clientExtensionResults: credential.getClientExtensionResults()
    });
  }

  function Line() {}
  function optionsOf(form) {
    if (form.dataset.passkey !== "login") return Promise.resolve(JSON.parse(document.getElementById(form.dataset.passkeyOptions).textContent));
    return window.assay.ask(form.action, { headers: { Accept: "application/json" } }).then(function (answer) {
      if (!answer.ok) throw new Line();
      return answer.json();
    }, function () { throw new Line(); });
  }
  function ask(form, data) {
    var options = decoded((data.creation_options || data.request_options).publicKey), alone = form.elements.passwordless;
    if (form.dataset.passkey !== "create") return navigator.credentials.get({ publicKey: options });
    if (alone) {
      options.authenticatorSelection = options.authenticatorSelection || {};
      options.authenticatorSelection.residentKey = alone.checked ? "required" : "discouraged";
      options.authenticatorSelection.requireResidentKey = alone.checked;
      if (alone.checked) options.authenticatorSelection.userVerification = "required";
    }
    return navigator.credentials.create({ publicKey: options });
  }
  function say(form, what) {
    form.querySelectorAll("[data-passkey-says]").forEach(function (p) { p.hidden = p.dataset.passkeySays !== what; });
  }
  function problem(error) {
    if (error instanceof Line) return "line";
    if (error.name === "SecurityError") return "address";
    if (error.name === "InvalidStateError") return "known";
    if (error.name !== "NotAllowedError") console.error(error); // a fault of ours, not of the person's
    return "refused";
  }

  document.querySelectorAll("form[data-passkey]").forEach(function (form) {
    form.addEventListener("submit", function (event) {
      event.preventDefault();
      if (!window.isSecureContext) { say(form, "address"); return; }
      if (!window.PublicKeyCredential) { say(form, "missing"); return; }
      say(form, "");
      optionsOf(form).then(function (data) { return ask(form, data); }).then(function (credential) {
        form.elements.credential.value = written(credential);
        form.submit(); // does not come back here
      }).catch(function (error) { say(form, problem(error)); });
    });
    form.querySelectorAll("button:not([type=button])").forEach(function (button) { button.disabled = false; });
  });
})();
