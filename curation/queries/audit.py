"""Everything that happened, for staff: tasks and applications in one list."""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date, datetime, time, timedelta
from itertools import islice
from typing import Any

from django.db.models import CharField, F, Q, QuerySet, Value
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from curation.lifecycle import APPLICATION, TASK
from curation.models import ApplicationEvent, Domain, TaskEvent, User

KINDS = ("task", "application")
_COLUMNS = ("id", "at", "kind", "thing", "actor_id", "from_stage", "to_stage", "reason", "event")

EVENTS = {
    "panel_joined": gettext_lazy("Joined the panel"),
    "vote_cast": gettext_lazy("Voted"),
    "reviewer_assigned": gettext_lazy("Reviewer assigned"),
    "round_finished": gettext_lazy("Round finished"),
    "review_declined": gettext_lazy("Review handed back"),
}


@dataclass(frozen=True)
class Filters:
    """What of the history is wanted; None means all."""

    person: int | None = None
    task: str = ""
    kind: str = ""
    after: date | None = None
    before: date | None = None


@dataclass(frozen=True)
class Entry:
    """One row: who, when, which thing, from where to where, why."""

    at: datetime
    kind: str
    thing_id: int
    thing: str
    actor: str
    from_stage: str
    to_stage: str
    from_label: str
    to_label: str
    reason: str
    event: str

    @property
    def event_label(self) -> str:
        """The event's name as words; empty for a move."""
        return str(EVENTS.get(self.event) or self.event.replace("_", " ").capitalize())


def events(filters: Filters) -> QuerySet[Any]:
    """The rows wanted, newest first, as one combined query of plain values."""
    tasks = _rows(_in_time(TaskEvent.objects.all(), filters), "task", F("task_id"), filters)
    applications = _rows(
        _in_time(ApplicationEvent.objects.all(), filters),
        "application",
        F("application_id"),
        filters,
    )
    if filters.task:
        wanted = Q(task__key=filters.task)
        if filters.task.isascii() and filters.task.isdigit() and len(filters.task) < 18:
            wanted |= Q(task_id=int(filters.task))
        return tasks.filter(wanted).order_by("-at", "-id")
    if filters.kind == "task":
        return tasks.order_by("-at", "-id")
    if filters.kind == "application":
        return applications.order_by("-at", "-id")
    return tasks.union(applications, all=True).order_by("-at", "-id")


def _in_time(rows: QuerySet[Any], filters: Filters) -> QuerySet[Any]:
    if filters.person is not None:
        rows = rows.filter(actor_id=filters.person)
    if filters.after:
        rows = rows.filter(at__gte=_midnight(filters.after))
    if filters.before:
        rows = rows.filter(at__lt=_midnight(filters.before + timedelta(days=1)))
    return rows


def _midnight(day: date) -> datetime:
    return timezone.make_aware(datetime.combine(day, time.min))


def _rows(rows: QuerySet[Any], kind: str, thing: Any, filters: Filters) -> QuerySet[Any]:
    return (
        rows.order_by()
        .annotate(kind=Value(kind, output_field=CharField()), thing=thing, event=F("data__event"))
        .values(*_COLUMNS)
    )


def entries(rows: list[dict[str, Any]]) -> list[Entry]:
    """Rows with the names of their people and things. Three queries at most."""
    people = {
        user.pk: user.display_name or user.email
        for user in User.objects.filter(pk__in={r["actor_id"] for r in rows if r["actor_id"]}).only(
            "display_name", "email"
        )
    }
    things = _names(rows)
    return [_entry(row, people, things) for row in rows]


def _names(rows: list[dict[str, Any]]) -> dict[tuple[str, int], str]:
    from_tasks = TaskEvent.objects.filter(pk__in=[r["id"] for r in rows if r["kind"] == "task"])
    found = {
        ("task", pk): title or key
        for pk, title, key in from_tasks.order_by().values_list(
            "task_id", "task__title", "task__key"
        )
    }
    from_applications = ApplicationEvent.objects.filter(
        pk__in=[r["id"] for r in rows if r["kind"] == "application"]
    )
    for pk, name, email, *domain in from_applications.order_by().values_list(
        "application_id",
        "application__user__display_name",
        "application__user__email",
        "application__domain__name",
        "application__domain__name_zh",
    ):
        in_words = Domain(name=domain[0], name_zh=domain[1])
        found["application", pk] = f"{name or email} · {in_words}"
    return found


def _entry(row: dict[str, Any], people: dict[int, str], things: dict[Any, str]) -> Entry:
    process = TASK if row["kind"] == "task" else APPLICATION
    return Entry(
        at=row["at"],
        kind=row["kind"],
        thing_id=row["thing"],
        thing=things.get((row["kind"], row["thing"]), str(row["thing"])),
        actor=people.get(row["actor_id"], ""),
        from_stage=row["from_stage"],
        to_stage=row["to_stage"],
        from_label=str(process.stage_label(row["from_stage"])) if row["from_stage"] else "",
        to_label=str(process.stage_label(row["to_stage"])),
        # The machine's fixed sentences are told in the reader's language.
        reason=row["reason"] if row["actor_id"] or not row["reason"] else _(row["reason"]),
        event=row["event"] or "",
    )


def all_entries(filters: Filters, *, batch: int = 500) -> Iterator[Entry]:
    """Every entry wanted, read in batches, so that memory stays flat."""
    rows = events(filters).iterator(chunk_size=batch)
    while found := list(islice(rows, batch)):
        yield from entries(found)
