"""Every parameter of every address that is read, sent with what no page of ours sends.

Complete by construction: the names are those the product asks its query for while it answers, so
nobody lists them; and each place of the source that reads a query must have been reached.
"""

import ast
import inspect
import json
import re
from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace
from html import unescape
from pathlib import Path
from typing import Any
from unittest import mock
from urllib.parse import parse_qs, quote, urljoin, urlsplit

from django.conf import settings
from django.core.handlers.wsgi import WSGIRequest, get_bytes_from_wsgi
from django.db import transaction
from django.forms import BaseForm
from django.http import QueryDict
from django.test import TestCase, override_settings
from django.test.signals import template_rendered
from django.urls import reverse

from curation.base.process.lifecycle import Stage
from curation.joining.people import User
from curation.tasks.task.models import Task
from review.decisions.actions import take_decision
from tests.base.access.asking import asker_of, handler, route_of
from tests.base.access.counting import counted_once, no_requests_kept
from tests.base.access.matrix import MATRIX
from tests.base.access.roles import ROLES
from tests.base.access.sample_things import things
from tests.programme import sample_programme

APPS = ("config", "curation", "rubrics", "review", "judge")
ELSEWHERE = "elsewhere.test"
MARKER = "'\"><script>fuzz</script>"
# What a page may take for an answer, and trip over later: sent to every reader of a query.
TEMPTING = (
    "-1",
    "9" * 40,
    "9999-12-31",
    "0001-01-01",
    "%00",
    quote(f"{MARKER}\r\nSet-Cookie: x=1\u202e../../etc/passwd"),
    f"//{ELSEWHERE}",
)
# What is mostly refused at once: each address gets its share, in turn.
HOPELESS = (
    "",
    "0",
    "%C2%B2",  # a digit in some libraries' eyes, no number
    "NaN",
    "1e309",
    "2026-01-01T00:00:00%2B14:00",
    "null",
    "%ED%A0%80%FF",  # no UTF-8: half a pair, and a byte that never occurs
    "x" * 10_000,
    f"https://{ELSEWHERE}/",
)
SHARES = 5
# Once for each address: other shapes, and names nobody knows, which a page may echo or pass on.
STRANGE = (
    "{0}&=&&%&{0}=a&{0}=b&{0}[]=1&{0}[a]=1;{0}&nobody_reads_this=1&%00=1&%FF=1&%ED%A0%80=1&"
    f"{quote(MARKER)}=1&{'x' * 300}=1"
)
LINK = re.compile(r'(?:href|action|src|data-refresh)="([^"#]*)')
TAGS = re.compile(r"<(script|style|head)\b.*?</\1>|<[^>]*>", re.DOTALL)


# --- what the product asks its query for ------------------------------------------------------
OURS = tuple(f"{settings.BASE_DIR / app}/" for app in APPS)


Place = tuple[str, int] | None  # file and line


def asking() -> Place:
    """The place in our own source that asks, if a library does not ask for itself."""
    frame: Any = inspect.currentframe().f_back.f_back
    while frame is not None:
        path = frame.f_code.co_filename
        if path.startswith(OURS) and not path.endswith("/middleware.py"):
            return str(Path(path).relative_to(settings.BASE_DIR)), frame.f_lineno
        frame = frame.f_back
    return None


@dataclass
class Reading:
    """The names asked for since the last look, and all places in the source that asked."""

    verb: str = ""
    names: dict[str, Place] = field(default_factory=dict)  # by whom: None is a library
    places: set[Place] = field(default_factory=set)

    def note(self, name: Any) -> None:
        self.names[str(name)] = self.names.get(str(name)) or asking()

    def take(self) -> dict[str, Place]:
        names, self.names = self.names, {}
        return names


READ = Reading()


class Noting:
    """Notes the names it is asked for."""

    def __getitem__(self, name: Any) -> Any:
        READ.note(name)
        return super().__getitem__(name)  # type: ignore[misc]

    def __contains__(self, name: Any) -> bool:
        READ.note(name)
        return super().__contains__(name)  # type: ignore[misc]

    def get(self, name: Any, *default: Any) -> Any:
        READ.note(name)
        return super().get(name, *default)  # type: ignore[misc]


class NotedDict(Noting, dict):
    """The same names in a plain dict."""


class Noted(Noting, QueryDict):
    """A query as Django gives it."""

    def getlist(self, name: Any, *default: Any) -> Any:
        READ.note(name)
        return super().getlist(name, *default)

    def dict(self) -> Any:
        return NotedDict(super().dict())


def noted_query(request: WSGIRequest) -> QueryDict:
    """What `request.GET` is while this test runs."""
    READ.places.add(asking())
    if "noted" not in request.__dict__:
        raw = get_bytes_from_wsgi(request.environ, "QUERY_STRING", "")
        request.__dict__["noted"] = Noted(raw, encoding=request.encoding)
    return request.__dict__["noted"]


full_clean = BaseForm.full_clean


def noted_fields(form: BaseForm) -> None:
    """A form may be given a plain dict made of the query, which notes nothing."""
    if READ.verb == "GET":
        for name in form.fields:
            READ.note(form.add_prefix(name))
    full_clean(form)


def places_in_the_source() -> Iterator[tuple[str, range]]:
    """Where the product reads a query: `….GET` and `….query_params`."""
    for app in APPS:
        for path in sorted((settings.BASE_DIR / app).rglob("*.py")):
            for node in ast.walk(ast.parse(path.read_text())):
                if isinstance(node, ast.Attribute) and node.attr in ("GET", "query_params"):
                    lines = range(node.lineno, (node.end_lineno or node.lineno) + 1)
                    yield str(path.relative_to(settings.BASE_DIR)), lines


# --- what is wrong with an answer -------------------------------------------------------------
def problem(reply: Any) -> str | None:
    """What is wrong with the answer to a strange query; None if it may be given."""
    if reply.status_code >= 500:
        return f"broke with {reply.status_code}"
    if urlsplit(reply.headers.get("Location", "")).netloc not in ("", "testserver"):
        return f"leads to {reply.headers['Location']}"
    if "x=1" in str(reply.cookies):
        return "sets a cookie that was asked for"
    body = (b"".join(reply.streaming_content) if reply.streaming else reply.content).decode()
    kind = reply.headers.get("Content-Type", "").partition(";")[0]
    if kind == "text/html":
        if "<script>fuzz" in body:
            return "gives the script back as it came"
        led = [link for link in LINK.findall(body) if goes_elsewhere(unescape(link))]
        if led:
            return f"leads elsewhere by its links: {led}"
    if 400 <= reply.status_code < 500:
        return None if says_why(body, kind) else f"refuses with {reply.status_code}, not saying why"
    return None


def goes_elsewhere(link: str) -> bool:
    try:
        return urlsplit(urljoin("http://testserver/", link.replace("\\", "/"))).netloc == ELSEWHERE
    except ValueError:
        return False


def says_why(body: str, kind: str) -> bool:
    """Whether a refusal holds a sentence."""
    if kind == "application/json":
        said = json.loads(body).get("detail", "")
    else:
        said = TAGS.sub(" ", body[max(body.find("<main"), 0) :])
    return bool(re.search(r"\w+ \w+.*?\w[.!?]", said))


@dataclass(frozen=True)
class Address:
    verb: str
    route: str
    path: str
    role: str
    part: bool = False
    name: str = ""  # of the parameter
    reader: Place = None  # where our source asks for it


Values = dict[str, str]  # by the name of the parameter, as they stand in a query


def rounds(addresses: Iterable[list[Address]]) -> Iterator[tuple[Address, Values]]:
    """What is sent where: a value for every parameter of an address at once, another in each round.

    The first address of each reader gets every value for each parameter. What the same line of our
    source reads at other addresses gets one, in turn.
    """
    known: set[tuple[Place, str]] = set()
    for turn, parameters in enumerate(addresses):
        readers = {(one.reader, "" if one.reader else one.name) for one in parameters}
        bad = [*TEMPTING, *HOPELESS[turn % SHARES :: SHARES]]
        bad = [bad[(turn + n) % len(bad)] for n in range(len(bad))]
        times = 1 if readers <= known else len(bad)
        known |= readers
        for n in range(times):
            values = {
                quote(one.name): bad[(n + place) % len(bad)] for place, one in enumerate(parameters)
            }
            yield parameters[0], values


def links(body: str, path: str) -> Iterator[tuple[str, str]]:
    """Where a page leads with a query: path and query."""
    for link in LINK.findall(body):
        where = urlsplit(urljoin(f"http://testserver{path}", unescape(link)))
        if where.netloc == "testserver" and where.query and route_of(where.path):
            yield where.path, where.query


def reached(file: str, lines: range) -> bool:
    return any((file, line) in READ.places for line in lines)


# --- asking ------------------------------------------------------------------------------------
@override_settings(
    ACCOUNT_RATE_LIMITS={}, SESSION_ENGINE="django.contrib.sessions.backends.signed_cookies"
)
class TestStrangeQueries(TestCase):
    people: dict[str, User]
    things: dict[str, tuple[Any, ...]]

    @classmethod
    def setUpTestData(cls):
        sample_programme()
        cls.people = {
            name: User.objects.get(email=f"{name}@example.test")
            for name in ROLES
            if name != "anonymous"
        }
        cls.things = things(cls.people)
        cls.deciding = Task.objects.get(stage=Stage.DECIDING)
        take_decision(actor=cls.people["senior"], task=cls.deciding)

    def setUp(self):
        self.enterContext(counted_once())
        self.enterContext(no_requests_kept())
        for target, name, value in (
            (WSGIRequest, "GET", property(noted_query)),
            (BaseForm, "full_clean", noted_fields),
        ):
            patched = mock.patch.object(target, name, value)
            patched.start()
            self.addCleanup(patched.stop)
        product = handler()
        self.clients = {role: asker_of(self.people.get(role), product) for role in ROLES}
        self.refusal: Any = None  # what the last page said of its form
        template_rendered.connect(self.keep_refusal)
        self.addCleanup(template_rendered.disconnect, self.keep_refusal)

    def keep_refusal(self, *, context: Any, **_: Any) -> None:
        self.refusal = context.get("error") or self.refusal

    def ask(self, address: Address, query: str) -> Any:
        READ.verb, self.refusal = address.verb, None
        with transaction.atomic():
            reply = (
                self.clients[address.role]
                .anew()
                .generic(
                    address.verb,
                    address.path,
                    QUERY_STRING=query,
                    **({"HTTP_X_PARTS": "1"} if address.part else {}),
                )
            )
            transaction.set_rollback(True)
        return reply

    def addresses(self) -> Iterator[Address]:
        """Every address with each verb, for the highest role that gets through.

        Pages are read as the lowest role, too: it may find other links there.
        """
        for route, row in MATRIX.items():
            path = reverse(route, args=self.things[row.thing] if row.thing else ())
            for verb, people in row.verbs.items():
                allowed = [role for role in ROLES if role in people]
                lowest = allowed[:1] if verb == "GET" else []
                for role in dict.fromkeys([*lowest, *allowed[-1:]]):
                    yield Address(verb, route, path, role)
        for route in ("rubric", "rubric-mark"):
            path = reverse(route, args=self.things["refining"])
            yield Address("GET", route, path, "author", part=True)
        yield Address("GET", "product-index", reverse("product-index"), "staff", part=True)
        used = reverse("account_confirm_email", args=["used"])
        yield Address("GET", "account_confirm_email", used, "anonymous")
        yield Address("GET", "decision", reverse("decision", args=[self.deciding.pk]), "senior")

    def read_everything(self) -> dict[tuple[str, ...], Address]:
        """Ask every address plainly and by each kind of link to it; which parameters it read."""
        asked: dict[tuple[str, ...], Address] = {}
        followed = set()
        for address in self.addresses():
            body = self.note(asked, address, "")
            for path, query in links(body, address.path):
                names = tuple(sorted(set(parse_qs(query, keep_blank_values=True))))
                route = route_of(path) or ""
                if (route, names) not in followed:
                    followed.add((route, names))
                    self.note(asked, Address("GET", route, path, address.role), query)
        return asked

    def note(self, asked: dict[tuple[str, ...], Address], address: Address, query: str) -> str:
        """Ask once; what a library reads for itself it reads alike at all addresses."""
        READ.take()
        reply = self.ask(address, query)
        for name, reader in READ.take().items():
            kind = "quota_…" if name.startswith("quota_") else name  # one for each domain
            where = (address.route, str(address.part)) if reader else ("", "")
            asked.setdefault(
                (address.verb, *where, kind), replace(address, name=name, reader=reader)
            )
        return "" if reply.streaming else reply.content.decode(errors="replace")

    def strange_replies(self, asked: Iterable[Address]) -> Iterator[tuple[Address, str, Any]]:
        """The answers to all that is sent."""
        by_address = defaultdict(list)
        for one in asked:
            by_address[one.verb, one.path, one.part].append(one)
        for parameters in by_address.values():
            query = STRANGE.format(quote(parameters[0].name))
            yield parameters[0], query, self.ask(parameters[0], query)
        for address, values in rounds(by_address.values()):
            yield from self.without_what_is_refused(address, values)

    def without_what_is_refused(
        self, address: Address, values: Values
    ) -> Iterator[tuple[Address, str, Any]]:
        """Ask; and once more without the values that were refused, as they hid the others."""
        query = "&".join(f"{name}={value}" for name, value in values.items())
        reply = self.ask(address, query)
        named = {quote(name) for name in getattr(self.refusal, "fields", None) or ()}
        yield address, query, reply
        rest = {name: value for name, value in values.items() if name not in named}
        if named and rest and rest != values:
            yield from self.without_what_is_refused(address, rest)

    def test_no_parameter_breaks_a_page_or_leads_elsewhere(self):
        asked = self.read_everything()
        assert len(asked) > 150  # or the names are not noted any more
        wrong = []
        for address, query, reply in self.strange_replies(asked.values()):
            said = problem(reply)
            if said:
                wrong.append(f"{address.verb} {address.path}?{query[:80]} {address.role}: {said}")
        assert wrong == [], "\n" + "\n".join(wrong[:60])
        assert [place for place in places_in_the_source() if not reached(*place)] == []
