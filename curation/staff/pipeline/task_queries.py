"""Queries about tasks for staff, with the names of people."""

from django.db.models import QuerySet

from curation.tasks.task.models import Seat, Task
from curation.telling.activity.audit import AuditEntry, AuditFilters, entries, events


def tasks_with_people() -> QuerySet[Task]:
    """Return tasks with the related rows that the staff's page shows."""
    return Task.objects.select_related("domain", "category", "author", "rubric_author", "slot")


def seats_on(task: Task) -> list[Seat]:
    """Return the seats on a task in the order they were taken. One query."""
    return list(task.seats.select_related("user").order_by("taken_at", "id"))


def history_of(task: Task) -> list[AuditEntry]:
    """Return who moved the task, when and why, oldest first. Three queries."""
    rows = list(events(AuditFilters(task=str(task.pk), kind="task")))
    return entries(rows[::-1])
