"""Which tasks are retired from draws, and what staff wrote about them."""

from typing import Any

from django.db.models import QuerySet

from curation.base.process.lifecycle import Stage
from judge.base.gold_sets.retirement_models import Retirement


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
