// A save on its way to the server: what an autosaved form and an exam have in common. One at a
// time; a stale token is renewed once; what came of it is one word:
//   saved     the server has it
//   lost      no answer came
//   down      the server cannot answer now
//   renewed   the token was stale; `assay:renewed` has asked for everything to be sent again
//   stale     the token is stale, and no new one is to be had
//   signedOut nobody is signed in
//   refused   the server does not take it; the reply says why
import { ask } from "./requests.js";
import { renew } from "./session.js";
import { person } from "./storage.js";

const SMALL = 50000; // characters: about what browsers let a page send while it closes

export const isSmall = (text) => text.length < SMALL;

// When what could not be sent may go through.
export const whenLineIsBack = (sendAgain) => {
  window.addEventListener("online", sendAgain);
  document.addEventListener("assay:renewed", sendAgain);
};

export class Delivery {
  busy = false;
  #isDown;
  #renewed = false;
  #timer = 0;

  // isDown: (status) => whether the server may take the same later
  constructor(isDown) {
    this.#isDown = isDown;
  }

  // One sending waits at most: a later one takes the place of the one before.
  later(delay, send) {
    this.stop();
    this.#timer = setTimeout(send, delay);
  }

  stop() {
    clearTimeout(this.#timer);
  }

  // Sends, and gives `settle` what came of it: (outcome, reply, status). Busy until that is done.
  async send(url, body, { token, keepalive, settle }) {
    this.busy = true;
    try {
      const { outcome, reply = {}, status = 0 } = await this.#attempt(url, body, token, keepalive);
      settle(outcome, reply, status);
    } finally {
      this.busy = false;
    }
  }

  async #attempt(url, body, token, keepalive) {
    const headers = { Accept: "application/json", "X-Autosave": "1", "X-CSRFToken": token };
    let answer;
    try {
      answer = await ask(url, { method: "POST", body, keepalive, headers });
    } catch {
      return { outcome: "lost" };
    }
    const reply = await answer.json().catch(() => ({}));
    return { outcome: await this.#outcomeOf(answer, reply), reply, status: answer.status };
  }

  async #outcomeOf(answer, reply) {
    if (answer.ok && !answer.redirected) {
      this.#renewed = false;
      return "saved";
    }
    if (this.#isDown(answer.status)) return "down";
    if (reply.code === "csrf" && person && !this.#renewed) {
      this.#renewed = true;
      return (await renew()) ? "renewed" : "stale";
    }
    return answer.status === 401 || answer.redirected ? "signedOut" : "refused";
  }
}
