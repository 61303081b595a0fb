"""Tasks that no new draw takes: retire one, put it back, and what staff wrote."""

from typing import Any

from django.db import models, transaction
from django.db.models import Q, QuerySet
from django.utils import timezone
from django.utils.translation import gettext as _

from curation.base.access.action import action
from curation.base.process.lifecycle import Stage
from curation.base.web.reasons import required_reason
from curation.base.web.refusals import Conflict
from curation.joining.people import User
from curation.tasks.task.models import Task


class Retirement(models.Model):
    """Staff retired a task from draws; `ended_at` is when they put it back.

    The task stays approved and keeps its place in earlier draws, releases and results. A retirement
    that ended stays on record.
    """

    task = models.ForeignKey(Task, on_delete=models.PROTECT, related_name="retirements")
    reason = models.TextField()
    by = models.ForeignKey(User, on_delete=models.PROTECT, related_name="+")
    at = models.DateTimeField(default=timezone.now)
    ended_reason = models.TextField(blank=True)
    ended_by = models.ForeignKey(
        User, null=True, blank=True, on_delete=models.PROTECT, related_name="+"
    )
    ended_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ("-id",)
        constraints = [
            models.UniqueConstraint(
                fields=["task"],
                condition=Q(ended_at__isnull=True),
                name="one_open_retirement_per_task",
            ),
            models.CheckConstraint(condition=~Q(reason=""), name="a_retirement_has_a_reason"),
            models.CheckConstraint(
                condition=Q(ended_at__isnull=True, ended_by__isnull=True, ended_reason="")
                | Q(ended_at__isnull=False, ended_by__isnull=False) & ~Q(ended_reason=""),
                name="a_retirement_is_ended_by_somebody_for_a_reason",
            ),
        ]


def retired() -> "QuerySet[Any]":
    """Select the ids of the tasks that no new draw takes, for a filter."""
    return Retirement.objects.filter(ended_at__isnull=True).order_by().values("task_id")


def retired_now() -> "QuerySet[Retirement]":
    """Select the retirements of approved tasks that hold now, newest first, with their tasks."""
    rows = Retirement.objects.filter(ended_at__isnull=True, task__stage=Stage.APPROVED)
    return rows.select_related("task").only("reason", "task__title", "task__key", "task__language")


def retirements_of(task: Any) -> list[Retirement]:
    """Return the retirements of a task, newest first. One query."""
    return list(Retirement.objects.filter(task=task).select_related("by", "ended_by"))


REASON_LIMIT = 2000  # characters


@action("task.retire", about="task")
@transaction.atomic
def retire_task(*, actor: Any, task: Task, reason: str) -> Retirement:
    """Retire an approved task: no new draw takes it. It stays approved, and no score changes.

    Raises:
        BadInput: no reason.
        Denied: `own_task`, the member of staff wrote the task.
        Conflict: `wrong_stage`, the task is not approved; `never_drawn`, it was imported;
            `retired_already`.
    """
    reason = required_reason(reason, _("Say why no draw should take it."), limit=REASON_LIMIT)
    locked = Task.objects.select_for_update(of=("self",)).get(pk=task.pk)
    if locked.external:
        raise Conflict(_("A task of another benchmark is in no draw."), code="never_drawn")
    if locked.is_skill:
        raise Conflict(_("A skill is in no draw."), code="never_drawn")
    if locked.stage != Stage.APPROVED:
        raise Conflict(_("Only an approved task is in draws."), code="wrong_stage")
    if Retirement.objects.filter(task=locked, ended_at__isnull=True).exists():
        raise Conflict(_("This task is retired already."), code="retired_already")
    made = Retirement.objects.create(task=locked, reason=reason, by=actor)
    locked.note("retired", actor=actor, reason=reason)
    return made


@action("task.retire", about="task")
@transaction.atomic
def put_back(*, actor: Any, task: Task, reason: str) -> None:
    """Put a retired task back: new draws can take it again.

    Raises:
        BadInput: no reason.
        Denied: `own_task`, the member of staff wrote the task.
        Conflict: `not_retired`.
    """
    reason = required_reason(reason, _("Say why draws can take it again."), limit=REASON_LIMIT)
    locked = Task.objects.select_for_update(of=("self",)).get(pk=task.pk)
    ended = Retirement.objects.filter(task=locked, ended_at__isnull=True).update(
        ended_at=timezone.now(), ended_by=actor, ended_reason=reason
    )
    if not ended:
        raise Conflict(_("This task is not retired now."), code="not_retired")
    locked.note("put_back_into_draws", actor=actor, reason=reason)
