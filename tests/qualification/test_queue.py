"""The staff's queue of applications: filters, order, many decisions at once."""

import re
from collections.abc import Callable
from typing import Any

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from curation.applications.models import Application
from curation.domains.models import Domain
from curation.notices.models import Notice
from curation.people.models import User
from curation.qualification.actions import admit
from curation.question_bank.models import Exam

pytestmark = pytest.mark.django_db
Go = Callable[[User], Application]
SignIn = Callable[[User], Client]
LIST = "/staff/applications/"


def shown(browser: Client, query: str = "") -> set[int]:
    page = browser.get(f"{LIST}?{query}")
    return {row.pk for row in page.context["page"]}


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
        "user__password=x",
        "stage__regex=.",
        "q=%00",
        "years=__class__",
        "days=-1",
        "route=x&domain=%27",
        "page=0",
        "page=nonsense",
    ],
)
def test_nothing_but_the_lists_can_be_asked_for(
    sign_in: SignIn, staff: User, three: list[Application], query: str
) -> None:
    browser = sign_in(staff)
    assert browser.get(f"{LIST}?{query}").status_code == 200
    assert len(shown(browser, query)) == 3


def test_the_order_can_be_chosen(sign_in: SignIn, staff: User, three: list[Application]) -> None:
    browser = sign_in(staff)
    for sort, first in (("", 2), ("newest", 2), ("years", 0), ("name", 0), ("domain", 2)):
        page = browser.get(f"{LIST}?sort={sort}")
        assert page.context["page"].object_list[0].pk == three[first].pk, sort


def test_many_are_admitted_at_once_and_what_cannot_be_is_said(
    sign_in: SignIn, staff: User, three: list[Application], exam: Exam, law: Domain, person: Any
) -> None:
    admit(actor=staff, application=three[0])  # somebody was faster
    ticked = [row.pk for row in three]
    page = sign_in(staff).post(LIST, {"pk": ticked, "decision": "admit"}, follow=True)
    said = page.content.decode()
    assert "1 application was not decided; 2 were." in said
    assert three[0].user.pseudonym in said
    stages = Application.objects.filter(pk__in=ticked).values_list("stage", flat=True)
    assert set(stages) == {"exam"}
    assert "not decided" not in sign_in(staff).get(LIST).content.decode()


def test_one_reason_reaches_each_in_their_own_language(
    sign_in: SignIn, staff: User, three: list[Application], monkeypatch: Any
) -> None:
    User.objects.filter(pk=three[1].user_id).update(language="zh-hans")
    ticked = [row.pk for row in three[:2]]
    data = {"pk": ticked, "decision": "turn_down", "reason": "full", "words": "Ask next year."}
    page = sign_in(staff).post(LIST, data, follow=True).content.decode()
    assert "Decided: 2." in page
    for row in three[:2]:
        reason = row.history.latest("pk").reason
        assert reason.endswith("\n\nAsk next year.")
        read = sign_in(User.objects.get(pk=row.user_id)).get(f"/applications/{row.pk}/")
        assert "Ask next year." in read.content.decode()
    assert "as many experts as it needs" in three[0].history.latest("pk").reason
    assert Notice.objects.filter(recipient=three[0].user, kind="application_rejected").exists()


@pytest.mark.parametrize(
    ("data", "words"),
    [
        ({"decision": "turn_down"}, "Give a reason"),
        ({"decision": "turn_down", "words": " \u200b "}, ""),
        ({"decision": "crown"}, "Choose one of the decisions shown"),
        ({"decision": "admit", "pk": []}, "Tick the applications first"),
        ({"decision": "admit", "pk": ["x", "-1", "9" * 30]}, "Tick the applications first"),
        ({"decision": "admit", "reason": "nonsense"}, "Select a valid choice"),
    ],
)
def test_a_decision_that_cannot_be_used_changes_nothing(
    sign_in: SignIn, staff: User, three: list[Application], data: dict[str, Any], words: str
) -> None:
    sent = {"pk": [row.pk for row in three]} | data
    answer = sign_in(staff).post(LIST, sent)
    if words:
        assert answer.status_code == 400
        assert words in answer.content.decode()
    assert set(Application.objects.values_list("stage", flat=True)) == {"applied"}


def test_what_was_ticked_stays_ticked_when_the_decision_is_refused(
    sign_in: SignIn, staff: User, three: list[Application]
) -> None:
    page = sign_in(staff).post(LIST, {"pk": [three[1].pk], "decision": "turn_down"})
    text = page.content.decode()
    ticked = re.findall(r"<input[^>]*\bchecked\b[^>]*>", text)
    assert len(ticked) == 1
    assert f'value="{three[1].pk}"' in ticked[0]


def test_staff_do_not_decide_on_themselves_in_a_batch(
    sign_in: SignIn, staff: User, three: list[Application], applied: Go, exam: Exam
) -> None:
    own = applied(staff)
    page = sign_in(staff).post(
        LIST, {"pk": [own.pk, three[0].pk, 987_654], "decision": "admit"}, follow=True
    )
    assert (
        "You cannot decide on your own application. Somebody else has to." in page.content.decode()
    )
    assert Application.objects.get(pk=own.pk).stage == "applied"
    assert Application.objects.get(pk=three[0].pk).stage == "exam"


def test_the_queue_costs_the_same_for_three_and_for_thirty_and_little(
    sign_in: SignIn, staff: User, person: Any, applied: Go
) -> None:
    browser = sign_in(staff)
    counted = []
    for upto in (range(3), range(3, 30)):
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
