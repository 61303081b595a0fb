"""Queries about tasks for staff, with the names of people."""

from typing import Any

from django.db.models import QuerySet

from curation.activity.audit import AuditEntry, AuditFilters, entries, events
from curation.domains.models import Domain
from curation.search.search import SearchTerms
from curation.tasks.models import ANSWERABLE, Seat, Task
from curation.tasks.queries import domain_name

COLUMNS = (
    "id",
    "key",
    "title",
    "stage",
    "stage_since",
    "origin",
    "language",
    "domain__name",
    "domain__name_zh",
    "author__display_name",
    "author__email",
)


def tasks_like(stage: str, domain: Domain | None, origin: str, typed: str) -> QuerySet[Task]:
    """Return the tasks that match, newest first; skills only where their origin is asked for.

    Args:
        typed: words of the title or key, or the number.
    """
    rows = Task.objects.order_by("-id")
    if stage:
        rows = rows.filter(stage=stage)
    if domain is not None:
        rows = rows.filter(domain=domain)
    rows = rows.filter(origin=origin) if origin else rows.filter(origin__in=ANSWERABLE)
    if typed.strip():
        rows = rows.filter(SearchTerms.read(typed).in_columns("title", "key", number="pk"))
    return rows


def rows_of(page: QuerySet[Task]) -> list[dict[str, Any]]:
    """Return a page of tasks as rows without their texts. One query.

    The page is selected by keys alone, so that the database reads no rows before the offset.
    """
    found = Task.objects.filter(pk__in=page.values("pk")).order_by("-id")
    return [_named(row) for row in found.values(*COLUMNS)]


def _named(row: dict[str, Any]) -> dict[str, Any]:
    """Add the names that are shown to a row."""
    return {
        **row,
        "domain": domain_name(row),
        "author": row["author__display_name"] or row["author__email"] or "",
        "stage_label": Task.process.stage_label(row["stage"]),
    }


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
