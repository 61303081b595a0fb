"""Who grades what: sets, hand assignment, and what ends a sheet."""

import pytest

from curation.base.web.refusals import BadInput, Conflict, Denied
from curation.joining.people import Qualification
from curation.tasks.task.models import Task
from judge.results.alignment_sets.actions import draw_alignment_set
from judge.results.alignment_sets.drawing import SampleSpec
from judge.results.alignment_sets.queries import set_page
from judge.scoring.assignments.actions import assign_alignment_sheet
from judge.scoring.assignments.amended import follow_amended_prompt
from judge.scoring.assignments.handover import hand_over_sheets
from judge.scoring.graded_sheets.actions import (
    assign_graded_sheet,
    assign_graded_sheets,
    submit_graded_sheet,
)
from judge.scoring.graded_sheets.models import GradedSheet
from judge.scoring.sheets.models import Sheet
from tests.scoring.graded_sheets.conftest import SECRET_MODEL

pytestmark = pytest.mark.django_db


def spec(**settings):
    return SampleSpec(
        **{
            "quota": 2,
            "seed": 1,
            "domains": ("puzzles",),
            "candidates": (SECRET_MODEL,),
            "form": "grade",
            **settings,
        }
    )


def test_a_set_of_grades_opens_graded_sheets_for_as_many_scorers_as_wanted(graded_world, staff):
    made = draw_alignment_set(actor=staff, spec=spec(scorers=3))

    assert GradedSheet.objects.count() == 6
    assert not Sheet.objects.exists()
    page = set_page(made)
    assert (page.total.wanted, page.total.open, page.total.done) == (6, 6, 0)
    for sheet in GradedSheet.objects.filter(response=graded_world["response"]):
        submit_graded_sheet(actor=sheet.user, graded_sheet=sheet, grade=4, analysis="Good.")
    page = set_page(made)
    assert page.total.done == 3
    assert "100" in page.sentence


def test_staff_draw_a_set_of_grades_on_its_page(graded_world, staff, sign_in):
    office = sign_in(staff)
    chosen = {
        "quota": "2", "scorers": "1", "seed": "1", "tasks": "all", "domains": "puzzles",
        "candidates": SECRET_MODEL, "form": "grade",
    }  # fmt: skip

    preview = office.get("/staff/alignment/sets/new/", chosen)
    reply = office.post("/staff/alignment/sets/new/", chosen, follow=True)

    assert preview.status_code == 200
    assert reply.status_code == 200
    assert GradedSheet.objects.count() == 2
    assert "one grade from 1 to 5" in reply.content.decode()


def test_an_unknown_form_of_a_set_is_refused(graded_world, staff):
    with pytest.raises(BadInput) as refused:
        draw_alignment_set(actor=staff, spec=spec(form="stars"))
    assert "form" in refused.value.fields


def test_staff_assign_grades_by_hand(graded_world, staff, sign_in):
    office = sign_in(staff)
    response, person = graded_world["response"], graded_world["second"]
    address = "/staff/alignment/sheets/"

    page = office.get(address, {"task": response.task.key, "form": "grade", "size": 5, "seed": 1})
    reply = office.post(
        address,
        {
            "form": "grade",
            "response": response.pk,
            "offered": response.pk,
            f"scorer-{response.task_id}": person.pk,
        },
    )

    assert page.status_code == 200
    assert reply.status_code == 302
    assert GradedSheet.objects.get().user == person


def test_a_person_grades_or_scores_line_by_line_but_not_both(graded_world, staff):
    response = graded_world["response"]
    assign_graded_sheet(response=response, scorer=graded_world["first"])
    assign_alignment_sheet(actor=staff, response=response, scorer=graded_world["second"])

    with pytest.raises(Conflict) as lines:
        assign_alignment_sheet(actor=staff, response=response, scorer=graded_world["first"])
    with pytest.raises(Conflict) as grade:
        assign_graded_sheet(response=response, scorer=graded_world["second"])

    assert (lines.value.code, grade.value.code) == ("already_open", "already_open")


def test_nobody_without_a_qualification_grades(graded_world, applicant):
    with pytest.raises(Denied):
        assign_graded_sheet(response=graded_world["response"], scorer=applicant)


def test_if_one_assignment_is_refused_none_is_made(graded_world, staff, applicant):
    response = graded_world["response"]
    with pytest.raises(BadInput):
        assign_graded_sheets(
            actor=staff, wanted={graded_world["first"]: [response], applicant: [response]}
        )
    with pytest.raises(BadInput):
        assign_graded_sheets(actor=staff, wanted={})


def test_a_suspended_persons_sheet_goes_to_a_colleague(graded_world):
    person, response = graded_world["first"], graded_world["response"]
    assign_graded_sheet(response=response, scorer=person)
    Qualification.objects.filter(user=person).update(active=False)

    done = hand_over_sheets(person.qualifications.all())

    assert done == 1
    assert GradedSheet.objects.get().user in (graded_world["second"], graded_world["third"])


def test_an_amended_prompt_ends_open_sheets_and_leaves_submitted_ones(graded_world):
    response = graded_world["response"]
    kept = assign_graded_sheet(response=response, scorer=graded_world["first"])
    submit_graded_sheet(actor=graded_world["first"], graded_sheet=kept, grade=2, analysis="Weak.")
    assign_graded_sheet(response=response, scorer=graded_world["second"])
    Task.objects.filter(pk=response.task_id).update(prompt_since=5)

    follow_amended_prompt(Task.objects.get(pk=response.task_id))

    assert GradedSheet.objects.get() == kept
    with pytest.raises(Conflict) as refused:
        assign_graded_sheet(response=response, scorer=graded_world["third"])
    assert refused.value.code == "earlier_text"
