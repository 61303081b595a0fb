"""Which tasks are retired from draws, and what staff wrote about them."""

from typing import Any

from django.db.models import QuerySet

from curation.process.lifecycle import Stage
from judge.retirements.models import Retirement


def retired() -> "QuerySet[Any]":
    """Select the ids of the tasks that no new draw takes, for a filter."""
    return Retirement.objects.filter(ended_at__isnull=True).order_by().values("task_id")


def retired_now() -> "QuerySet[Retirement]":
    """Select the retirements of approved tasks that hold now, newest first, with their tasks."""
    rows = Retirement.objects.filter(ended_at__isnull=True, task__stage=Stage.APPROVED)
    return rows.select_related("task", "by").only(
        "at", "reason", "task__title", "task__key", "task__language", "by__display_name",
        "by__email",
    )  # fmt: skip


def retirements_of(task: Any) -> list[Retirement]:
    """Return the retirements of a task, newest first. One query."""
    return list(Retirement.objects.filter(task=task).select_related("by", "ended_by"))


def is_retired(task: Any) -> bool:
    """Return whether no new draw takes a task. One query."""
    return Retirement.objects.filter(task=task, ended_at__isnull=True).exists()
