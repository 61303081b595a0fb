"""The requests to verify dynamic answers again, for experts and staff."""

from datetime import date
from typing import Any

from django.db.models import Q, QuerySet
from django.utils import timezone

from curation.base.process.lifecycle import Stage
from curation.joining.people import cached_conflicts_of
from curation.tasks.business.reverification_models import Reverification
from curation.tasks.task.models import Change, Task

State = Reverification.State


def expired(today: date | None = None) -> Q:
    """Return a condition on tasks: the last day on which a dynamic answer surely held is over.

    A dynamic answer without such a day is not known to have expired.
    """
    return Q(change=Change.DYNAMIC, valid_until__lt=today or timezone.localdate())


def reverifications_for(user: Any) -> "QuerySet[Reverification]":
    """Select what a person sees: staff all; experts what they took, and what they may take."""
    rows = Reverification.objects.select_related("task__domain", "expert")
    if user.is_staff:
        return rows
    return rows.filter(Q(expert=user) | Q(pk__in=to_take(user).values("pk")))


def to_take(user: Any) -> "QuerySet[Reverification]":
    """Select the open requests that an expert may take."""
    kept_off = cached_conflicts_of(user) | {user.pk}
    return (
        Reverification.objects.filter(
            state=State.OPEN, task__domain__in=user.qualified_domain_ids()
        )
        .exclude(task__author__in=kept_off)
        .exclude(task__rubric_author__in=kept_off)
    )


def expired_tasks() -> "QuerySet[Task]":
    """Select the approved tasks whose dynamic answer has expired."""
    return Task.objects.filter(expired(), stage=Stage.APPROVED)


def latest_of(task: Any) -> Reverification | None:
    """Return the latest request about a task; None without any. One query."""
    return Reverification.objects.filter(task=task.pk).first()


def is_asked(task: Any) -> bool:
    """Return whether a request about a task waits for its answer. One query."""
    return Reverification.objects.filter(
        task=task.pk, state__in=Reverification.OPEN_STATES
    ).exists()
