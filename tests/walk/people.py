"""People at their browsers. What they may press is what stands on the page, nothing else."""

import html
import json
import re
from typing import Any
from urllib.parse import urljoin, urlsplit

from django.core import mail
from django.core.files import File
from django.core.management import call_command
from django.test import Client

from tests.walk.pages import Page

PASSWORD = "nine willows by the quiet canal"  # noqa: S105


class Person:
    """Somebody with a browser of their own, signed in or not."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.email = f"{name}@example.test"
        self.browser = Client(enforce_csrf_checks=True)
        self.page = Page("", "/", 200)

    # --- moving about ------------------------------------------------------------------------
    def _arrive(self, response: Any, expect: int, asked: str) -> Page:
        address = response.redirect_chain[-1][0] if response.redirect_chain else asked
        kind = response.headers.get("Content-Type", "")
        body = response.content.decode() if "html" in kind else ""
        self.page = Page(body, address, response.status_code)
        assert response.status_code == expect, (
            f"{self.name} at {asked}: {response.status_code}\n{self.page.text[:1500]}"
        )
        return self.page

    def open(self, address: str, expect: int = 200) -> Page:
        """Open an address and read the page."""
        return self._arrive(self.browser.get(address, follow=True), expect, address)

    def follow(self, words: str) -> Page:
        """Follow the link that begins with these words."""
        return self.open(urljoin(self.page.address, self.page.link(words)))

    def press(self, words: str, *, inside: str = "", expect: int = 200, **fields: Any) -> Page:
        """Fill fields of the page's form and press a button of it."""
        button = self.page.button(words, inside)
        form = button.form
        sent: dict[str, Any] = {name: list(values) for name, values in form.values.items()}
        for name, value in fields.items():
            if isinstance(value, File):
                sent[name] = value
                continue
            values = [str(v) for v in value] if isinstance(value, list) else [str(value)]
            assert name in form.values or name in form.offered, (
                f"the form of “{words}” has no field {name}: {sorted(form.values)}"
            )
            if name in form.offered:
                assert set(values) <= form.offered[name], f"{name}: {form.offered[name]}"
            sent[name] = values
        if button.name:
            sent[button.name] = [button.value]
        address = urljoin(self.page.address, button.action) if button.action else self.page.address
        assert form.method == "post", "only forms that change something are pressed here"
        return self._arrive(self.browser.post(address, sent, follow=True), expect, address)

    def autosave(self, address: str, **fields: Any) -> dict[str, Any]:
        """Save in the background, as the editor's script does, with the fields of the page."""
        form = self.page.form_with(*fields)
        sent = {name: list(values) for name, values in form.values.items()}
        sent |= {k: v if isinstance(v, list) else [str(v)] for k, v in fields.items()}
        response = self.browser.post(address, sent, HTTP_ACCEPT="application/json")
        assert response.status_code == 200, response.content.decode()[:600]
        return json.loads(response.content)

    def download(self, address: str) -> bytes:
        """The bytes of a file."""
        response = self.browser.get(address)
        assert response.status_code == 200, address
        if response.streaming:
            return b"".join(response.streaming_content)  # type: ignore[arg-type]
        return response.content

    # --- what is seen ------------------------------------------------------------------------
    def sees(self, *sentences: str) -> None:
        """The page says each of these."""
        for sentence in sentences:
            assert sentence in self.page.text, (
                f"{self.name} does not read “{sentence}” at {self.page.address}:\n"
                f"{self.page.text[:3000]}"
            )

    def sees_nothing_of(self, *sentences: str) -> None:
        """Neither the words nor the source of the page hold any of these."""
        for sentence in sentences:
            assert sentence not in html.unescape(self.page.html), sentence

    def is_refused(self, address: str, status: int) -> None:
        """Neither reading nor sending gets through, in plain words."""
        answer = self.browser.get(address)
        assert answer.status_code in (status, 405), (address, answer.status_code)
        token = self.browser.cookies.get("csrftoken")
        sent = {"csrfmiddlewaretoken": token.value} if token else {}
        answer = self.browser.post(address, sent)
        assert answer.status_code in (status, 405), (address, answer.status_code)

    def sees_in_order(self, *sentences: str) -> None:
        """The page says all of these, one after the other."""
        at = 0
        for sentence in sentences:
            found = self.page.text.find(sentence, at)
            assert found >= 0, f"“{sentence}” is not told after the others:\n{self.page.text[at:]}"
            at = found + len(sentence)

    # --- the door ----------------------------------------------------------------------------
    def sign_in(self, password: str = PASSWORD) -> Page:
        """Sign in on the sign-in page, and arrive on Home."""
        self.open("/account/login/")
        self.press("Sign in", login=self.email, password=password)
        assert self.page.address == "/"
        return self.page


def number_in(address: str) -> int:
    """The number of the thing an address is about."""
    found = re.findall(r"/(\d+)/", urlsplit(address).path)
    assert found, address
    return int(found[-1])


def the_machine_works() -> None:
    """One turn of the background work."""
    call_command("work", verbosity=0)


def invited(staff: Person, name: str) -> Person:
    """Staff invite somebody, who follows the link of the letter and opens an account with it."""
    guest = Person(name)
    staff.open("/staff/people/invite/")
    staff.press("Send the invitation", email=guest.email, name=name.title(), language="en")
    staff.sees(f"Sent to {guest.email}", "Nobody yet.")
    letter = next(m for m in reversed(mail.outbox) if m.to == [guest.email])
    link = re.search(r"https?://\S+", letter.body)
    assert link, letter.body
    guest.open(urlsplit(link.group()).path)
    guest.press("Open the account", password1=PASSWORD, password2=PASSWORD)
    assert guest.page.address == "/apply/"  # signed in: the mailed link proved the address
    return guest
