"""A step on as many rows as can be ticked: all or none, the reasons, nothing twice."""

from typing import Any

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from curation.base.lists.bulk import MOST_AT_ONCE
from curation.joining.domains.models import Domain
from curation.joining.notices.models import Notice
from curation.joining.people import Qualification, StandingChange, User
from curation.tasks.task.models import Seat
from judge.scoring.assignments.actions import assign_alignment_sheet
from judge.scoring.sheets.models import Sheet
from tests.conftest import new_domain, new_person
from tests.scoring.graded_sheets.conftest import answer, imported_task
from tests.worlds import World

SUSPEND = "/staff/lists/people/suspend/"
SHEETS = 10  # open, with the first of the crowd


@pytest.fixture(scope="module")
def crowd_world(world_database: None) -> World:
    """501 experts of finance, ten of whom have an open sheet, two colleagues, and an applicant."""
    finance = new_domain("finance")
    crowd = User.objects.bulk_create(
        User(email=f"crowd{n}@example.org", password="!") for n in range(MOST_AT_ONCE + 1)
    )
    Qualification.objects.bulk_create(Qualification(user=one, domain=finance) for one in crowd)
    puzzles = Domain.objects.create(key="puzzles", name="Puzzles", external=True)
    for n in range(SHEETS):
        response = answer(imported_task(puzzles, f"x-{n}"), "Cedar")
        assign_alignment_sheet(actor=None, response=response, scorer=crowd[n])
    return World(
        finance=finance,
        applicant=new_person("applicant"),
        ana=new_person("ana", finance),
        ben=new_person("ben", finance),
    )


@pytest.fixture
def crowd(crowd_world: World) -> list[int]:
    rows = User.objects.filter(email__startswith="crowd").order_by("pk")
    return list(rows.values_list("pk", flat=True))


@pytest.fixture
def office(crowd_world: World, sign_in: Any, person: Any) -> Client:
    browser: Client = sign_in(person("staff", is_staff=True))
    return browser


def form(people: list[int]) -> dict[str, str]:
    rows = ",".join(map(str, people))
    return {"rows": rows, "checked": "1", "domain": "finance", "reason": "The programme ended."}


def nothing_changed() -> bool:
    told = StandingChange.objects.exists() or Notice.objects.filter(kind="suspended").exists()
    return not told and not Qualification.objects.filter(active=False).exists()


def test_the_preview_of_many_names_the_one_who_cannot_and_why(
    office: Client, crowd: list[int], crowd_world: World
) -> None:
    applicant = crowd_world["applicant"]
    page = office.post(SUSPEND, form([*crowd[:39], applicant.pk]))
    assert page.status_code == 200
    (cannot,) = page.context["cannot"]
    assert (cannot.pk, cannot.why) == (
        applicant.pk,
        "This expert is not active in the domain now.",
    )
    assert len(page.context["can"]) == 39
    assert "Suspend 39" in page.content.decode()
    assert nothing_changed()


def test_none_of_many_is_suspended_if_one_cannot_be(
    office: Client, crowd: list[int], crowd_world: World
) -> None:
    page = office.post(f"{SUSPEND}do/", form([*crowd[:39], crowd_world["applicant"].pk]))
    assert page.status_code == 409
    assert "This expert is not active in the domain now." in page.content.decode()
    assert nothing_changed()
    assert Sheet.objects.filter(user__in=crowd, state="open").count() == SHEETS


def test_five_hundred_are_suspended_by_one_press_and_a_second_changes_nothing(
    office: Client, crowd: list[int], crowd_world: World
) -> None:
    staying = {crowd_world["ana"].pk, crowd_world["ben"].pk, crowd[500]}
    page = office.post(f"{SUSPEND}do/", form(crowd[:500]), follow=True)
    assert "500 people are suspended." in page.content.decode()
    for _press in range(2):
        assert Qualification.objects.filter(user__in=crowd, active=True).count() == 1
        assert StandingChange.objects.filter(active=False).count() == 500
        assert Notice.objects.filter(kind="suspended").count() == 500
        assert office.post(f"{SUSPEND}do/", form(crowd[:500])).status_code == 409
    # The sheets go straight to those who stay: nobody has one in the moment before their own end.
    assert set(Sheet.objects.filter(state="open").values_list("user_id", flat=True)) == staying
    assert Sheet.objects.filter(state="open").count() == SHEETS
    assert not Seat.objects.filter(user__in=crowd[SHEETS:500]).exists()


def test_more_than_five_hundred_are_refused_before_anybody_is_suspended(
    office: Client, crowd: list[int]
) -> None:
    for address in (SUSPEND, f"{SUSPEND}do/"):
        page = office.post(address, form(crowd))
        assert page.status_code == 400
        assert "Choose at most 500 rows at once: narrow the list first." in page.content.decode()
    assert nothing_changed()


def test_each_further_person_costs_the_same_number_of_queries(
    office: Client, crowd: list[int]
) -> None:
    def asked(address: str, people: list[int]) -> int:
        with CaptureQueriesContext(connection) as seen:
            office.post(address, form(people))
        return len(seen)

    few, more, many = (asked(SUSPEND, crowd[-number:]) for number in (10, 11, 30))
    assert more - few == 14
    assert many - more == 19 * 14
    # Without work in hand, the step itself costs for each what its preview costs.
    done = [asked(f"{SUSPEND}do/", people) for people in (crowd[-10:], crowd[-21:-10])]
    assert done[1] - done[0] == 14
