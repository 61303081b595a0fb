"""Experts score candidates blind; who taught the judge does not measure it."""

import pytest

from curation.base.web.refusals import BadInput, Conflict, Denied
from curation.joining.domains.models import Domain
from curation.tasks.task.models import Origin, Seat, Task
from judge.asking.candidates import families
from judge.asking.candidates.models import Response
from judge.scoring.anchors.actions import take_anchor
from judge.scoring.assignments.actions import assign_alignment_sheet
from judge.scoring.sheets.actions import record_sheet
from judge.scoring.sheets.models import Sheet
from rubrics.versions.actions import import_version
from tests.scoring.pages.conftest import LINES

pytestmark = pytest.mark.django_db


def another(task: Task, key: str = "rival-2", **fields) -> Response:
    return Response.objects.create(
        key=key, task=task, candidate=families.candidate_named(key), text="Another.", **fields
    )


def code_of(refused) -> str:
    return refused.value.code


def test_one_person_scores_several_responses_under_one_seat(task, rival, scorer, staff):
    for response in (rival, another(task)):
        assign_alignment_sheet(actor=staff, response=response, scorer=scorer)
    assert Sheet.objects.filter(user=scorer, purpose="alignment").count() == 2
    assert Seat.objects.filter(user=scorer).count() == 1


def test_the_same_response_is_not_asked_for_twice(task, rival, scorer, staff):
    assign_alignment_sheet(actor=staff, response=rival, scorer=scorer)
    with pytest.raises(Conflict) as refused:
        assign_alignment_sheet(actor=staff, response=rival, scorer=scorer)
    assert code_of(refused) == "already_open"


def test_several_people_score_the_same_response(task, rival, scorer, checker, staff):
    for user in (scorer, checker):
        assign_alignment_sheet(actor=staff, response=rival, scorer=user)
    assert rival.sheets.count() == 2


def test_who_scored_the_anchor_scores_no_candidate_and_the_other_way_round(
    anchor, rival, sheet, scorer, checker, staff, person, finance
):
    with pytest.raises(Conflict) as refused:
        assign_alignment_sheet(actor=staff, response=rival, scorer=scorer)
    assert code_of(refused) == "scored_the_anchor"
    Sheet.objects.all().delete()
    assign_alignment_sheet(actor=staff, response=rival, scorer=checker)
    with pytest.raises(Conflict) as refused:
        take_anchor(actor=checker, anchor=anchor)
    assert code_of(refused) == "scored_a_candidate"


def test_the_baseline_is_never_compared(anchor, scorer, staff):
    with pytest.raises(Conflict) as refused:
        assign_alignment_sheet(actor=staff, response=anchor.response, scorer=scorer)
    assert code_of(refused) == "baseline"


def test_the_author_and_strangers_do_not_score(task, rival, author, stranger, staff):
    with pytest.raises(Conflict) as seat:
        assign_alignment_sheet(actor=staff, response=rival, scorer=author)
    assert code_of(seat) == "seat_taken"
    with pytest.raises(Denied) as denied:
        assign_alignment_sheet(actor=staff, response=rival, scorer=stranger)
    assert code_of(denied) == "not_eligible"
    assert not Sheet.objects.exists()


def test_a_task_without_a_rubric_cannot_be_scored(db, stranger, staff):
    domain = Domain.objects.create(key="puzzles", name="Puzzles", external=True)
    task = Task.objects.create(
        key="x", origin=Origin.EXTERNAL, domain=domain, stage="approved", requirements="Solve."
    )
    with pytest.raises(Conflict) as refused:
        assign_alignment_sheet(actor=staff, response=another(task), scorer=stranger)
    assert code_of(refused) == "no_rubric"
    assert not Seat.objects.exists()


def test_any_expert_may_score_another_benchmarks_task_in_its_own_domain(
    db, stranger, applicant, staff, sign_in
):
    domain = Domain.objects.create(key="puzzles", name="Puzzles", external=True)
    task = Task.objects.create(
        key="x-1", origin=Origin.EXTERNAL, domain=domain, stage="approved", requirements="Solve."
    )
    line = {"text": "Solves it.", "importance": "essential", "weight": 70, "dimension": "other"}
    import_version(task=task, lines=[line])
    response = another(task)
    sheet = assign_alignment_sheet(actor=staff, response=response, scorer=stranger)
    html = sign_in(stranger).get(f"/sheets/{sheet.pk}/").content.decode()
    assert "x-1" in html
    assert "Solves it." in html
    with pytest.raises(Denied):
        assign_alignment_sheet(actor=staff, response=response, scorer=applicant)


def test_a_finished_sheet_is_recorded_in_one_step(task, rival, scorer, staff):
    keys = task.rubric_versions.exclude(origin="draft").get().criteria.values_list("key", flat=True)
    sheet = record_sheet(
        actor=staff,
        response=rival,
        scorer=scorer,
        verdicts={
            key: (n % 2 == 0, "" if n % 2 == 0 else "Missing.") for n, key in enumerate(keys)
        },
    )
    assert (sheet.state, sheet.purpose, sheet.lines.count()) == ("submitted", "alignment", LINES)


def test_a_sheet_recorded_with_a_gap_is_not_recorded_at_all(task, rival, scorer, staff):
    with pytest.raises(BadInput):
        record_sheet(actor=staff, response=rival, scorer=scorer, verdicts={"c1": (True, "")})
    assert not Sheet.objects.exists()
    assert not Seat.objects.filter(role="scorer").exists()
