"""The steps of the world that correct something: amendments, handovers, stops taken back."""

from typing import Any

from curation.base.process.lifecycle import Stage
from curation.joining.people import User
from curation.qualifying.applications.models import Application
from curation.qualifying.qualification.actions import take_back_rejection
from curation.tasks.amendments.actions import (
    agree_to_amendment,
    propose_amendment,
    refuse_amendment,
)
from curation.tasks.task.models import Task
from judge.asking.candidates.families import candidate_named
from judge.asking.candidates.models import Response
from judge.gold.releases.draw import DrawSpec
from judge.gold.releases.errata import dismiss_erratum, report_erratum
from judge.gold.releases.release import release_gold
from judge.scoring.assignments.actions import assign_alignment_sheet
from review.spot_checks.actions import discard
from review.staff.taking_back import take_back
from rubrics.handover.actions import hand_over_rubric
from tests.conftest import new_person

WHY = "For reasons of the test."


def corrections(w: Any) -> None:
    """Each kind of correction, told to those whom it concerns."""
    turned_down = Application.objects.get(user__email="late@example.test")
    take_back_rejection(actor=w.staff, application=turned_down, reason=WHY)
    with_reviewers = Task.objects.filter(reviews__state="assigned", author__isnull=False)
    reviewing = with_reviewers.filter(stage__in=(Stage.IN_REVIEW, Stage.REFINING))[0]
    judge = new_person("amends", reviewing.domain, senior=True)
    amend(w, reviewing, judge, by=w.staff, rubric=None)
    amend(w, reviewing, judge, by=w.staff, rubric=False)
    w.open_all()
    amend(w, reviewing, judge, by=reviewing.author, rubric=True)
    w.open_all()
    taker = new_person("takes", reviewing.domain)
    hand_over_rubric(actor=w.staff, task=reviewing, taker=taker, reason=WHY)
    approved = Task.objects.filter(stage=Stage.APPROVED, author__isnull=False)[0]
    _open_sheet(w, approved)
    other = new_person("amends2", approved.domain, senior=True)
    amend(w, approved, other, by=approved.author, rubric=False)
    w.open_all()
    discard(actor=w.staff, task=approved, reason=WHY)
    take_back(actor=w.staff, task=approved, reason=WHY)
    _answer_a_reader(w, approved)


def _answer_a_reader(w: Any, task: Task) -> None:
    """A reader reports an error in a released task, and staff answer."""
    spec = DrawSpec(size=1, seed=1, quotas={task.domain.key: 1}, allow_unanchored=True)
    release = release_gold(actor=w.staff, spec=spec)
    erratum = report_erratum(
        actor=new_person("reads"),
        release=release.number,
        task=release.items.all()[0].task.key,
        kind="typo",
        text=WHY,
    )
    dismiss_erratum(actor=w.staff, erratum=erratum, reason=WHY)


def amend(w: Any, task: Task, senior: User, *, by: User, rubric: bool | None) -> None:
    """Propose another wording; agree, or refuse where `rubric` is None."""
    task.refresh_from_db()
    one = propose_amendment(
        actor=by,
        task=task,
        version=task.version,
        reason=WHY,
        parts={"requirements": f"{task.requirements} Give the date."},
    )
    w.open_all()
    if rubric is None:
        refuse_amendment(actor=senior, amendment=one, reason=WHY)
    else:
        agree_to_amendment(actor=senior, amendment=one, rubric_affected=rubric, reason=WHY)
    task.refresh_from_db()


def _open_sheet(w: Any, task: Task) -> None:
    response = Response.objects.create(
        key="amended-away",
        task=task,
        candidate=candidate_named("Rowan 4"),
        text="It depends.",
        source="imported",
        text_version=task.version,
    )
    scorer = new_person("scores", task.domain)
    assign_alignment_sheet(actor=w.staff, response=response, scorer=scorer)
    w.open_all()
