"""Actions of seniors who grade short texts. Grades can change until the sitting has its result."""

from typing import Any

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from curation.base.access.action import action
from curation.base.process.lifecycle import ApplicationStage
from curation.base.text import storable
from curation.base.web.refusals import BadInput, Conflict, Denied
from curation.joining.people import in_conflict
from curation.qualifying.exams.actions import complete
from curation.qualifying.exams.models import ExamSitting, SittingQuestion


@action("exam.mark", about="answer.sitting.application")
@transaction.atomic
def mark_answer(*, actor: Any, answer: SittingQuestion, points: int, remark: str) -> ExamSitting:
    """Grade an answer: its points, and a remark for the candidate, required without full points.

    The last grade of a sitting completes it in the same transaction: result, next stage of the
    application, notice.

    Args:
        answer: with its question and its sitting's application.

    Returns:
        The sitting, with its result if this was the last grade.

    Raises:
        Denied: the actor is the candidate, or in conflict with the candidate.
        BadInput: points out of range, or no remark without full points.
        Conflict: graded already, or not handed in.
    """
    _check(actor, answer, points, remark)
    # Lock the sitting, so that of two concurrent last grades exactly one completes the result.
    sitting = ExamSitting.objects.select_for_update().get(pk=answer.sitting_id)
    marked = sitting.awaits_marks and SittingQuestion.objects.filter(
        pk=answer.pk, points__isnull=True
    ).update(
        points=points, remark=storable.clean(remark), marked_by=actor, marked_at=timezone.now()
    )
    if not marked:
        raise Conflict(
            _("Another senior marked this answer a moment ago. Their mark stays."),
            code="marked_already",
        )
    rows = list(sitting.paper.select_related("question"))
    if all(row.points is not None for row in rows):
        return complete(sitting, rows)
    return sitting


@action("exam.mark", about="answer.sitting.application")
@transaction.atomic
def change_mark(*, actor: Any, answer: SittingQuestion, points: int, remark: str) -> ExamSitting:
    """Change the actor's own grade, as long as the candidate has no result.

    The previous grade stays in the history of the application, with its remark.

    Raises:
        Denied: somebody else gave the grade, or as `mark_answer`.
        BadInput: as `mark_answer`.
        Conflict: `result_told`, the candidate has the result; or the application was closed.
    """
    if answer.marked_by_id != actor.pk:
        raise Denied(_("Only the senior who gave a mark can change it."), code="not_yours")
    _check(actor, answer, points, remark)
    sitting = ExamSitting.objects.select_for_update().get(pk=answer.sitting_id)
    if not is_open(sitting):
        raise Conflict(
            _("The candidate already has the result, so the mark can no longer change."),
            code="result_told",
        )
    before = SittingQuestion.objects.get(pk=answer.pk)
    said = storable.clean(remark)
    if (before.points, before.remark) == (points, said):
        return sitting
    SittingQuestion.objects.filter(pk=answer.pk).update(
        points=points, remark=said, marked_at=timezone.now()
    )
    application = sitting.application
    application.note(
        "mark_changed",
        actor=actor,
        reason=before.remark,
        attempt=sitting.attempt,
        question=answer.question_id,
        before=before.points,
        after=points,
    )
    return sitting


def is_open(sitting: ExamSitting) -> bool:
    """Return whether grades can still change: the sitting and the application wait for them."""
    return sitting.awaits_marks and sitting.application.stage == ApplicationStage.EXAM


def _check(actor: Any, answer: SittingQuestion, points: int, remark: str) -> None:
    if answer.sitting.application.user_id == actor.pk:
        raise Denied(_("You cannot mark your own answers. Somebody else has to."))
    if in_conflict(actor, answer.sitting.application.user):
        raise Denied(
            _(
                "You have a conflict of interest with the candidate, so another senior marks this "
                "answer."
            ),
            code="not_eligible",
        )
    most = answer.question.points
    problems: dict[str, list[str]] = {}
    if type(points) is not int or not 0 <= points <= most:
        problems["points"] = [_("Give between 0 and %(most)s points.") % {"most": most}]
    problem = storable.problem_with(remark, limit=2000)
    if problem:
        problems["remark"] = [problem]
    elif points != most and storable.is_blank(remark):
        problems["remark"] = [
            _("Say in a sentence what was missing. The candidate reads it with the result.")
        ]
    if problems:
        raise BadInput(fields=problems)
