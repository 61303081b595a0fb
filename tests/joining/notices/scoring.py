"""Sheets and conflicts of interest, for every kind of notice about them."""

from datetime import timedelta
from typing import Any

from curation.joining.people import User
from judge.asking.candidates.families import candidate_named
from judge.asking.candidates.models import Response
from judge.scoring.agreement.meta_actions import decide_anchor, take_meta
from judge.scoring.anchors.models import Anchor
from judge.scoring.anchors.notices import remind_scorers
from judge.scoring.anchors.replace import replace_baseline
from judge.scoring.assignments.actions import assign_alignment_sheet
from judge.scoring.assignments.amended import follow_amended_answer
from judge.scoring.assignments.follow_rubric import follow_rubric
from judge.scoring.graded_sheets.actions import assign_graded_sheet, keep_grade
from judge.scoring.graded_sheets.notices import remind_graders
from judge.scoring.sheets.actions import submit_sheet
from judge.scoring.sheets.models import Sheet
from review.conflicts.actions import (
    answer_conflict,
    end_conflict,
    propose_conflict,
    uphold_conflict,
)
from rubrics.versions.actions import import_version
from tests.base.access.judge_things import finish_scoring

PLANTED = "planted-7f3a"  # as in the world: no notice may hold it


def scoring(w: Any) -> None:
    slug = "law-lease-break"
    finish_scoring(data_of=slug)
    anchor = Anchor.objects.get(task__key=slug)
    check = take_meta(actor=w.senior, anchor=anchor)
    decide_anchor(actor=w.senior, evaluation=check, verdict="sent_back", remarks=PLANTED, lines={})
    sheet = Sheet.objects.get(response=anchor.response_id, state="open")
    response = Response.objects.create(
        key="one-more",
        task=anchor.task,
        candidate=candidate_named(PLANTED),
        text=PLANTED,
        source="imported",
    )
    scorer = (
        User.objects.filter(qualifications__domain=anchor.task.domain, seats__isnull=True).first()
        or User.objects.exclude(seats__task=anchor.task)
        .filter(qualifications__domain=anchor.task.domain)
        .first()
    )
    assert scorer is not None
    given = assign_alignment_sheet(actor=w.staff, response=response, scorer=scorer)
    remind_scorers(given.due_at - timedelta(hours=30))
    second = Response.objects.create(
        key="two-more",
        task=anchor.task,
        candidate=candidate_named(f"{PLANTED} 2"),
        text=PLANTED,
        source="imported",
    )
    graded = assign_graded_sheet(response=second, scorer=scorer)
    remind_graders(graded.due_at - timedelta(hours=30))
    keep_grade(actor=scorer, graded_sheet=graded, grade=3, analysis=PLANTED)
    follow_amended_answer(anchor.task)
    w.open_all()
    submit_sheet(actor=sheet.user, sheet=sheet)
    w.open_all()
    line = {"text": PLANTED, "importance": "important", "weight": 5, "dimension": "accuracy"}
    import_version(task=anchor.task, lines=[line])
    follow_rubric(task=anchor.task)
    w.open_all()
    replace_baseline(actor=w.staff, anchor=anchor, reason=PLANTED, model="openai:model-two")


def conflicts(w: Any) -> None:
    found = propose_conflict(actor=w.staff, person=w.author, other=w.reviewer, kind="family")
    answer_conflict(actor=w.reviewer, conflict=found, agrees=False, reason=PLANTED)
    uphold_conflict(actor=w.staff, conflict=found, reason="The register says so.")
    end_conflict(actor=w.staff, conflict=found, reason="They are divorced.")
