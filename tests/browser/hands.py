"""Two hands on a keyboard: no mouse, and a clock that can be asked how long the page took."""

from collections.abc import Callable
from typing import Any

from playwright.sync_api import Error

PATIENCE = 10_000  # milliseconds
TABS = 150  # more controls than any page has in front of what is looked for
# A press of a mouse or a finger is a fault of the walk: it is written to the console, which the
# desk reads.
# The moment of a key is kept where the next page can read it.
LISTEN = """
addEventListener("pointerdown", () => console.error("a mouse was used"), true);
addEventListener("keydown", (event) => {
  sessionStorage.setItem("pressed", performance.timeOrigin + event.timeStamp);
}, true);
"""
NOW = "performance.timeOrigin + performance.now()"
# When the key was pressed, and when the page that came of it was loaded; 0 if none came.
PRESSED = """
() => {
  const pressed = Number(sessionStorage.getItem("pressed"));
  const loaded = performance.getEntriesByType("navigation")[0].loadEventEnd;
  return [pressed, performance.timeOrigin > pressed ? performance.timeOrigin + loaded : 0];
}
"""
SAID = """
() => [...document.querySelectorAll(".note, .toast, [data-saved], dialog[open], [aria-invalid]")]
  .map((e) => (e.innerText || e.outerHTML).slice(0, 300)).join(" | ") + " | at " +
  document.activeElement.outerHTML.slice(0, 200)
"""
SETTLED = "document.readyState === 'complete'"  # modules have run by then


def nobody_times(_step: str, _ms: float) -> None:
    """What the tests do with the time."""


class Hands:
    """Somebody at a page with the keyboard alone.

    Args:
        page: a page of Playwright.
        url: where the server is.
        clock: is told every step with the milliseconds from its key to the page saying so.
    """

    def __init__(
        self, page: Any, url: str, clock: Callable[[str, float], None] = nobody_times
    ) -> None:
        self.page = page
        self.url = url
        self.clock = clock
        page.add_init_script(LISTEN)

    def see(self, sign: str) -> float:
        """Wait until this JavaScript is true of the page and its scripts are there.

        Returns: when the page saw it, by its own clock: what this program takes to hear of it is
            no wait of a person's. Milliseconds since 1970.
        """
        try:
            seen = self.page.wait_for_function(
                f"() => {SETTLED} && !!({sign}) && {NOW}", timeout=PATIENCE
            )
        except Error as late:
            said = self.page.evaluate(SAID)
            raise AssertionError(f"{self.page.url} never shows {sign}; it says: {said}") from late
        return float(seen.json_value())

    def open(self, address: str) -> None:
        """Go to an address and wait until it can be worked with."""
        self.page.goto(self.url + address)
        self.see("true")
        loaded = "() => performance.getEntriesByType('navigation')[0].loadEventEnd"
        self.clock("open page", self.page.evaluate(loaded))

    def type(self, words: str) -> None:
        """Type words where the caret is."""
        self.page.keyboard.insert_text(words)

    def do(self, step: str, key: str, sign: str) -> None:
        """Press a key and wait for its sign, which must not be there before."""
        assert not self.page.evaluate(f"() => !!({sign})"), f"{step}: {sign} before {key}"
        self.page.keyboard.press(key)
        seen = self.see(sign)
        pressed, loaded = self.page.evaluate(PRESSED)
        # A page that came whole showed its sign when it was loaded; we look in a moment later.
        self.clock(step, (loaded or seen) - pressed)

    def tab_to(self, selector: str, key: str = "Tab") -> None:
        """Press Tab until what fits the selector has the focus."""
        for _n in range(TABS):
            if self.page.evaluate("(s) => document.activeElement.matches(s)", selector):
                return
            self.page.keyboard.press(key)
        raise AssertionError(f"{self.page.url}: Tab does not reach {selector}")
