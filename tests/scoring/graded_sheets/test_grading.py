"""An expert grades a whole response: reasons first, then one grade from 1 to 5."""

import pytest
from django.db import IntegrityError

from curation.base.web.refusals import Conflict
from curation.tasks.task.models import TaskEvent
from judge.scoring.graded_sheets.actions import assign_graded_sheet, submit_graded_sheet
from judge.scoring.graded_sheets.models import GradedSheet
from tests.scoring.graded_sheets.conftest import SECRET_MODEL

pytestmark = pytest.mark.django_db


def url(sheet, step=""):
    return f"/graded-sheets/{sheet.pk}/{step}"


def test_the_page_shows_task_answer_and_scale_and_nothing_about_the_candidate(desk, sheet):
    html = desk.get(url(sheet)).content.decode()

    assert "It is broken in" in html
    assert "The covenant is broken in March." in html
    assert html.count('name="grade"') == 5
    assert SECRET_MODEL not in html


def test_a_grade_with_its_reasons_is_submitted_and_stays(desk, sheet):
    reply = desk.post(url(sheet), {"grade": "4", "analysis": "Right, but no figures."})

    assert reply.status_code == 302
    sheet.refresh_from_db()
    assert (sheet.state, sheet.grade, sheet.analysis) == ("submitted", 4, "Right, but no figures.")
    again = desk.post(url(sheet), {"grade": "1", "analysis": "Changed my mind."})
    assert again.status_code == 409
    sheet.refresh_from_db()
    assert sheet.grade == 4
    assert "Right, but no figures." in desk.get(url(sheet)).content.decode()


@pytest.mark.parametrize(
    ("sent", "field"),
    [
        ({"grade": "", "analysis": "Good."}, "grade"),
        ({"grade": "6", "analysis": "Good."}, "grade"),
        ({"grade": "2.5", "analysis": "Good."}, "grade"),
        ({"grade": "3", "analysis": "  \u200b "}, "analysis"),
        ({"grade": "3", "analysis": "x" * 5001}, "analysis"),
    ],
)
def test_what_is_missing_or_no_grade_is_refused_at_its_field_and_kept(desk, sheet, sent, field):
    reply = desk.post(url(sheet), sent)

    assert reply.status_code == 400
    assert reply.context["form"].errors.keys() == {field}
    sheet.refresh_from_db()
    assert sheet.state == "open"
    if field == "grade":
        assert "Good." in reply.content.decode()


def test_what_is_typed_is_saved_on_the_way_and_a_stale_tab_is_told_both_versions(desk, sheet):
    autosave = {"headers": {"X-Autosave": "1", "Accept": "application/json"}}

    saved = desk.post(url(sheet, "save/"), {"analysis": "First.", "version": "1"}, **autosave)
    stale = desk.post(url(sheet, "save/"), {"analysis": "Other.", "version": "1"}, **autosave)
    page = desk.post(url(sheet), {"analysis": "Other.", "grade": "2", "version": "1"})

    assert saved.json()["version"] == 2
    assert stale.status_code == 409
    assert stale.json()["theirs"] == {"grade": "", "analysis": "First."}
    assert page.status_code == 409
    assert "First." in page.content.decode()
    assert "Other." in page.content.decode()
    sheet.refresh_from_db()
    assert (sheet.state, sheet.analysis) == ("open", "First.")


def test_without_a_script_the_button_saves(desk, sheet):
    reply = desk.post(url(sheet, "save/"), {"analysis": "So far.", "grade": "3"}, follow=True)

    assert reply.status_code == 200
    sheet.refresh_from_db()
    assert (sheet.grade, sheet.analysis, sheet.state) == (3, "So far.", "open")


def test_a_sheet_handed_back_is_gone_and_what_was_written_stays_on_record(desk, sheet):
    desk.post(url(sheet, "save/"), {"analysis": "Half done.", "grade": "2"})

    refused = desk.post(url(sheet, "hand-back/"), {"reason": ""})
    done = desk.post(url(sheet, "hand-back/"), {"reason": "I know the author of this answer."})

    assert refused.status_code == 400
    assert done.status_code == 302
    assert not GradedSheet.objects.exists()
    event = TaskEvent.objects.get(data__event="sheet_handed_back")
    assert (event.data["grade"], event.data["analysis"]) == (2, "Half done.")


def test_nobody_opens_a_colleagues_sheet(sheet, graded_world, sign_in):
    other = sign_in(graded_world["second"])

    for step in ("", "hand-back/"):
        assert other.get(url(sheet, step)).status_code == 404
    assert other.post(url(sheet), {"grade": "1", "analysis": "x"}).status_code == 404
    assert other.post(url(sheet, "save/"), {"analysis": "x"}).status_code == 404


def test_staff_take_an_open_sheet_back_with_a_reason(sheet, staff, sign_in):
    office = sign_in(staff)
    address = f"/staff/graded-sheets/{sheet.pk}/release/"

    assert office.get(address).status_code == 200
    assert office.post(address, {"reason": ""}).status_code == 400
    assert office.post(address, {"reason": "On leave."}).status_code == 302
    assert not GradedSheet.objects.exists()


def test_the_queue_and_home_show_the_sheet_that_waits(desk, sheet):
    assert url(sheet) in desk.get("/scoring/").content.decode()
    assert url(sheet) in desk.get("/").content.decode()


def test_the_api_reads_saves_and_submits_a_sheet(desk, sheet):
    api = f"/api/v1/graded-sheets/{sheet.pk}/"
    json = "application/json"

    listed = desk.get("/api/v1/graded-sheets/").json()["results"]
    read = desk.get(api).json()
    kept = desk.put(api, {"grade": 3, "analysis": "So far.", "version": read["version"]}, json)
    stale = desk.put(api, {"grade": 1, "analysis": "Late.", "version": read["version"]}, json)
    wrong = desk.put(api, {"grade": 9, "analysis": "x"}, json)
    empty = desk.post(f"{api}submit/", {"grade": None, "analysis": "x"}, json)
    done = desk.post(f"{api}submit/", {"grade": 5, "analysis": "All right."}, json)

    assert [row["id"] for row in listed] == [sheet.pk]
    assert SECRET_MODEL not in str(read)
    assert kept.json()["grade"] == 3
    assert (stale.status_code, wrong.status_code, empty.status_code) == (409, 400, 400)
    assert (done.json()["state"], done.json()["grade"]) == ("submitted", 5)


@pytest.mark.parametrize("grade", [0, 6, None])
def test_a_submitted_sheet_without_a_grade_on_the_scale_never_enters_the_database(
    sheet, grader, grade
):
    submit_graded_sheet(actor=grader, graded_sheet=sheet, grade=1, analysis="Wrong.")

    with pytest.raises(IntegrityError):
        GradedSheet.objects.filter(pk=sheet.pk).update(grade=grade)


def test_the_second_grade_of_a_person_is_refused(sheet, response, grader):
    with pytest.raises(Conflict) as refused:
        assign_graded_sheet(response=response, scorer=grader)
    assert refused.value.code == "already_open"
