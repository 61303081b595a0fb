"""Every record of finished work, in the sample programme: told once, with its person and day."""

from typing import Any

import pytest

from config.sample.honoraria import APPROVED, PAID, load_honoraria
from curation.joining.notices.models import Notice
from curation.joining.people import User
from curation.screening.panels.models import ReferenceCheck, ScreeningVote
from curation.staff.honoraria.models import BY_HAND, Honorarium, PayrollFile, Work
from curation.staff.honoraria.sources import all_sources, collect_finished_work, is_still_finished
from curation.tasks.task.models import Task
from judge.scoring.anchors.models import MetaEvaluation
from judge.scoring.sheets.models import Sheet
from review.rounds.assignment_models import Round
from review.senior_seats.models import SpotCheck
from tests.conftest import browser_of
from tests.programme import sample_programme
from tests.worlds import World


@pytest.fixture(scope="module")
def sample_world(world_database: None) -> World:
    """The sample programme with its honoraria."""
    sample_programme()
    staff = User.objects.get(email="staff@example.test")
    load_honoraria(staff)
    return World(staff=staff)


def pieces(kind: str) -> Any:
    return Honorarium.objects.filter(kind=kind)


def test_every_kind_but_those_by_hand_has_its_record(sample_world):
    assert {source.kind for source in all_sources()} == set(Work) - set(BY_HAND)


def test_each_finished_row_is_one_piece_of_its_person(sample_world):
    assert {(row.source, row.person_id) for row in pieces("vote")} == set(
        ScreeningVote.objects.values_list("pk", "member")
    )
    assert {(row.source, row.person_id) for row in pieces("spot_check")} == set(
        SpotCheck.objects.values_list("pk", "senior")
    )
    assert {(row.source, row.person_id) for row in pieces("anchor")} == set(
        MetaEvaluation.objects.exclude(verdict="").values_list("pk", "senior")
    )
    submitted = Sheet.objects.filter(state="submitted", user__isnull=False)
    submitted = submitted.filter(purpose__in=["anchor", "alignment"])
    assert pieces("sheet").count() == submitted.count() > 0
    assert pieces("round").count() == Round.objects.filter(finished_at__isnull=False).count() > 0
    assert pieces("check").count() == ReferenceCheck.objects.exclude(verdict="").count()


def test_prompts_and_rubrics_are_paid_to_their_authors_on_the_day_of_the_step(sample_world):
    for row in pieces("task").select_related("task"):
        kept = row.task.history.filter(from_stage="screening", to_stage="drafting").earliest("at")
        assert (row.person_id, row.finished_at) == (row.task.author_id, kept.at)
    approved = Task.objects.filter(stage="approved", domain__external=False)
    assert set(pieces("rubric").values_list("task", flat=True)) == set(
        approved.exclude(answer_form="exact").values_list("pk", flat=True)
    )
    for row in pieces("rubric").select_related("task"):
        assert row.person_id == row.task.rubric_author_pk


def test_nothing_is_found_a_second_time_and_all_of_it_still_stands(sample_world):
    assert collect_finished_work() == 0
    assert all(is_still_finished(row.kind, row.source) for row in Honorarium.objects.all())


def test_a_reopened_rubric_and_a_discard_taken_back_are_finished_no_more(sample_world):
    rubric = pieces("rubric").filter(state="waiting").earliest("pk")
    Task.objects.filter(pk=rubric.task_id).update(stage="refining")
    assert not is_still_finished("rubric", rubric.source)
    assert collect_finished_work() == 1
    assert not pieces("rubric").filter(pk=rubric.pk).exists()


def test_the_sample_has_approved_paid_and_refused_work_and_sends_no_mail(sample_world):
    states = list(Honorarium.objects.values_list("state", flat=True))
    assert states.count("paid") == PAID
    assert states.count("approved") == APPROVED - PAID
    assert states.count("refused") == 1
    assert PayrollFile.objects.get().entries.count() >= PAID
    assert not Notice.objects.filter(mailed_at__isnull=True).exists()


@pytest.mark.parametrize(
    ("address", "said"),
    [
        ("/staff/honoraria/", "Review round"),
        ("/staff/honoraria/rates/", "at most 90 minutes of a piece"),
        ("/staff/honoraria/payroll/", "Payroll file 1"),
    ],
)
def test_the_pages_of_staff_have_content(sample_world, address, said):
    answer = browser_of(sample_world["staff"]).get(address)
    assert answer.status_code == 200
    assert said in answer.content.decode()
