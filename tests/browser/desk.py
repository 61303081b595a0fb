"""A window of Chromium, and what its owner does there."""

from typing import Any

from django.conf import settings
from django.test import Client

from curation.joining.people import User
from tests.conftest import PASSWORD

PATIENCE = 10_000  # milliseconds


def status(answer: Any) -> int:
    """The status of an answer; our scripts are refused with 200 and the real one beside it."""
    return int(answer.headers.get("x-status", answer.status))


class Desk:
    """One person's window. Everything the console complains about is kept in `problems`."""

    def __init__(self, browser: Any, url: str, *, width: int = 1440, height: int = 900) -> None:
        self.url = url
        self.problems: list[str] = []
        self.context = browser.new_context(viewport={"width": width, "height": height})
        self.context.set_default_timeout(PATIENCE)
        self.page = self.tab()

    def tab(self) -> Any:
        """One more tab of the same window."""
        page = self.context.new_page()
        page.on("console", self._heard)
        page.on("pageerror", lambda error: self.problems.append(f"{page.url}: {error}"))
        return page

    def _heard(self, message: Any) -> None:
        if message.type == "error":
            self.problems.append(f"{self.page.url}: {message.text}")

    def leave(self) -> None:
        """Close the window."""
        self.context.close()

    # --- the door ----------------------------------------------------------------------------
    def let_in(self, email: str) -> None:
        """Sign in without the form, where the form is not what is tried."""
        client = Client()
        user = User.objects.get(email=email)
        client.force_login(user, backend="django.contrib.auth.backends.ModelBackend")
        cookie = client.cookies[settings.SESSION_COOKIE_NAME].value
        self.context.add_cookies(
            [{"name": settings.SESSION_COOKIE_NAME, "value": cookie, "url": self.url}]
        )

    def sign_in(self, email: str, password: str = PASSWORD) -> None:
        """Sign in on the sign-in page."""
        self.open("/")
        self.page.get_by_label("E-mail address").fill(email)
        self.page.get_by_label("Password").fill(password)
        self.page.keyboard.press("Enter")
        self.page.wait_for_url(f"{self.url}/")

    # --- moving about ------------------------------------------------------------------------
    def open(self, path: str) -> Any:
        """Open an address; returns the answer."""
        return self.page.goto(self.url + path, wait_until="load")

    def press(self, *keys: str) -> None:
        """Press keys one after the other, once the page's scripts are there to hear them."""
        self.page.wait_for_load_state("load")
        for key in keys:
            self.page.keyboard.press(key)

    def click(self, words: str) -> None:
        """Click the button or link with these words, once the page's scripts are there."""
        page = self.page
        page.wait_for_load_state("load")
        either = page.get_by_role("button", name=words).or_(page.get_by_role("link", name=words))
        either.filter(visible=True).first.click()

    def reads(self, *sentences: str) -> None:
        """Wait until each of these can be read."""
        for sentence in sentences:
            self.page.get_by_text(sentence).filter(visible=True).first.wait_for()
