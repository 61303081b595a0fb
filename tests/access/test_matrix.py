"""Every address × every role × every verb, on the sample programme.

Complete by construction: the addresses are read from the URL configuration, and one without a
row in `matrix.py`, or without a row in the product's own table, fails.
"""

from collections.abc import Iterator
from typing import Any

from allauth.account.forms import default_token_generator
from allauth.account.utils import user_pk_to_url_str
from django.db import transaction
from django.test import Client, TestCase, override_settings
from django.urls import URLPattern, URLResolver, get_resolver, reverse

from config.management.commands.sample_programme import load
from curation import access
from curation.actions.exams import start_sitting
from curation.lifecycle import Stage
from curation.models import Application, Task, Trial, User
from judge.models import Anchor, Sheet
from review.models import Review
from rubrics.models import RubricVersion
from tests.access.matrix import MATRIX, ROLES

VERBS = ("GET", "HEAD", "OPTIONS", "POST", "PUT", "PATCH", "DELETE")
REFUSED = {403, 404}


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
        assert [r for r in access.routes() if r not in ALL_ROUTES and r != "admin:*"] == []

    def test_every_permission_a_route_names_is_known(self):
        for row in access.routes().values():
            for permission in row.values():
                access.allows(User(), permission, None)

    def test_both_tables_name_the_same_verbs(self):
        differ = {
            route: (sorted(row.verbs), sorted(access.routes().get(route, {})))
            for route, row in MATRIX.items()
            if sorted(row.verbs) != sorted(access.routes().get(route, {}))
        }
        assert differ == {}


@override_settings(SPOT_CHECK_RATE=0.3, ACCOUNT_RATE_LIMITS={})
class TestEveryAddress(TestCase):
    """The world is loaded once; each request is rolled back."""

    people: dict[str, User]
    things: dict[str, tuple[Any, ...]]

    @classmethod
    def setUpTestData(cls):
        load("a password for the matrix")
        cls.people = {
            name: User.objects.get(email=f"{name}@example.test")
            for name in ROLES
            if name != "anonymous"
        }
        cls.things = things(cls.people)

    def clients(self) -> Iterator[tuple[str, Client]]:
        for role in ROLES:
            client = Client(raise_request_exception=False)
            if role != "anonymous":
                client.force_login(
                    self.people[role], backend="django.contrib.auth.backends.ModelBackend"
                )
            yield role, client

    def ask(self, client: Client, verb: str, path: str) -> Any:
        """One request whose effects are rolled back."""
        with transaction.atomic():
            reply = client.generic(
                verb,
                path,
                data=b"" if not path.startswith("/api/") or verb == "GET" else b"{}",
                content_type="application/json"
                if path.startswith("/api/")
                else "application/x-www-form-urlencoded",
            )
            transaction.set_rollback(True)
        return reply

    def test_everybody_gets_exactly_what_the_matrix_says(self):
        wrong = []
        for role, client in self.clients():
            session = dict(client.cookies)
            for route in ALL_ROUTES:
                row = MATRIX[route]
                path = reverse(route, args=self.things[row.thing] if row.thing else ())
                for verb in VERBS:
                    client.cookies.update(session)
                    reply = self.ask(client, verb, path)
                    problem = verdict(role, row.verbs, verb, reply)
                    if problem:
                        wrong.append(f"{verb:7} {route:34} as {role:10} {problem}")
        assert wrong == [], "\n" + "\n".join(wrong)

    def test_the_admin_is_for_staff_only(self):
        for role, client in self.clients():
            for path in ("/admin/", "/admin/curation/domain/"):
                status = self.ask(client, "GET", path).status_code
                if role == "staff":
                    assert status in (200, 403), (role, path, status)
                elif role == "anonymous":
                    assert status == 302
                else:
                    assert status == 403, (role, path, status)

    def test_a_missing_object_and_somebody_elses_answer_alike(self):
        client = Client()
        client.force_login(
            self.people["author2"], backend="django.contrib.auth.backends.ModelBackend"
        )
        for route in ("task", "task-edit", "rubric", "api-task"):
            hidden = client.get(reverse(route, args=self.things["draft"]))
            missing = client.get(reverse(route, args=(99_999_999,)))
            assert hidden.status_code == missing.status_code == 404, route
            assert normal(hidden, self.things["draft"][0]) == normal(missing, 99_999_999), route


def normal(reply: Any, number: int) -> bytes:
    """A page without what differs by address or by request."""
    import re

    body = reply.content.replace(str(number).encode(), b"N")
    return re.sub(rb'name="csrfmiddlewaretoken" value="[^"]+"', b"", body)


def verdict(role: str, verbs: dict[str, set[str]], verb: str, reply: Any) -> str | None:
    """What is wrong with an answer; None if it is as the matrix says."""
    status = reply.status_code
    if status >= 500 and status != 503:
        return f"broke with {status}"
    column = "GET" if verb == "HEAD" else verb
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


def things(people: dict[str, User]) -> dict[str, tuple[Any, ...]]:
    """Arguments of the addresses, by the name the matrix uses."""
    draft = Task.objects.get(key="finance-receivables-sale")
    refining = Task.objects.get(key="law-germany-redundancies")
    in_review = Task.objects.get(key="finance-fx-hedge-policy")
    version = RubricVersion.objects.get(task=refining, frozen_at__isnull=True)
    line = version.criteria.order_by("position").first()
    review = Review.objects.get(task=in_review)
    reviewed_line = review.rounds.get().version.criteria.order_by("position").last()
    application = Application.objects.get(user=people["applicant"])
    sitting = start_sitting(actor=people["applicant"], application=application)
    trial = Trial.objects.get(verdict="", submitted_at__isnull=False)
    applicant = people["applicant"]
    assert line is not None
    assert reviewed_line is not None
    found = {
        "draft": (draft.pk,),
        "refining": (refining.pk,),
        "refining_line": (refining.pk, line.pk),
        "refining_change": (refining.pk, 1),
        "in_review": (in_review.pk,),
        "review": (review.pk,),
        "review_line": (review.pk, reviewed_line.pk),
        "screening": (Task.objects.get(key="education-inclusive-reading-plan").pk,),
        "screened": (Task.objects.get(key="law-lease-break").pk,),
        "spot_check": (Task.objects.get(stage=Stage.SPOT_CHECK).pk,),
        "approved": (Task.objects.get(key="law-lease-break").pk,),
        "application": (application.pk,),
        "sitting": (sitting.pk,),
        "trial": (trial.pk,),
        "person": (applicant.pk,),
        "mail_key": ("nothing",),
        "reset_key": (user_pk_to_url_str(applicant), default_token_generator.make_token(applicant)),
    }
    return found
