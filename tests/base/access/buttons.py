"""The buttons of a page, and what pressing each of them sends."""

import json
import re
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import timedelta
from typing import Any
from urllib.parse import parse_qs, urljoin, urlsplit

from django.core.files.uploadedfile import SimpleUploadedFile
from django.utils import timezone

from tests.base.access.asking import route_of
from tests.conftest import PASSWORD
from tests.walk.pages import Button, Form, Page

LATER = {"date": "%Y-%m-%d", "datetime-local": "%Y-%m-%dT%H:%M"}
WORDS = {"email": "new.person@example.test", "url": "https://example.test/source"}
QUESTION = {
    "key_id": "n1", "kind": "single", "topic": "Cash", "difficulty": 1, "points": 1,
    "text": "Which?", "options": ["This", "That"], "key": [0],
}  # fmt: skip
FILES = {
    "staff-questions-import": ("questions.jsonl", json.dumps(QUESTION).encode()),
    "score-matrices": (
        "scores.csv",
        b"task,product,version,period,score\nt1,Yew,v1,2026-01,1\n",
    ),
    "staff-invite-many": ("people.csv", b"email,name\nnew.person@example.test,New Person\n"),
    "staff-import-new": ("tasks.csv", b"id,domain,requirements\npressed-1,puzzles,Solve.\n"),
    "staff-pool-import": ("creators.csv", b"key,name\ncleo,Cleo\n"),
    "rubric-import": (
        "lines.csv",
        b"text,importance,weight,dimension\nNames x.,important,5,accuracy\n",
    ),
}
# What no page proposes, by the name of the field.
GIVEN = {
    "options": "* This\nThat",
    "tasks": "finance-equity-bridge",
    "provider": "offline",
    "model": "rules-1",
    "years": "7",
    "cert-0-title": "Chartered accountant",
    "cert-0-issuer": "Accountants' Guild",
    "cert-0-year": "2019",
    "password": PASSWORD,
    "password1": "another long sentence for tests",
    "password2": "another long sentence for tests",
}
HOWS = ("full", "chosen", "bare")  # with all empty fields filled in, or few, or as few as may be
GIVEN_AT = {
    "staff-invite-many": {"people": "new.person@example.test,New Person"},
    "gold-baseline": {"model": "offline:rules-1"},
    "staff-sources": {"suffix": "self-made.example.com"},
    "staff-endpoint": {"address": "https://models.example.test/v2"},
    "staff-endpoint-new": {
        "name": "birch",
        "label": "Birch",
        "address": "https://models.example.test/v1",
        "key_variable": "BIRCH_API_KEY",
    },
    "staff-model-new": {"provider": "openai", "model": "larch-5"},
    "collection-order-new": {"candidates": "on"},  # the first one, and no domain
    "operators": {"person": "applicant@example.test"},
    "errata": {"release": "1", "task": "cs-double-refund-incident", "text": "It says 31."},
    "staff-erratum-new": {"task": "cs-double-refund-incident", "text": "It says 31."},
    "edition-new": {"release": "1"},
    "market-fit-price": {"usd": "3", "source": "A price list."},
    "judge-experiment-new": {"question": "Is the stricter one better?"},
    "business-new": {"permitted_on": "2026-03-02", "collected_on": "2026-03-03"},
    "work-map-facts": {"market_currency": "USD", "market_year": "2024"},
    "staff-profiles": {"key": "suppliers"},
    "staff-honoraria-person": {"description": "A talk"},
    "task-selection": {"outcome-chosen": "ann"},
    "conflict-link": {"other": "reviewer@example.test"},
    "staff-members": {"person": "applicant@example.test"},
    "staff-conflicts": {"person": "author@example.test", "other": "scorer@example.test"},
}
# What is filled in already, and has to be changed before the button does something.
CHANGED_AT = {
    "task-amend": {"title": ["A title that says more"]},
    "staff-source-tiers-edit": {"tier_3": ["trade.example"]},
}


def of_the_library(route: str) -> bool:
    """Pages of django-allauth: signing in and out, addresses, passwords, second factors."""
    return route.startswith(("account_", "mfa_"))


class Sheet(Page):
    """A page that also notes what its forms ask for."""

    def __init__(self, html: str, address: str) -> None:
        self.asks: dict[int, dict[str, dict[str, Any]]] = defaultdict(dict)
        super().__init__(html, address, 200)

    def _take_input(self, form: Form, at: dict[str, Any]) -> None:
        super()._take_input(form, at)
        self.asks[id(form)].setdefault(at["name"], at)

    def _end_textarea(self, said: str, at: dict[str, Any], here: str) -> None:
        super()._end_textarea(said, at, here)
        self._ask(at | {"type": "textarea"})

    def _end_select(self, said: str, at: dict[str, Any], here: str) -> None:
        super()._end_select(said, at, here)
        self._ask(at | {"type": "select"})

    def _ask(self, at: dict[str, Any]) -> None:
        if at.get("name"):
            self._with_form(at, lambda form: self.asks[id(form)].setdefault(at["name"], at))

    def leads_to(self) -> Iterator[tuple[Any, str]]:
        """Links to our own pages: the kind of page, and the address."""
        for _words, href in self.links:
            where = urlsplit(urljoin(f"http://testserver{self.address}", href))
            route = route_of(where.path) if where.netloc == "testserver" else None
            if route and not of_the_library(route) and not route.startswith("admin:"):
                kind = route, tuple(sorted(parse_qs(where.query)))
                yield kind, where.path + (f"?{where.query}" if where.query else "")

    def presses(self, role: str, before: tuple["Press", ...] = ()) -> Iterator["Press"]:
        """What each button sends: with all empty fields filled in, or few, or as few as may be."""
        with_button = {id(button.form) for button in self.buttons}
        bare = [
            Button("", form, form.action, "", "", "")
            for form in self.forms
            if id(form) not in with_button
        ]
        for button in [*self.buttons, *bare]:
            path = urljoin(self.address, button.action or self.address)
            place = urlsplit(path).path
            route, asks = route_of(place), self.asks[id(button.form)]
            if button.form.method != "post" or route is None:
                continue
            named = re.sub(
                r"[0-9a-f]{20,}|\d+", "N", f"{button.name}={button.value}" if button.name else ""
            )
            files = tuple(name for name, at in asks.items() if at.get("type") == "file")
            for how in HOWS:
                yield Press(
                    role, route, named, path, self.address, button, asks, how, files, before
                )


@dataclass(frozen=True)
class Press:
    """One button of one page of one person, and what was pressed before to get to that page."""

    role: str
    route: str
    button: str
    path: str
    page: str
    pressed: Button
    asks: dict[str, dict[str, Any]]  # the attributes of each field by its name
    how: str
    files: tuple[str, ...]
    before: tuple["Press", ...] = ()

    @property
    def key(self) -> tuple[str, str]:
        return self.route, self.button

    def sent(self) -> dict[str, list[str]]:
        """The values of the form; only few of all presses that are found are pressed."""
        given = {**GIVEN, **GIVEN_AT.get(self.route, {})}
        sent = filled(self.pressed.form, self.asks, given, self.how)
        sent |= {k: v for k, v in CHANGED_AT.get(self.route, {}).items() if k in sent}
        if self.pressed.name:
            sent.setdefault(self.pressed.name, []).append(self.pressed.value)
        return sent

    def data(self) -> dict[str, Any]:
        name, content = FILES.get(self.route, ("note.txt", b"A short text, as a file."))
        wanted = [
            each for each in self.files if self.how == "full" or "required" in self.asks[each]
        ]
        return {**self.sent(), **{each: SimpleUploadedFile(name, content) for each in wanted}}


def filled(
    form: Form, asks: dict[str, dict[str, Any]], given: dict[str, str], how: str
) -> dict[str, list[str]]:
    """The values of a form as somebody sends it who fills in what is empty."""
    sent = {name: list(values) for name, values in form.values.items()}
    for name, at in asks.items():
        kind = at.get("type", "text")
        if kind in ("hidden", "submit", "button", "file") or any(sent.get(name, [])):
            continue
        if kind == "radio":
            sent[name] = [at.get("value", "on")]
        elif how != "full" and "required" not in at and name not in given:
            if kind != "select" or how == "bare":
                continue
            sent[name] = first_of(at)
        elif kind == "checkbox":
            sent[name] = [at.get("value", "on")]
        elif kind == "select":
            sent[name] = first_of(at)
        else:
            sent[name] = [given.get(name) or plausible(kind, at)]
    return sent


def first_of(at: dict[str, Any]) -> list[str]:
    """The first choice of a list that is one."""
    return [option["value"] for option in at.get("options", []) if option.get("value")][:1]


def plausible(kind: str, at: dict[str, Any]) -> str:
    """Words, a number or a day that such a field takes."""
    if kind == "number" or at.get("inputmode") in ("numeric", "decimal"):
        return at.get("min") or "1"
    if kind in LATER:
        return (timezone.now() + timedelta(days=30)).strftime(LATER[kind])
    text = WORDS.get(kind, "A sentence that says why this is done, with one reason.")
    return text[: int(at["maxlength"])] if at.get("maxlength", "").isdigit() else text


def sheet_of(reply: Any, where: str) -> Sheet | None:
    if reply.streaming or not reply.headers.get("Content-Type", "").startswith("text/html"):
        return None
    return Sheet(reply.content.decode(errors="replace"), where)
