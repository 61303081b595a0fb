"""Every address × every role × every verb, on the sample programme.

Complete by construction: the addresses are read from the URL configuration, and one without a
row in `matrix.py`, or without a row in the product's own table, fails.

The middleware asks the product's table before any view runs. So the table is compared with the
matrix for every address, verb and role, and requests are made where they show more than that:

- at every address, with every verb it has, by everybody whom only the view can refuse;
- where the view refuses nobody, by one of those who may;
- of those whom the table refuses, by each role once for every permission, on pages and on the API;
- with a verb that an address does not have, by each role once for every verb, and at every address.
"""

import json
import re
from collections.abc import Iterator
from html import unescape
from itertools import product
from typing import Any
from urllib.parse import urlencode

from django.contrib.auth.models import AnonymousUser
from django.db import transaction
from django.test import TestCase, override_settings
from django.urls import URLPattern, URLResolver, get_resolver, reverse

from curation.base.access import permissions as access
from curation.base.access import trail
from curation.base.access.duties import Duty
from curation.joining.people import User
from tests.base.access.asking import Asker, asker_of, handler
from tests.base.access.counting import counted_once, no_requests_kept
from tests.base.access.matrix import MATRIX
from tests.base.access.members import everybody
from tests.base.access.roles import DUTY_OF, MEMBERS
from tests.base.access.roles import ROLES_AND_MEMBERS as ROLES
from tests.base.access.sample_things import bodies, things
from tests.programme import sample_programme

VERBS = ("GET", "HEAD", "OPTIONS", "POST", "PUT", "PATCH", "DELETE")
REFUSED = {403, 404}
REPR = r">(\w+\(\w+=.*?|[^>]* object at 0x.*?)<"  # a thing without a text of its own


def routes(patterns: Any, prefix: str = "") -> Iterator[str]:
    """Names of all addresses; the admin's are checked apart."""
    for pattern in patterns:
        if isinstance(pattern, URLResolver):
            if pattern.namespace != "admin":
                yield from routes(pattern.url_patterns)
        elif isinstance(pattern, URLPattern):
            assert pattern.name, f"{pattern} has no name, so no row can allow it"
            yield pattern.name


ALL_ROUTES = sorted(set(routes(get_resolver().url_patterns)))


class TestTheTables:
    def test_every_address_has_a_row_in_the_matrix_and_no_row_is_left_over(self):
        assert sorted(MATRIX) == ALL_ROUTES

    def test_every_address_has_a_row_in_the_products_own_table(self):
        without = [r for r in ALL_ROUTES if r not in access.routes() and MATRIX[r].verbs]
        assert without == []

    def test_the_products_table_names_no_address_that_does_not_exist(self):
        assert [
            r for r in access.routes() if r not in ALL_ROUTES and not r.startswith("admin:")
        ] == []

    def test_every_permission_a_route_names_is_known(self):
        named = {p for row in access.routes().values() for p in row.values()}
        # an unknown name raises; nobody signed in gets what is open, and nothing else
        assert {p for p in named if access.allows(AnonymousUser(), p, None)} == {"open"}

    def test_both_tables_name_the_same_verbs(self):
        differ = {
            route: (sorted(row.verbs), sorted(access.routes().get(route, {})))
            for route, row in MATRIX.items()
            if sorted(row.verbs) != sorted(access.routes().get(route, {}))
        }
        assert differ == {}

    def test_every_page_has_an_entry_or_a_page_above_or_says_why_none(self):
        pages = [r for r, verbs in access.routes().items() if "GET" in verbs]
        lost = [
            route
            for route in pages
            if not route.startswith(("api-", "admin:"))
            if not (trail.above(route) or trail.of(route).menu == route or trail.of(route).alone)
        ]
        assert lost == []

    def test_every_page_above_or_beside_another_exists_and_has_a_name(self):
        above = {up for route in trail.trails() for up in trail.above(route)}
        above |= {tab for place in trail.trails().values() for tab in place.tab.split()}
        assert above == {r for r in above if access.permission_of(r, "GET") and trail.of(r).name}


@override_settings(
    SPOT_CHECK_RATE=0.3,
    ACCOUNT_RATE_LIMITS={},
    SESSION_ENGINE="django.contrib.sessions.backends.signed_cookies",
)
class TestEveryAddress(TestCase):
    """The world is loaded once; each request is rolled back.

    As the world never changes, what waits for a person is counted once, not on each of their
    pages, and sessions need no table.
    """

    people: dict[str, User]
    things: dict[str, tuple[Any, ...]]
    bodies: dict[str, dict[str, Any]]

    @classmethod
    def setUpTestData(cls):
        sample_programme()
        cls.people = everybody()
        cls.things = things(cls.people)
        cls.bodies = bodies()

    def setUp(self):
        self.enterContext(counted_once())
        self.enterContext(no_requests_kept())

    def clients(self) -> dict[str, Asker]:
        product = handler()
        return {role: asker_of(self.people.get(role), product) for role in ROLES}

    def ask(self, client: Asker, verb: str, path: str, form: dict[str, Any] | None = None) -> Any:
        """One request whose effects are rolled back.

        GET asks as a browser does, the others as a script: both kinds of refusal are tried.
        """
        data = urlencode(form or {})
        accept = {"HTTP_ACCEPT": "application/json"} if verb != "GET" else {}
        with transaction.atomic():
            reply = client.anew().generic(
                verb,
                path,
                data="{}" if path.startswith("/api/") and verb != "GET" else data,
                content_type="application/json"
                if path.startswith("/api/")
                else "application/x-www-form-urlencoded",
                **accept,
            )
            transaction.set_rollback(True)
        return reply

    def past_the_table(self, route: str, verb: str) -> list[str]:
        """The roles that the product's own table lets as far as the view."""
        permission, visitor = access.permission_of(route, verb), AnonymousUser()
        if permission is None:
            return []
        return [r for r in ROLES if access.allows(self.people.get(r, visitor), permission)]

    def path(self, route: str) -> str:
        thing = MATRIX[route].thing
        return reverse(route, args=self.things[thing] if thing else ())

    def worth_asking(self) -> set[tuple[str, str, str]]:
        """The requests that show more than the two tables do: route, verb, role."""
        chosen, seen = set(), set()
        for route, verb in product(ALL_ROUTES, VERBS):
            past = self.past_the_table(route, verb)
            gate = access.permission_of(route, verb), self.path(route).startswith("/api/")
            for role in ROLES:
                if verb == "HEAD" or not past:
                    kind: tuple[Any, ...] = (role, verb)
                elif role not in past:
                    kind = (role, *gate)
                elif MATRIX[route].verbs[verb] == set(past):
                    kind = (route, verb)
                else:
                    kind = (route, verb, role)
                if kind not in seen:
                    seen.add(kind)
                    chosen.add((route, verb, role))
            # One verb that the address does not have; almost none has DELETE.
            if verb == ("PUT" if "DELETE" in MATRIX[route].verbs else "DELETE"):
                chosen.add((route, verb, "staff"))
        return chosen

    def test_the_products_table_stops_nobody_whom_the_matrix_lets_through(self):
        stopped = {
            (route, verb): sorted(may - set(self.past_the_table(route, verb)))
            for route, row in MATRIX.items()
            for verb, may in row.verbs.items()
        }
        assert {where: roles for where, roles in stopped.items() if roles} == {}

    def test_everybody_gets_exactly_what_the_matrix_says(self):
        clients, wrong = self.clients(), []
        ways: set[tuple[str, str]] = set()
        for route, verb, role in sorted(self.worth_asking()):
            row, client = MATRIX[route], clients[role]
            reply = self.ask(client, verb, self.path(route), self.bodies.get(row.body or ""))
            problem = verdict(role, row.verbs, verb, reply)
            if problem:
                wrong.append(f"{verb:7} {route:34} as {role:10} {problem}")
            bars = bars_of(reply)
            ways |= {(role, unescape(link)) for link in re.findall(r'href="(.*?)"', bars)}
            wrong += [
                f"{route} as {role}: {text[:60]}" for text in re.findall(REPR, unescape(bars))
            ]
        for role, link in sorted(ways):
            reply = self.ask(clients[role], "GET", link)
            if reply.status_code not in (200, 302):
                wrong.append(f"{role} meets {link} in a bar: {reply.status_code}")
        assert len(ways) > 100
        assert wrong == [], "\n" + "\n".join(wrong)

    def test_the_requests_leave_no_address_no_verb_and_no_roles_refusal_out(self):
        asked = self.worth_asking()
        for route, row in MATRIX.items():
            mine = {verb for name, verb, _role in asked if name == route}
            assert mine >= set(row.verbs), route
            assert mine - set(row.verbs), route  # a verb that the address does not have
        stopped = {
            role
            for route, verb, role in asked
            if verb in MATRIX[route].verbs and role not in self.past_the_table(route, verb)
        }
        assert stopped == set(ROLES)

    def test_the_admin_is_for_staff_only(self):
        for role, client in self.clients().items():
            for path in ("/admin/", "/admin/curation/domain/"):
                status = self.ask(client, "GET", path).status_code
                if role == "staff" or role in MEMBERS:
                    assert status in (200, 403), (role, path, status)
                elif role == "anonymous":
                    assert status == 302
                else:
                    assert status == 403, (role, path, status)

    def test_a_refused_change_names_the_duty_and_each_duty_is_refused_somewhere(self):
        clients, named = self.clients(), set()
        for route, row in MATRIX.items():
            permission = access.permission_of(route, "POST") or ""
            duty = permission.removeprefix("staff.")
            if duty not in named and duty in DUTY_OF.values() and permission != duty:
                named.add(duty)
                reply = self.ask(clients["observer"], "POST", self.path(route))
                said = json.loads(reply.content)
                assert (reply.status_code, said["code"], said["duty"]) == (403, "duty_needed", duty)
                assert str(Duty(duty).label) in said["detail"], route
                assert self.people["staff"].name_for_staff in said["detail"]
                assert row.verbs["POST"] == {"staff", f"staff_{duty}"}
        assert named == set(DUTY_OF.values()) - {""}

    def test_a_missing_object_and_somebody_elses_answer_alike(self):
        client = asker_of(self.people["author2"], handler())
        for route in ("task", "task-edit", "rubric", "api-task"):
            hidden = client.get(reverse(route, args=self.things["draft"]))
            missing = client.get(reverse(route, args=(99_999_999,)))
            assert hidden.status_code == missing.status_code == 404, route
            assert normal(hidden, self.things["draft"][0]) == normal(missing, 99_999_999), route


def bars_of(reply: Any) -> str:
    """The path over a page, its heading, and the links to the pages beside it."""
    if reply.status_code != 200 or getattr(reply, "streaming", False):
        return ""
    found = re.findall(
        rb'<nav class="path"[^>]*>.*?</nav>|<h1 class="title".*?</h1>|'
        rb'<div class="row places">.*?</div>',
        reply.content,
        re.DOTALL,
    )
    return b"".join(found).decode()


def normal(reply: Any, number: int) -> bytes:
    """A page without what differs by address or by request."""
    body = re.sub(rb'"[A-Za-z0-9]{64}"', b'"a CSRF token"', reply.content)
    return body.replace(str(number).encode(), b"N")


def kept(reply: Any) -> set[str]:
    """What browsers are told about keeping this answer."""
    return {word.strip() for word in reply.headers.get("Cache-Control", "").split(",")}


def verdict(role: str, verbs: dict[str, set[str]], verb: str, reply: Any) -> str | None:
    """What is wrong with an answer; None if it is as the matrix says."""
    status = reply.status_code
    if status >= 500 and status != 503:
        return f"broke with {status}"
    column = "GET" if verb == "HEAD" else verb
    reader = getattr(reply.wsgi_request, "user", AnonymousUser())  # none where nobody is asked for
    if reader.is_authenticated and not {"private", "no-store"} <= kept(reply):
        return f"may be kept by a browser: {reply.headers.get('Cache-Control')}"
    if not verbs:
        return None if status == 404 else f"answered {status}, expected 404"
    if column not in verbs:
        return None if status == 405 else f"answered {status}, expected 405"
    to_sign_in = status == 401 or (
        status == 302 and reply.headers.get("Location", "").startswith("/account/login/?next=")
    )
    if role in verbs[column]:
        return f"refused with {status}" if to_sign_in or status in {403, 404, 405} else None
    if role == "anonymous":
        return None if to_sign_in else f"answered {status}, expected the sign-in"
    return None if status in REFUSED else f"answered {status}, expected a refusal"
