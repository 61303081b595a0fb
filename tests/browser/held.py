"""Requests that are on their way until a test lets them go on."""

from typing import Any

# In the page itself: a route that is set while a page works may miss a request on a busy machine.
HOLD = """(address) => {
  const send = window.fetch;
  window.sent = [];
  window.held = [];
  window.fetch = (url, options) => {
    window.sent.push(String(url));
    const go = () => send(url, options);
    if (!new RegExp(address).test(url)) return go();
    return new Promise((done, fail) => {
      window.held.push({ go: () => done(go()), lose: () => fail(new TypeError("no line")) });
    });
  };
}"""


class Held:
    """The requests of a page to addresses that match, held in their order."""

    def __init__(self, page: Any, address: str) -> None:
        self.page = page
        page.evaluate(HOLD, address)

    def wait(self) -> None:
        """Wait until one is held."""
        self.page.wait_for_function("() => window.held.length")

    def go_on(self) -> None:
        """Let the first one go on."""
        self.page.evaluate("() => { window.held.shift().go(); }")

    def lose(self) -> None:
        """Lose the first one, as on a line that breaks."""
        self.page.evaluate("() => { window.held.shift().lose(); }")

    def sent(self, part: str) -> int:
        """How many requests went to addresses with these words, held ones included."""
        found = self.page.evaluate(
            "(part) => sent.filter((url) => url.includes(part)).length", part
        )
        return int(found)
