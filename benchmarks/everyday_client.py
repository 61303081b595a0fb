"""The people of `benchmarks.everyday` at their browsers, and the journal of what they achieved."""

import threading
import traceback
from collections import Counter
from typing import Any

import httpx2

from tests.walk.pages import Form, Page


class RefusedError(Exception):
    """The server's response is not what a step needs."""


class Journal:
    """What the server acknowledged, how it responded, and what went wrong. Thread-safe.

    Attributes:
        acknowledged: kind -> key -> value, as last acknowledged.
        done: how often each kind was acknowledged and each lane was completed.
        answers: HTTP status -> number of responses.
    """

    def __init__(self) -> None:
        self.lock = threading.Lock()
        self.acknowledged: dict[str, dict[str, Any]] = {
            kind: {} for kind in ("texts", "stages", "verdicts", "scores", "runs")
        }
        self.done: Counter[str] = Counter()
        self.answers: Counter[int] = Counter()
        self.errors: list[str] = []

    def add(self, kind: str, key: str, value: Any) -> None:
        """Note that the server acknowledged a value."""
        with self.lock:
            self.acknowledged[kind][key] = value
            self.done[kind] += 1

    def add_response(self, status: int, request: str) -> None:
        """Count a response; a server error is an error of the benchmark."""
        with self.lock:
            self.answers[status] += 1
            if status >= 500:
                self.errors.append(f"{status} {request}")

    def add_error(self, lane: str, problem: BaseException) -> None:
        """Note that a lane was interrupted."""
        with self.lock:
            self.errors.append(f"{lane}: {''.join(traceback.format_exception(problem))[-1500:]}")


class Person:
    """A person at a browser without scripts. Several may share a session, as tabs do."""

    def __init__(self, name: str, base: str, journal: Journal, cookies: Any = None) -> None:
        self.name, self.base, self.journal = name, base, journal
        self.http = httpx2.Client(base_url=base, follow_redirects=True, timeout=60, cookies=cookies)
        self.page = Page("", "/", 200)

    def sign_in(self, password: str) -> None:
        self.open("/account/login/")
        self.press("Sign in", login=f"{self.name}@example.test", password=password)
        if self.page.address != "/":
            raise RefusedError(f"{self.name} could not sign in")

    def open(self, address: str) -> Page:
        return self._show(self.http.get(address))

    def press(
        self, words: str, *, inside: str = "", fine: tuple[int, ...] = (200,), **fields: Any
    ) -> Page:
        """Fill in the form of a button and press it.

        Args:
            words: the beginning of the button's label.
            inside: as for `Page.button`.
            fine: the statuses that are no failure.

        Raises:
            RefusedError: the response has another status.
        """
        button = self.page.button(words, inside)
        sent = self._filled(button.form, fields)
        if button.name:
            sent[button.name] = [button.value]
        answer = self.http.post(
            button.action or self.page.address, data=sent,
            headers={"Referer": self.base + self.page.address},
        )  # fmt: skip
        page = self._show(answer)
        if page.status not in fine:
            shown = page.text.rpartition("Sign out")[2][:600]  # what follows the menus
            raise RefusedError(f"{self.name} pressed “{words}”: {page.status} {shown}")
        return page

    def send(self, address: str, form: Form, **fields: Any) -> bool:
        """Save in the background, as the page's script does; return whether it was accepted."""
        answer = self.http.post(
            address, data=self._filled(form, fields),
            headers={"Referer": self.base + self.page.address, "Accept": "application/json"},
        )  # fmt: skip
        self.journal.add_response(answer.status_code, f"POST {address}")
        return answer.status_code == 200

    def _filled(self, form: Form, fields: dict[str, Any]) -> dict[str, Any]:
        sent: dict[str, Any] = {name: list(values) for name, values in form.values.items()}
        for name, value in fields.items():
            if name in form.values or name in form.offered:
                sent[name] = [str(v) for v in value] if isinstance(value, list) else [str(value)]
        return sent

    def _show(self, answer: httpx2.Response) -> Page:
        address = answer.url.raw_path.decode()
        self.journal.add_response(answer.status_code, f"{answer.request.method} {address}")
        kind = answer.headers.get("content-type", "")
        self.page = Page(answer.text if "html" in kind else "", address, answer.status_code)
        return self.page

    def has(self, words: str) -> bool:
        """Return whether the page has a button whose label begins with these words."""
        return any(button.words.startswith(words) for button in self.page.buttons)
