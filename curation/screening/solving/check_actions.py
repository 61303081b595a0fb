"""Actions of a reference check: a second expert solves a suspect task before seeing its answer."""

from typing import Any

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from curation.base.access.action import action
from curation.base.process.lifecycle import Stage
from curation.base.process.states import move
from curation.base.text import storable
from curation.base.web.refusals import BadInput, Conflict, Stale
from curation.screening.panels.actions import Kind, State, lock_task, places_of
from curation.screening.panels.models import ReferenceCheck
from curation.screening.panels.seats import open_place, refuse_in_conflict, release_places
from curation.screening.panels.voting_actions import decide_if_complete
from curation.tasks.task.models import Task

Verdict = ReferenceCheck.Verdict
REMARKS_LIMIT = 5000


@action("task.check", about="task")
def begin_check(*, actor: Any, task: Task) -> None:
    """Note that the checker has opened the task; the time of their own answer starts here, once."""
    open_place(actor=actor, task=task)
    ReferenceCheck.objects.filter(
        task_id=task.pk, round=task.screening_round, checker=actor, opened_at__isnull=True
    ).update(opened_at=timezone.now())


def _checkable(actor: Any, task: Task) -> tuple[Task, ReferenceCheck]:
    """Lock the task and its check and return them, if this person's place is open.

    Raises:
        Conflict: `wrong_stage` or `place_ended`, the place is not open (any more).
    """
    task = lock_task(task.pk)
    if task.stage != Stage.SCREENING:
        raise Conflict(
            _("The panel has decided already, so the check is no longer needed. Thank you."),
            code="wrong_stage",
        )
    place = places_of(task).filter(member=actor, kind=Kind.CHECK, state=State.OPEN)
    check = (
        ReferenceCheck.objects.select_for_update()
        .filter(task_id=task.pk, round=task.screening_round, checker=actor)
        .first()
    )
    if check is None or not place.exists():
        raise Conflict(
            _("Your place has ended, so this was not counted. What you had saved is kept."),
            code="place_ended",
        )
    return task, check


@action("task.check", about="task")
@transaction.atomic
def save_own_answer(*, actor: Any, task: Task, answer: str, revision: int) -> ReferenceCheck:
    """Save the checker's own answer while they write it.

    Args:
        revision: the revision when the page was opened; a save on an older one is refused.

    Raises:
        BadInput: the text cannot be stored.
        Stale: with both texts, if another tab saved first.
        Conflict: `answered`, it was handed in already; or the place has ended.
    """
    problem = storable.problem_with(answer)
    if problem:
        raise BadInput(fields={"answer": [problem]})
    _task, check = _checkable(actor, task)
    answer = answer.replace("\r\n", "\n").replace("\r", "\n")
    if check.answered_at is not None:
        raise Conflict(
            _("Your answer is handed in and can no longer be changed."),
            code="answered",
            data={"yours": {"answer": answer}},
        )
    if check.answer == answer:
        return check
    if check.revision != revision:
        raise Stale(
            data={
                "yours": {"answer": answer},
                "theirs": {"answer": check.answer},
                "version": check.revision,
                "at": check.saved_at.isoformat() if check.saved_at else "",
            }
        )
    check.answer, check.saved_at = answer, timezone.now()
    check.revision += 1
    check.opened_at = check.opened_at or check.saved_at
    check.save(update_fields=["answer", "saved_at", "revision", "opened_at"])
    return check


@action("task.check", about="task")
def hand_in_answer(*, actor: Any, task: Task, answer: str, revision: int) -> ReferenceCheck:
    """Hand in the checker's own answer, and store the time it took. It cannot be changed any more.

    From here the checker sees the reference answer.

    Raises:
        BadInput: there is no answer, or it cannot be stored.
        Stale, Conflict: as `save_own_answer`.
    """
    if storable.is_blank(answer):
        raise BadInput(
            fields={"answer": [_("Write your own answer first. Key points are enough.")]}
        )
    refuse_in_conflict(actor=actor, task=task, kind=Kind.CHECK)
    return _close_answer(actor=actor, task=task, answer=answer, revision=revision)


@transaction.atomic
def _close_answer(*, actor: Any, task: Task, answer: str, revision: int) -> ReferenceCheck:
    check = save_own_answer(actor=actor, task=task, answer=answer, revision=revision)
    check.answered_at = timezone.now()
    began = check.opened_at or check.answered_at
    check.seconds = max(0, round((check.answered_at - began).total_seconds()))
    check.save(update_fields=["answered_at", "seconds"])
    return check


@action("task.check", about="task")
def decide_check(*, actor: Any, task: Task, verdict: str, remarks: str) -> ReferenceCheck:
    """Decide whether the reference answer is right. A fault returns the task with the remarks.

    Raises:
        BadInput: no verdict or no remarks.
        Conflict: `not_answered`, the own answer is not handed in yet; or the place has ended.
    """
    problems: dict[str, list[str]] = {}
    if verdict not in Verdict.values:
        problems["verdict"] = [_("Choose: the reference answer is right, or it has a fault.")]
    problem = storable.problem_with(remarks, limit=REMARKS_LIMIT)
    if problem or storable.is_blank(remarks):
        problems["remarks"] = [problem or _("Say where the two answers agree or differ.")]
    if problems:
        raise BadInput(fields=problems)
    refuse_in_conflict(actor=actor, task=task, kind=Kind.CHECK)
    return _conclude(actor, task, verdict, storable.clean(remarks))


@transaction.atomic
def _conclude(actor: Any, task: Task, verdict: str, remarks: str) -> ReferenceCheck:
    task, check = _checkable(actor, task)
    if check.answered_at is None:
        raise Conflict(_("Hand in your own answer first; then compare."), code="not_answered")
    check.verdict, check.remarks = verdict, remarks
    check.decided_at = timezone.now()
    check.save(update_fields=["verdict", "remarks", "decided_at"])
    mine = places_of(task).filter(member=actor, kind=Kind.CHECK)
    move(mine, State.VOTED, closed_at=check.decided_at)
    if verdict == Verdict.RIGHT:
        task.note("reference_right", actor=actor, seconds=check.seconds)
        decide_if_complete(task, None)  # no actor: the panel decides, not its checker
        return check
    release_places(task)
    task.advance(
        Stage.DRAFT,
        actor=None,
        reason=check.remarks,
        cause="reference_check",
        seconds=check.seconds,
    )
    return check
