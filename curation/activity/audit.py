"""The audit for staff: tasks and applications in one list, and lists of the apps' records."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import date, datetime, time, timedelta
from itertools import islice
from typing import Any

from django.db.models import CharField, F, Q, QuerySet, Value
from django.utils import timezone

from curation.applications.events import EVENTS as APPLICATION_EVENTS
from curation.applications.models import ApplicationEvent
from curation.domains.models import Domain
from curation.people.models import User
from curation.process.lifecycle import APPLICATION, TASK
from curation.tasks.events import EVENTS as TASK_EVENTS
from curation.tasks.history import localized_reason
from curation.tasks.models import Task, TaskEvent

KINDS = ("task", "application")
_COLUMNS = (
    *("id", "at", "kind", "thing", "actor_id", "from_stage", "to_stage", "reason", "event"),
    "requested",  # number of lines a review asks to change; `localized_reason` words it
)

EVENTS = {"task": TASK_EVENTS, "application": APPLICATION_EVENTS}


@dataclass(frozen=True)
class AuditSource:
    """An append-only record of an app above that the audit can list: steps on lines, verdicts.

    Attributes:
        kind, label: its name in addresses, and for people.
        rows: returns its rows, without those that nobody may read yet, such as the verdicts of
            an open round.
        task, person, reason, event: the paths of fields to the task, to the person who acted, to
            the reason or text, and to the event.
        says: words an event.
    """

    kind: str
    label: Any
    rows: Callable[[], QuerySet[Any]]
    task: str
    says: Callable[[str], Any]
    person: str = "actor"
    reason: str = "reason"
    event: str = "kind"


_sources: dict[str, AuditSource] = {}


def register(*sources: AuditSource) -> None:
    """Register records for the audit. Idempotent."""
    _sources.update({source.kind: source for source in sources})


def kinds() -> list[tuple[str, Any]]:
    """Return (kind, label) of the records that the audit lists besides moves and notes."""
    return [(source.kind, source.label) for source in _sources.values()]


@dataclass(frozen=True)
class AuditFilters:
    """The filters of the audit; None or empty means all.

    Attributes:
        reader: id of the person who reads. Records of the apps above leave out tasks they wrote
            themselves, because the audit shows names; the story of the task tells their side.
    """

    reader: int = 0
    person: int | None = None
    task: str = ""
    kind: str = ""
    after: date | None = None
    before: date | None = None


@dataclass(frozen=True)
class AuditEntry:
    """A row of the audit: who, when, which thing, from where to where, why."""

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
        """The event in words; empty for a move."""
        if self.kind in _sources:
            return str(_sources[self.kind].says(self.event))
        return EVENTS[self.kind].label(self.event)


def events(filters: AuditFilters) -> QuerySet[Any]:
    """Return the rows that match, newest first, as one combined query of plain values."""
    if filters.kind in _sources:
        return _source_rows(_sources[filters.kind], filters)
    tasks = _rows(_narrowed(TaskEvent.objects.all(), filters), "task", F("task_id"), filters)
    applications = _rows(
        _narrowed(ApplicationEvent.objects.all(), filters),
        "application",
        F("application_id"),
        filters,
    )
    if filters.task:
        return tasks.filter(_of_task("task", filters.task)).order_by("-at", "-id")
    if filters.kind == "task":
        return tasks.order_by("-at", "-id")
    if filters.kind == "application":
        return applications.order_by("-at", "-id")
    return tasks.union(applications, all=True).order_by("-at", "-id")


def _of_task(path: str, typed: str) -> Q:
    """Return a condition for the task with this key or number, over a path of fields."""
    wanted = Q(**{f"{path}__key": typed})
    if typed.isascii() and typed.isdigit() and len(typed) < 18:
        wanted |= Q(**{path: int(typed)})
    return wanted


def _source_rows(source: AuditSource, filters: AuditFilters) -> QuerySet[Any]:
    """Return the rows of a record. Columns are prefixed, as the model may use the names."""
    rows = _narrowed(source.rows(), filters, source.person)
    rows = rows.exclude(**{f"{source.task}__author": filters.reader})
    if filters.task:
        rows = rows.filter(_of_task(source.task, filters.task))
    named = {
        "its_kind": Value(source.kind, output_field=CharField()),
        "its_thing": F(source.task),
        "its_actor_id": F(source.person),
        "its_reason": F(source.reason),
        "its_event": F(source.event),
    }
    return rows.order_by("-at", "-id").values("id", "at", **named)


def _unprefixed(row: dict[str, Any]) -> dict[str, Any]:
    """Return a row with the same column names, whichever record it is from."""
    if "its_kind" not in row:
        return row
    return {"from_stage": "", "to_stage": "", **{k.removeprefix("its_"): row[k] for k in row}}


def _narrowed(rows: QuerySet[Any], filters: AuditFilters, person: str = "actor") -> QuerySet[Any]:
    if filters.person is not None:
        rows = rows.filter(**{person: filters.person})
    if filters.after:
        rows = rows.filter(at__gte=_midnight(filters.after))
    if filters.before:
        rows = rows.filter(at__lt=_midnight(filters.before + timedelta(days=1)))
    return rows


def _midnight(day: date) -> datetime:
    return timezone.make_aware(datetime.combine(day, time.min))


def _rows(rows: QuerySet[Any], kind: str, thing: Any, filters: AuditFilters) -> QuerySet[Any]:
    return (
        rows.order_by()
        .annotate(
            kind=Value(kind, output_field=CharField()),
            thing=thing,
            event=F("data__event"),
            requested=F("data__requested"),
        )
        .values(*_COLUMNS)
    )


def entries(rows: list[dict[str, Any]]) -> list[AuditEntry]:
    """Return rows with the names of their people and things. At most three queries."""
    rows = [_unprefixed(row) for row in rows]
    people = {
        user.pk: user.name_for_staff
        for user in User.objects.filter(pk__in={r["actor_id"] for r in rows if r["actor_id"]}).only(
            "display_name", "email", "is_staff"
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
    others = {r["thing"] for r in rows if r["kind"] in _sources}
    for pk, title, key, kind in (
        (*task, kind)
        for kind in {r["kind"] for r in rows} & _sources.keys()
        for task in Task.objects.filter(pk__in=others).values_list("pk", "title", "key")
    ):
        found[kind, pk] = title or key
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


def _entry(row: dict[str, Any], people: dict[int, str], things: dict[Any, str]) -> AuditEntry:
    process = TASK if row["kind"] == "task" else APPLICATION
    return AuditEntry(
        at=row["at"],
        kind=row["kind"],
        thing_id=row["thing"],
        thing=things.get((row["kind"], row["thing"]), str(row["thing"])),
        actor=people.get(row["actor_id"], ""),
        from_stage=row["from_stage"],
        to_stage=row["to_stage"],
        from_label=str(process.stage_label(row["from_stage"])) if row["from_stage"] else "",
        to_label=str(process.stage_label(row["to_stage"])) if row["to_stage"] else "",
        # Reasons without an actor were recorded by the machine, so they are translated.
        reason=row["reason"] if row["actor_id"] else localized_reason(row["reason"], row),
        event=str(row["event"] or ""),
    )


def all_entries(filters: AuditFilters, *, batch: int = 500) -> Iterator[AuditEntry]:
    """Yield every entry that matches, read in batches to bound the memory used."""
    rows = events(filters).iterator(chunk_size=batch)
    while found := list(islice(rows, batch)):
        yield from entries(found)
