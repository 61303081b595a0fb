"""The staff's queue of applications: filters, order, many decisions at once."""

from collections.abc import Callable
from typing import Any

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from curation.joining.domains.models import Domain
from curation.joining.people import User
from curation.qualifying.applications.models import Application

pytestmark = pytest.mark.django_db
Go = Callable[[User], Application]
SignIn = Callable[[User], Client]
LIST = "/staff/applications/"


def shown(browser: Client, query: str = "") -> set[int]:
    page = browser.get(f"{LIST}?{query}")
    return {row.pk for row in page.context["list"].rows}


@pytest.fixture
def three(person: Any, applied: Go) -> list[Application]:
    rows = [applied(person(name)) for name in ("ana", "ben", "chu")]
    Application.objects.filter(pk=rows[0].pk).update(years=25, affiliation="Lantern Bank")
    Application.objects.filter(pk=rows[1].pk).update(route="vendor")
    Application.objects.filter(pk=rows[2].pk).update(
        stage_since=timezone.now() - timezone.timedelta(days=9)
    )
    return rows


def test_each_filter_narrows_and_they_work_together(
    sign_in: SignIn, staff: User, three: list[Application]
) -> None:
    ana, ben, chu = (row.pk for row in three)
    browser = sign_in(staff)
    for query, found in {
        "": {ana, ben, chu},
        "years=21": {ana},
        "years=3": {ben, chu},
        "route=vendor": {ben},
        "days=7": {chu},
        "q=lantern": {ana},
        "q=BEN@example": {ben},
        "q=harbour+chu": {chu},
        f"q=Expert+{three[1].user_id}": {ben},
        "q=lending": set(),  # the free text is not searched
        "stage=applied&years=3&route=direct": {chu},
        "stage=exam": set(),
    }.items():
        assert shown(browser, query) == found, query


@pytest.mark.parametrize(
    "query",
    [
        "sort=user__password",
        "sort=-user__email",
        "sort=-waiting",
        "user__password=x",
        "stage__regex=.",
        "years=__class__",
        "days=-1",
        "route=x&domain=%27",
        "page=0",
        "page=nonsense",
        "format=exe",
    ],
)
def test_nothing_but_the_lists_can_be_asked_for(sign_in: SignIn, staff: User, query: str) -> None:
    answer = sign_in(staff).get(f"{LIST}?{query}", HTTP_ACCEPT="application/json")
    assert answer.status_code == 400
    assert query.split("=")[0] in answer.json()["fields"]


def test_the_order_can_be_chosen(sign_in: SignIn, staff: User, three: list[Application]) -> None:
    browser = sign_in(staff)
    for sort, first in (
        ("", 2),
        ("waiting", 2),
        ("-applied", 2),
        ("-years", 0),
        ("name", 0),
        ("-name", 2),
        ("domain", 0),
    ):
        page = browser.get(f"{LIST}?sort={sort}")
        assert page.context["list"].rows[0].pk == three[first].pk, sort


def test_the_queue_costs_the_same_for_three_and_for_eight_and_little(
    sign_in: SignIn, staff: User, person: Any, applied: Go
) -> None:
    browser = sign_in(staff)
    counted = []
    for upto in (range(3), range(3, 8)):
        for n in upto:
            applied(person(f"p{n}"))
        with CaptureQueriesContext(connection) as queries:
            browser.get(f"{LIST}?q=expert&sort=name&stage=applied")
        counted.append(len(queries))
    assert counted[0] == counted[1] < 10


def test_beside_an_application_stand_the_others_of_the_person_and_the_conflicts(
    sign_in: SignIn, staff: User, three: list[Application], law: Domain, peer: User
) -> None:
    User.objects.filter(pk=peer.pk).update(affiliation=" harbour  BANK ")
    other = Application.objects.create(
        user=three[1].user, domain=law, affiliation="x", degree="x", years=4, credentials="x",
        stage="rejected",
    )  # fmt: skip
    page = sign_in(staff).get(f"{LIST}{three[1].pk}/").content.decode()
    assert f"{LIST}{other.pk}/" in page
    assert f"/staff/people/{peer.pk}/" in page
