"""Staff take a rejection, a withdrawal or a discard of a task back."""

from typing import Any

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from curation.base.access.action import action
from curation.base.process.lifecycle import Stage
from curation.base.web.reasons import required_reason
from curation.base.web.refusals import Conflict
from curation.screening.panels.actions import fill_panel
from curation.screening.panels.models import Screening
from curation.screening.panels.voting_actions import open_screening
from curation.tasks.task.models import Task
from review.senior_seats.actions import lock, record_release
from review.senior_seats.models import SpotCheck

STOPS = (Stage.REJECTED, Stage.WITHDRAWN, Stage.DISCARDED)


def stage_before(task: Task) -> str:
    """Return the stage a stopped task came from, by its history.

    Raises:
        Conflict: `wrong_stage`, the task is not stopped.
    """
    if task.stage not in STOPS:
        raise Conflict(
            _("Only a rejected, withdrawn or discarded task can be taken back."),
            code="wrong_stage",
        )
    stopped = task.history.filter(to_stage=task.stage).exclude(from_stage=task.stage).last()
    return str(stopped.from_stage) if stopped else ""


@action("review.administer", about="task")
@transaction.atomic
def take_back(*, actor: Any, task: Task, reason: str) -> Task:
    """Take a stop back: the task returns to the stage it came from.

    A rejected prompt is screened again, with the findings of its probing. A discard at a spot check
    counts no more, and another senior may take the check. Slot and seats stayed as they were.

    Raises:
        BadInput: no reason.
        Denied: `own_task`, the member of staff wrote the task.
        Conflict: `wrong_stage`, the task is not stopped.
    """
    reason = required_reason(reason, _("Say why you take it back; the author reads it."))
    lock(task)
    before = stage_before(task)
    task.process.check(task.stage, before)
    if task.stage == Stage.REJECTED:
        _screen_again(task, actor, reason)
        return task
    check = _discarding_check(task) if before == Stage.SPOT_CHECK else None
    if check is not None:
        SpotCheck.objects.filter(pk=check.pk).update(taken_back_at=timezone.now())
    task.advance(before, actor=actor, reason=reason)
    if check is not None:
        record_release(actor=actor, task=task, senior=check.senior, said=reason)
    return task


def _screen_again(task: Task, actor: Any, reason: str) -> None:
    """Open the next screening; those who voted before get their places again."""
    last = Screening.objects.filter(task=task, round=task.screening_round).first()
    task.screening_round += 1
    Task.objects.filter(pk=task.pk).update(screening_round=task.screening_round)
    found = {"finding": last.finding, "probing": last.probing} if last else {}
    open_screening(task=task, actor=actor, reason=reason, **found)
    fill_panel(task)


def _discarding_check(task: Task) -> SpotCheck | None:
    checks = SpotCheck.objects.filter(
        task=task, verdict=SpotCheck.Verdict.DISCARD, taken_back_at__isnull=True
    )
    return checks.select_related("senior").last()
