"""The lists of the experts' sheets, and the steps on many of them."""

import csv
import io
from datetime import timedelta
from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from curation.joining.domains.models import Domain
from curation.joining.notices.models import Notice
from curation.joining.people import User
from curation.tasks.task.models import Task
from judge.asking.candidates.models import Response
from judge.scoring.assignments.actions import assign_alignment_sheet
from judge.scoring.graded_sheets.actions import assign_graded_sheet
from judge.scoring.graded_sheets.models import GradedSheet
from judge.scoring.sheets.models import Sheet
from tests.scoring.graded_sheets.conftest import answer, imported_task

pytestmark = pytest.mark.django_db
SHEETS, GRADED = "/staff/sheets/", "/staff/graded-sheets/"


@pytest.fixture
def puzzles(db: Any) -> Domain:
    return Domain.objects.create(key="puzzles", name="Puzzles", external=True)


@pytest.fixture
def three(puzzles: Domain, person: Any, finance: Domain) -> list[Sheet]:
    """Open sheets of ana and ben, the first one late, and a submitted one."""
    ana, ben = person("ana", finance), person("ben", finance)
    tasks = [imported_task(puzzles, f"x-{n}") for n in (1, 2, 3)]
    sheets = [
        assign_alignment_sheet(actor=None, response=answer(task, "Cedar"), scorer=who)
        for task, who in zip(tasks, (ana, ben, ana), strict=True)
    ]
    now = timezone.now()
    Sheet.objects.filter(pk=sheets[0].pk).update(due_at=now - timedelta(days=2))
    Sheet.objects.filter(pk=sheets[2].pk).update(state="submitted", submitted_at=now)
    return [Sheet.objects.get(pk=sheet.pk) for sheet in sheets]


@pytest.fixture
def graded(puzzles: Domain, person: Any, finance: Domain) -> GradedSheet:
    task = imported_task(puzzles, "g-1")
    return assign_graded_sheet(response=answer(task, "Cedar"), scorer=person("ana", finance))


def keys(page: Any) -> list[int]:
    assert page.status_code == 200
    return [row.pk for row in page.context["list"].rows]


def rows(sheets: list[Any]) -> dict[str, str]:
    return {"rows": ",".join(str(sheet.pk) for sheet in sheets), "checked": "1"}


def test_open_sheets_come_first_the_earliest_due_on_top(
    sign_in: Any, staff: User, three: list[Sheet]
) -> None:
    page = sign_in(staff).get(SHEETS)
    assert keys(page) == [sheet.pk for sheet in three]
    text = page.content.decode()
    for words in ("Late", "Submitted", "0 of 1", "Cedar", "Memo x-1", "Ben"):
        assert words in text


@pytest.mark.parametrize(
    ("query", "found"),
    [
        ("state=open", [0, 1]),
        ("state=late", [0]),
        ("state=submitted", [2]),
        ("q=ben", [1]),
        ("q=ana+x-3", [2]),
        ("q=Cedar&sort=-task", [2, 1, 0]),
        ("purpose=anchor", []),
        ("purpose=alignment&sort=-submitted", [2, 1, 0]),
        ("domain=puzzles&sort=due", [0, 1, 2]),
    ],
)
def test_sheets_are_narrowed_and_sorted(
    sign_in: Any, staff: User, three: list[Sheet], query: str, found: list[int]
) -> None:
    shown = keys(sign_in(staff).get(f"{SHEETS}?{query}"))
    expected = [three[n].pk for n in found]
    assert (shown if "sort" in query else sorted(shown)) == expected


def test_imported_sheets_and_those_of_a_judge_are_not_listed(
    sign_in: Any, staff: User, three: list[Sheet]
) -> None:
    Sheet.objects.create(
        response=three[0].response, kind="judge", purpose="imported", rater="larch", score=0.5,
        state="submitted", submitted_at=timezone.now(),
    )  # fmt: skip
    assert len(keys(sign_in(staff).get(SHEETS))) == 3


def test_a_file_of_sheets_has_the_columns_of_the_page_and_more(
    sign_in: Any, staff: User, three: list[Sheet]
) -> None:
    Sheet.objects.filter(pk=three[2].pk).update(worked_seconds=90)
    reply = sign_in(staff).get(f"{SHEETS}?state=submitted&format=csv")
    assert reply.streaming
    text = b"".join(reply.streaming_content).decode("utf-8-sig")
    (row,) = csv.DictReader(io.StringIO(text))
    assert (row["Key"], row["Scorer"], row["State"]) == ("x-3", "Ana", "Submitted")
    assert (row["Lines scored"], row["Lines"], row["Minutes of work"]) == ("0", "1", "1.5")


def test_graded_sheets_are_a_list_of_their_own(
    sign_in: Any, staff: User, graded: GradedSheet
) -> None:
    office = sign_in(staff)
    assert keys(office.get(GRADED)) == [graded.pk]
    assert keys(office.get(f"{GRADED}?state=late")) == []
    assert office.get(f"{GRADED}?purpose=anchor").status_code == 400
    assert "No sheet yet" in office.get(SHEETS).content.decode()


def test_the_queries_do_not_grow_with_the_sheets(
    sign_in: Any, staff: User, three: list[Sheet], puzzles: Domain
) -> None:
    office = sign_in(staff)

    def asked() -> int:
        with CaptureQueriesContext(connection) as queries:
            assert office.get(SHEETS).status_code == 200
        return len(queries)

    before = asked()
    for n in range(10, 20):
        response = answer(imported_task(puzzles, f"x-{n}"), "Larch")
        Sheet.objects.create(
            response=response, version=response.task.rubric_versions.first(), kind="expert",
            purpose="alignment", rater="expert-1", user=three[0].user,
        )  # fmt: skip
    assert asked() == before


def test_each_scorer_is_reminded_of_the_ticked_sheets_alone(
    sign_in: Any, staff: User, three: list[Sheet]
) -> None:
    office = sign_in(staff)
    page = office.post(f"{SHEETS_STEP}remind/", rows(three))
    assert "This sheet is submitted." in page.content.decode()
    assert not Notice.objects.filter(kind__startswith="reminded").exists()
    assert office.post(f"{SHEETS_STEP}remind/do/", rows(three)).status_code == 409
    done = office.post(f"{SHEETS_STEP}remind/do/", rows(three[:2]), follow=True)
    assert "Reminded about 2 sheets." in done.content.decode()
    told = Notice.objects.filter(kind__startswith="reminded").order_by("recipient")
    assert [(row.recipient_id, row.kind) for row in told] == [
        (three[0].user_id, "reminded_late"),
        (three[1].user_id, "reminded_with_date"),
    ]
    again = office.post(f"{SHEETS_STEP}remind/", rows(three[:1]))
    assert "was already reminded today" in again.content.decode()


def test_only_the_ticked_one_of_two_sheets_on_a_task_gets_more_time(
    sign_in: Any, staff: User, three: list[Sheet]
) -> None:
    task = three[0].response.task
    other = assign_alignment_sheet(actor=None, response=answer(task, "Larch"), scorer=three[1].user)
    before = other.due_at
    sent = rows(three[:1]) | {"days": "5"}
    done = sign_in(staff).post(f"{SHEETS_STEP}extend/do/", sent, follow=True)
    assert "More time for 1 sheet." in done.content.decode()
    three[0].refresh_from_db()
    other.refresh_from_db()
    left = three[0].due_at - timezone.now()
    assert timedelta(days=4, hours=23) < left <= timedelta(days=5)
    assert other.due_at == before
    refused = sign_in(staff).post(f"{SHEETS_STEP}extend/", rows(three[:1]) | {"days": "0"})
    assert refused.status_code == 400


def test_sheets_are_taken_back_with_one_reason_all_or_none(
    sign_in: Any, staff: User, three: list[Sheet]
) -> None:
    office = sign_in(staff)
    empty = office.post(f"{SHEETS_STEP}take-back/", rows(three[:2]) | {"reason": " "})
    assert empty.status_code == 400
    sent = rows(three) | {"reason": "Ana is ill."}
    assert office.post(f"{SHEETS_STEP}take-back/do/", sent).status_code == 409
    assert Sheet.objects.count() == 3
    sent = rows(three[:2]) | {"reason": "Ana is ill."}
    done = office.post(f"{SHEETS_STEP}take-back/do/", sent, follow=True)
    assert "2 sheets were taken back." in done.content.decode()
    assert keys(office.get(SHEETS)) == [three[2].pk]
    events = Task.objects.get(key="x-1").history.filter(data__event="sheet_handed_back")
    assert [event.reason for event in events] == ["Ana is ill."]


def test_a_graded_sheet_is_reminded_of_and_taken_back(
    sign_in: Any, staff: User, graded: GradedSheet
) -> None:
    office = sign_in(staff)
    steps = "/staff/lists/graded-sheets/"
    office.post(f"{steps}remind/do/", rows([graded]))
    assert Notice.objects.filter(kind="reminded_with_date", recipient=graded.user).exists()
    office.post(f"{steps}take-back/do/", rows([graded]) | {"reason": "Not needed."})
    assert not GradedSheet.objects.exists()
    assert Response.objects.filter(pk=graded.response_id).exists()


def test_scorers_read_no_list_of_sheets(sign_in: Any, author: User, three: list[Sheet]) -> None:
    browser = sign_in(author)
    for address in (SHEETS, GRADED, f"{SHEETS}?format=csv"):
        assert browser.get(address).status_code == 403
    sent = rows(three[:1]) | {"reason": "Mine."}
    assert browser.post(f"{SHEETS_STEP}take-back/do/", sent).status_code == 403
    assert Sheet.objects.count() == 3


SHEETS_STEP = "/staff/lists/sheets/"
