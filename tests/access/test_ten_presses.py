"""Every button of the product pressed ten times at once: it acts once.

The pages of every role are read, and each button found on them is pressed in the same world twice:
once by one browser, and once by ten windows of it at the same moment. The rows there are afterwards
must be the same. The page a press leads to is read as well, for buttons that only then appear.

Complete by construction: every address that takes POST is pressed, or listed here with the reason
why it is not.
"""

import json
import re
import shutil
import sqlite3
import threading
from collections import Counter, defaultdict, deque
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from datetime import timedelta
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, urljoin, urlsplit

import pytest
from django.apps import apps
from django.conf import settings
from django.core.files.uploadedfile import SimpleUploadedFile
from django.db import connection, transaction
from django.test import Client
from django.urls import is_valid_path, resolve, reverse
from django.utils import timezone

from config.sample.people import send_application, walk_to_trial
from curation.accounts import confirm_address
from curation.actions.qualification import admit
from curation.models import Attachment, Domain, Task, User
from judge.actions.sheets import score_line
from judge.models import Sheet as ScoringSheet
from tests.access.matrix import MATRIX, ROLES
from tests.access.test_matrix import things
from tests.conftest import PASSWORD
from tests.programme import sample_programme
from tests.rubrics.walk import to_refining
from tests.walk.pages import Button, Form, Page

PEOPLE = [role for role in ROLES if role != "anonymous"]
TIMES = 10
TRIES = 6  # forms tried for one button until one is accepted
DEEP = 4  # presses in a row
OF_A_KIND = 2  # links followed to the same address with another thing
LATER = {"date": "%Y-%m-%d", "datetime-local": "%Y-%m-%dT%H:%M"}
WORDS = {"email": "new.person@example.test", "url": "https://example.test/source"}
QUESTION = {
    "key_id": "n1", "kind": "single", "topic": "Cash", "difficulty": 1, "points": 1,
    "text": "Which?", "options": ["This", "That"], "key": [0],
}  # fmt: skip
FILES = {
    "staff-questions-import": ("questions.jsonl", json.dumps(QUESTION).encode()),
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
GIVEN_AT = {"gold-baseline": {"model": "offline:rules-1"}}
NOT_COUNTED = {
    "curation_cacherow",  # what throttles remember
    "django_session",
    "usersessions_usersession",  # when and where somebody was last seen
}
# Each press is a step of its own, as each press of its key is.
EACH_PRESS_ACTS = {
    "rubric-line-move": "ten places up are ten presses, and the key repeats",
    "rubric-lines-several": "the same for several lines",
}
BY_SCRIPT = "a script sends it while somebody works; what it saves lies over the last"
BY_PROGRAM = "for programs, which send no form"
NOT_HERE = "nothing in this world waits for it"
AFTER_PASSWORD = "asks for the password first"
NOT_PRESSED = {
    "api-candidates": BY_PROGRAM,
    "api-rubric": BY_PROGRAM,
    "api-sheet-submit": BY_PROGRAM,
    "api-task-submit": BY_PROGRAM,
    "api-tasks": BY_PROGRAM,
    "alignment-set-new": NOT_HERE,
    "meta-take": NOT_HERE,
    "review-resume": NOT_HERE,
    "review-take": NOT_HERE,
    "rubric-opinion": "no model that reads lines is set",
    "sessions": "ends the sessions of other browsers; what is ended stays ended",
    "sheet-take": NOT_HERE,
    "staff-account": AFTER_PASSWORD,
    "staff-one-more-round": NOT_HERE,
    "staff-panel-decide": NOT_HERE,
    "staff-review-assign": NOT_HERE,
    "token-new": AFTER_PASSWORD,
    "apply-draft": BY_SCRIPT,
    "exam-save": BY_SCRIPT,
    "rubric-comment": BY_SCRIPT,
    "rubric-line-passage": BY_SCRIPT,
    "task-save": BY_SCRIPT,
    "trial-save": BY_SCRIPT,
}
REFUSED = {
    ("gallery", ""): "an example among the parts of pages",
    ("staff-generation", ""): "the form of three buttons, sent without one",
    ("rubric-mark", ""): "scripts fill it in; its buttons with a name are pressed",
    ("rubric-send", ""): "asks first where marks are open; that button is pressed",
    ("exam-hand-in", ""): "asks whether to hand in with open questions; that button is pressed",
}
# Where a thing goes on to somebody else: whose page has the next button.
GOES_ON = {
    "staff-spot-check-release": [("senior", "spot-checks")],
    "staff-sheet-release": [("scorer", "scoring")],
    "staff-check-release": [("senior", "scoring")],
    "review-decline": [("scorer", "reviews"), ("senior", "reviews")],
}


# --- buttons ------------------------------------------------------------------------------------
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
            if where.netloc != "testserver" or not is_valid_path(where.path):
                continue
            route = resolve(where.path).view_name
            if not of_the_library(route) and not route.startswith("admin:"):
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
            if button.form.method != "post" or not is_valid_path(place):
                continue
            route, asks = resolve(place).view_name, self.asks[id(button.form)]
            if of_the_library(route):
                continue
            named = re.sub(
                r"[0-9a-f]{20,}|\d+", "N", f"{button.name}={button.value}" if button.name else ""
            )
            files = tuple(name for name, at in asks.items() if at.get("type") == "file")
            for how in ("full", "chosen", "bare"):
                given = {**GIVEN, **GIVEN_AT.get(route, {})}
                sent = filled(button.form, asks, given, how)
                if button.name:
                    sent.setdefault(button.name, []).append(button.value)
                yield Press(role, route, named, path, self.address, sent, files, before)


@dataclass(frozen=True)
class Press:
    """One button of one page of one person, and what was pressed before to get to that page."""

    role: str
    route: str
    button: str
    path: str
    page: str
    sent: dict[str, list[str]]
    files: tuple[str, ...]
    before: tuple["Press", ...] = ()

    @property
    def key(self) -> tuple[str, str]:
        return self.route, self.button

    def data(self) -> dict[str, Any]:
        name, content = FILES.get(self.route, ("note.txt", b"A short text, as a file."))
        return {**self.sent, **{each: SimpleUploadedFile(name, content) for each in self.files}}


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


# --- a world that can be restored -----------------------------------------------------------------
class World:
    """The rows as they were, to be brought back after each press."""

    def __init__(self) -> None:
        self.tables = sorted(
            model._meta.db_table
            for model in apps.get_models(include_auto_created=True)
            if model._meta.managed and not model._meta.proxy
        )
        self.files = set(Path(settings.MEDIA_ROOT).rglob("*"))

    def restore(self) -> None:
        self.bring_back()
        for path in sorted(Path(settings.MEDIA_ROOT).rglob("*"), reverse=True):
            if path not in self.files:
                shutil.rmtree(path) if path.is_dir() else path.unlink()

    def counts(self) -> dict[str, int]:
        """How many rows each table has."""
        counted = [table for table in self.tables if table not in NOT_COUNTED]
        each = ", ".join(f"(SELECT count(*) FROM {self.quoted(table)})" for table in counted)
        with connection.cursor() as cursor:
            cursor.execute(f"SELECT {each}")
            return dict(zip(counted, cursor.fetchone(), strict=True))

    @staticmethod
    def quoted(name: str) -> str:
        return connection.ops.quote_name(name)

    def keep(self) -> None: ...

    def bring_back(self) -> None: ...

    def forget(self) -> None: ...


class SQLiteWorld(World):
    """A copy of the file in memory."""

    def keep(self) -> None:
        connection.ensure_connection()
        self.copy = sqlite3.connect(":memory:", check_same_thread=False)
        connection.connection.backup(self.copy)

    def bring_back(self) -> None:
        connection.ensure_connection()
        self.copy.backup(connection.connection)

    def forget(self) -> None:
        self.copy.close()


class PostgreSQLWorld(World):
    """A copy of each table; triggers tell which were written to, and those are brought back."""

    def keep(self) -> None:
        with connection.cursor() as cursor:
            cursor.execute("DROP SCHEMA IF EXISTS kept CASCADE; CREATE SCHEMA kept")
            cursor.execute("CREATE TABLE kept.written (name text)")
            cursor.execute(
                "CREATE FUNCTION kept.note() RETURNS trigger LANGUAGE plpgsql AS "
                "$$ BEGIN INSERT INTO kept.written VALUES (TG_TABLE_NAME); RETURN NULL; END $$"
            )
            cursor.execute(
                "CREATE TABLE kept.numbers AS SELECT quote_ident(sequencename) AS name, last_value "
                "FROM pg_sequences WHERE schemaname = 'public'"
            )
            for table in self.tables:
                name = self.quoted(table)
                cursor.execute(f"CREATE TABLE kept.{name} AS TABLE public.{name}")
                cursor.execute(
                    f"CREATE TRIGGER kept_note AFTER INSERT OR UPDATE OR DELETE ON {name} "
                    "FOR EACH STATEMENT EXECUTE FUNCTION kept.note()"
                )

    def bring_back(self) -> None:
        with transaction.atomic(), connection.cursor() as cursor:
            cursor.execute("SELECT DISTINCT name FROM kept.written")
            written = [self.quoted(name) for (name,) in cursor.fetchall()]
            for name in written:
                cursor.execute(f"DELETE FROM public.{name}")
            for name in written:
                cursor.execute(f"INSERT INTO public.{name} TABLE kept.{name}")
            cursor.execute("DELETE FROM kept.written")
            cursor.execute(
                "SELECT setval(name::regclass, coalesce(last_value, 1), last_value IS NOT NULL) "
                "FROM kept.numbers"
            )

    def forget(self) -> None:
        with connection.cursor() as cursor:
            for table in self.tables:
                cursor.execute(f"DROP TRIGGER kept_note ON {self.quoted(table)}")
            cursor.execute("DROP SCHEMA kept CASCADE")


# --- the sweep ------------------------------------------------------------------------------------
@dataclass
class Sweep:
    """Ten browsers of each person, and the world they press in."""

    world: World
    things: dict[str, tuple[Any, ...]]
    more: dict[str, list[str]] = field(default_factory=dict)  # addresses of more things
    browsers: dict[str, list[Client]] = field(default_factory=dict)
    pool: Any = field(default_factory=lambda: ThreadPoolExecutor(TIMES))

    def sign_in(self, role: str) -> None:
        """Ten windows of one browser: they share its cookies."""
        signed_in = Client()
        if role != "anonymous":
            form = {"login": f"{role}@example.test", "password": PASSWORD}
            assert signed_in.post(reverse("account_login"), form).status_code == 302
        clients: list[Any] = [Client(raise_request_exception=False) for _ in range(TIMES)]
        for client in clients:
            client.as_signed_in = dict(signed_in.cookies)
        self.browsers[role] = clients

    @staticmethod
    def send(client: Any, verb: str, path: str, **more: Any) -> Any:
        client.cookies.clear()
        client.cookies.update(client.as_signed_in)
        return getattr(client, verb)(path, **more)

    # --- reading ---
    def pages(self, role: str) -> Iterator[Sheet]:
        """What a person reads: their addresses of the matrix, and some links of each kind."""
        waiting, seen = deque(["/", *self.addresses(role)]), set()
        kinds: Counter[Any] = Counter()
        while waiting:
            path = waiting.popleft()
            page = None if path in seen else self.page(role, path)
            seen.add(path)
            if page is None:
                continue
            yield page
            for kind, target in page.leads_to():
                if target not in seen and kinds[kind] < OF_A_KIND:
                    kinds[kind] += 1
                    waiting.append(target)

    def page(self, role: str, path: str) -> Sheet | None:
        """A page, at the end of what it redirects to."""
        return self.read(self.send(self.browsers[role][0], "get", path, follow=True), path)

    @staticmethod
    def read(reply: Any, path: str) -> Sheet | None:
        if reply.status_code != 200:
            return None
        where = reply.redirect_chain[-1][0] if reply.redirect_chain else path
        return sheet_of(reply, where.removeprefix("http://testserver"))

    def addresses(self, role: str) -> Iterator[str]:
        for route, row in MATRIX.items():
            if role in row.verbs.get("GET", ()) and not of_the_library(route):
                yield reverse(route, args=self.things[row.thing] if row.thing else ())
        yield from self.more.get(role, ())

    def buttons(self) -> Iterator[Press]:
        for role in self.browsers:
            for page in self.pages(role):
                yield from page.presses(role)

    # --- pressing ---
    def press(self, client: Client, press: Press) -> Any:
        headers = {"Referer": f"http://testserver{press.page}"}
        return self.send(client, "post", press.path, data=press.data(), headers=headers)

    def lead_up(self, press: Press) -> None:
        for earlier in press.before:
            self.press(self.browsers[earlier.role][0], earlier)

    def once(self, press: Press) -> tuple[Any, dict[str, int], list[Press]]:
        """The answer to one press, the rows after it, and the buttons of the page it led to."""
        self.lead_up(press)
        reply = self.press(self.browsers[press.role][0], press)
        after = self.world.counts()
        before = press.before if refused(reply) else (*press.before, press)
        found: list[Press] = []
        for role, page in self.led_to(press, reply) if len(before) < DEEP else ():
            found += page.presses(role, before) if page else ()
        self.world.restore()
        return reply, after, found

    def led_to(self, press: Press, reply: Any) -> Iterator[tuple[str, Sheet | None]]:
        if "Location" in reply:
            where = urljoin(press.page, reply["Location"])
            client = self.browsers[press.role][0]  # as it is: its cookies hold what is said there
            yield press.role, self.read(client.get(where, follow=True), where)
        else:
            yield press.role, sheet_of(reply, press.page)
        for role, route in GOES_ON.get(press.route, ()):
            yield role, self.page(role, reverse(route))

    def at_once(self, press: Press) -> tuple[list[int], dict[str, int]]:
        self.lead_up(press)
        start = threading.Barrier(TIMES)

        def one(client: Client) -> int:
            try:
                start.wait(timeout=60)
                return int(self.press(client, press).status_code)
            finally:
                connection.close()

        codes = list(self.pool.map(one, self.browsers[press.role]))
        after = self.world.counts()
        self.world.restore()
        return codes, after


def of_the_library(route: str) -> bool:
    """Pages of django-allauth: signing in and out, addresses, passwords, second factors."""
    return route.startswith(("account_", "mfa_"))


def sheet_of(reply: Any, where: str) -> Sheet | None:
    if reply.streaming or not reply.headers.get("Content-Type", "").startswith("text/html"):
        return None
    return Sheet(reply.content.decode(errors="replace"), where)


def refused(reply: Any) -> bool:
    """A step whose thing moved on shows that thing, with 303; that is a refusal as well."""
    return reply.status_code >= 400 or reply.status_code == 303


def more_people(staff: User) -> list[str]:
    """Applicants at the steps where the sample programme has nobody."""
    row = {
        "applicant_in": "finance", "affiliation": "A bank", "degree": "BSc", "years": 6,
        "credentials": "Six years in lending.",
        "certifications": [{"title": "CFA", "issuer": "CFA Institute", "year": 2019}],
    }  # fmt: skip
    made = {}
    for name in ("applied", "admitted", "trainee"):
        made[name] = User.objects.create_user(
            f"{name}@example.test", PASSWORD, display_name=name.title()
        )
        confirm_address(made[name])
    send_application(made["applied"], row)
    admit(actor=staff, application=send_application(made["admitted"], row))
    walk_to_trial(made["trainee"], row, staff)
    return list(made)


def bring_files(before: Path) -> None:
    """The files of rows that were copied from an earlier walk through the sample programme."""
    for name in Attachment.objects.values_list("file", flat=True):
        here, there = Path(settings.MEDIA_ROOT) / name, before / name
        if not here.exists() and there.exists():
            here.parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(there, here)


@pytest.fixture
def sweep(transactional_db: Any, settings: Any, tmp_path: Path) -> Iterator[Sweep]:
    before = Path(settings.MEDIA_ROOT)
    settings.MEDIA_ROOT = tmp_path / "files"
    settings.ACCOUNT_RATE_LIMITS = {}
    settings.SPOT_CHECK_RATE = 0.3
    settings.PROMPTS_PER_EXPERT = 20
    sample_programme()
    people = {role: User.objects.get(email=f"{role}@example.test") for role in PEOPLE}
    found = things(people)
    finance = Domain.objects.get(key="finance")
    category = finance.categories.first()
    other = User.objects.get(email="expert.finance@example.test")
    ready = to_refining(people["author"], other, finance, category=category)
    sheet = ScoringSheet.objects.get(pk=found["sheet"][0])
    line = found["sheet_line"][1]
    score_line(actor=sheet.user, sheet=sheet, criterion=line, met=True, rationale="It does.")
    Task.objects.filter(pk=found["draft"][0]).update(materials="Other than in the kept text.")
    more = more_people(people["staff"])
    bring_files(before)
    world = (SQLiteWorld if connection.vendor == "sqlite" else PostgreSQLWorld)()
    swept = Sweep(world, found)
    swept.more = {
        "author": [
            reverse("rubric", args=[ready.pk]),
            reverse("rubric-copy", args=[ready.pk]) + f"?from={found['refining'][0]}",
        ],
        "staff": [reverse("staff-person", args=[people["author"].pk])],
    }
    for role in [*ROLES, *more]:
        swept.sign_in(role)
    world.keep()
    yield swept
    swept.pool.shutdown()
    world.forget()


@dataclass
class Outcome:
    """What came of all presses."""

    acted: dict[tuple[str, str], str] = field(default_factory=dict)
    refused: dict[tuple[str, str], str] = field(default_factory=dict)
    wrong: list[str] = field(default_factory=list)


def press_everything(sweep: Sweep) -> Outcome:
    """Each button of each address, until a form of it is accepted; then ten times at once."""
    outcome, tried = Outcome(), Counter[Any]()
    waiting = deque(sweep.buttons())
    sweep.world.restore()
    while waiting:
        press = waiting.popleft()
        if press.key in outcome.acted or tried[press.key, press.path, len(press.before)] >= 6:
            continue
        if len([1 for key, _path, _deep in tried if key == press.key]) > TRIES:
            continue
        tried[press.key, press.path, len(press.before)] += 1
        reply, one, found = sweep.once(press)
        waiting.extend(found)
        if reply.status_code >= 500:
            outcome.wrong.append(f"{press.key} as {press.role}: {reply.status_code}")
        if refused(reply):
            outcome.refused[press.key] = f"{reply.status_code} at {press.path} as {press.role}"
            continue
        codes, ten = sweep.at_once(press)
        more = {name: f"{one[name]}, then {ten[name]}" for name in one if one[name] != ten[name]}
        outcome.acted[press.key] = f"{press.path} as {press.role}"
        if (more and press.route not in EACH_PRESS_ACTS) or max(codes) >= 500:
            outcome.wrong.append(f"{press.key} at {press.path} as {press.role}: {more} {codes}")
    return outcome


def test_every_button_pressed_ten_times_at_once_acts_once(sweep):
    outcome = press_everything(sweep)
    posts = {r for r, row in MATRIX.items() if "POST" in row.verbs and not of_the_library(r)}
    left = posts - {route for route, _button in outcome.acted}
    wrong = outcome.wrong
    wrong += [f"no button of {route} was pressed" for route in sorted(left - set(NOT_PRESSED))]
    wrong += [f"{route} was pressed after all" for route in sorted(set(NOT_PRESSED) - left)]
    for key, why in sorted(outcome.refused.items()):
        if key not in outcome.acted and key not in REFUSED and key[0] not in NOT_PRESSED:
            wrong.append(f"{key} was refused each time: {why}")
    assert wrong == [], "\n" + "\n".join(wrong)
