"""Everything that happened, for staff: tasks and applications in one list, and each record of the
apps above as a list of its own.
"""

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
from curation.tasks.history import in_readers_words
from curation.tasks.models import Task, TaskEvent

KINDS = ("task", "application")
_COLUMNS = (
    *("id", "at", "kind", "thing", "actor_id", "from_stage", "to_stage", "reason", "event"),
    "requested",  # lines a review asks to change: the sentence about them is told, not translated
)

EVENTS = {"task": TASK_EVENTS, "application": APPLICATION_EVENTS}


@dataclass(frozen=True)
class Ledger:
    """An append-only record of an app above: steps on lines, verdicts, remarks.

    Attributes:
        kind, label: its name in an address, and for people.
        rows: its rows; those that nobody may read yet, as the verdicts of an open round, are not
            among them.
        task, person, reason, event: the fields that lead to the task, to who did it, to why (or
            what was said), and to what it was.
        says: the event in words.
    """

    kind: str
    label: Any
    rows: Callable[[], QuerySet[Any]]
    task: str
    says: Callable[[str], Any]
    person: str = "actor"
    reason: str = "reason"
    event: str = "kind"


_ledgers: dict[str, Ledger] = {}


def register(*ledgers: Ledger) -> None:
    """Let the audit list these records too. Twice is once."""
    _ledgers.update({ledger.kind: ledger for ledger in ledgers})


def kinds() -> list[tuple[str, Any]]:
    """What the audit can list besides moves and notes."""
    return [(ledger.kind, ledger.label) for ledger in _ledgers.values()]


@dataclass(frozen=True)
class Filters:
    """What of the history is wanted; None means all.

    Attributes:
        reader: who reads. What happened to a prompt of their own is not listed with names for
            them; its story tells them their side.
    """

    reader: int = 0
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
        if self.kind in _ledgers:
            return str(_ledgers[self.kind].says(self.event))
        return EVENTS[self.kind].label(self.event)


def events(filters: Filters) -> QuerySet[Any]:
    """The rows wanted, newest first, as one combined query of plain values."""
    if filters.kind in _ledgers:
        return _listed(_ledgers[filters.kind], filters)
    tasks = _rows(_in_time(TaskEvent.objects.all(), filters), "task", F("task_id"), filters)
    applications = _rows(
        _in_time(ApplicationEvent.objects.all(), filters),
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
    """The task with this key or number, over a path of fields."""
    wanted = Q(**{f"{path}__key": typed})
    if typed.isascii() and typed.isdigit() and len(typed) < 18:
        wanted |= Q(**{path: int(typed)})
    return wanted


def _listed(ledger: Ledger, filters: Filters) -> QuerySet[Any]:
    """The rows of one record; its columns are prefixed, for a field may have the same name."""
    rows = _in_time(ledger.rows(), filters, ledger.person)
    rows = rows.exclude(**{f"{ledger.task}__author": filters.reader})
    if filters.task:
        rows = rows.filter(_of_task(ledger.task, filters.task))
    named = {
        "its_kind": Value(ledger.kind, output_field=CharField()),
        "its_thing": F(ledger.task),
        "its_actor_id": F(ledger.person),
        "its_reason": F(ledger.reason),
        "its_event": F(ledger.event),
    }
    return rows.order_by("-at", "-id").values("id", "at", **named)


def _plain(row: dict[str, Any]) -> dict[str, Any]:
    """A row of a record under the names of the others."""
    if "its_kind" not in row:
        return row
    return {"from_stage": "", "to_stage": "", **{k.removeprefix("its_"): row[k] for k in row}}


def _in_time(rows: QuerySet[Any], filters: Filters, person: str = "actor") -> QuerySet[Any]:
    if filters.person is not None:
        rows = rows.filter(**{person: filters.person})
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
        .annotate(
            kind=Value(kind, output_field=CharField()),
            thing=thing,
            event=F("data__event"),
            requested=F("data__requested"),
        )
        .values(*_COLUMNS)
    )


def entries(rows: list[dict[str, Any]]) -> list[Entry]:
    """Rows with the names of their people and things. Three queries at most."""
    rows = [_plain(row) for row in rows]
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
    others = {r["thing"] for r in rows if r["kind"] in _ledgers}
    for pk, title, key, kind in (
        (*task, kind)
        for kind in {r["kind"] for r in rows} & _ledgers.keys()
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
        to_label=str(process.stage_label(row["to_stage"])) if row["to_stage"] else "",
        # The machine's sentences are told in the reader's language.
        reason=row["reason"] if row["actor_id"] else in_readers_words(row["reason"], row),
        event=str(row["event"] or ""),
    )


def all_entries(filters: Filters, *, batch: int = 500) -> Iterator[Entry]:
    """Every entry wanted, read in batches, so that memory stays flat."""
    rows = events(filters).iterator(chunk_size=batch)
    while found := list(islice(rows, batch)):
        yield from entries(found)
