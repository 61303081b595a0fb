"""The audit for staff: who did what to tasks, people, runs, prices and releases, in one list.

Each record is a source: a table of events with the paths of its columns. The list of keys is one
combined query over the chosen sources; the rows of a page are then read from their own tables.
"""

from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from datetime import date, datetime, time, timedelta
from itertools import islice
from typing import Any

from django.db.models import CharField, F, Q, QuerySet, Value
from django.db.models.fields.json import KT
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext_lazy

from curation.joining.people import User
from curation.tasks.task.history import localized_reason
from curation.tasks.task.models import Task

Named = Callable[[Collection[int]], Mapping[int, str]]


def _task_names(keys: Collection[int]) -> Mapping[int, str]:
    rows = Task.objects.filter(pk__in=keys).values_list("pk", "title", "key")
    return {pk: title or key for pk, title, key in rows}


def _task_page(pk: int) -> str:
    return reverse("staff-task", args=[pk])


@dataclass(frozen=True)
class AuditSource:
    """An append-only record that the audit can list: moves, steps on lines, verdicts, roles.

    Attributes:
        kind, label: its name in addresses, and for people. Sources of one kind are listed together.
        rows: returns its rows, without those that nobody may read yet, such as the verdicts of
            an open round.
        thing: the path to the id of what it is about.
        says: words an event.
        person, about, reason, at: the paths of fields to the person who acted, to the person it is
            about ("" for none), to the reason or text ("" for none), and to the time.
        event: a path of fields or an expression for a text.
        key: names it among all; its kind without one.
        of_tasks: whether `thing` is a task. People do not read what others did to tasks of theirs.
        names, url: ids of things -> their names, in one query; an id -> the address of its page.
        process: of rows that move something from stage to stage; None for other records.
        nobody: who acted where no person did.
        always: whether it is listed where no kind is chosen.
        place: orders the kinds, lower first.
    """

    kind: str
    label: Any
    rows: Callable[[], QuerySet[Any]]
    thing: str
    says: Callable[[str], Any]
    person: str = "actor"
    about: str = ""
    reason: str = "reason"
    event: Any = "kind"
    at: str = "at"
    key: str = ""
    of_tasks: bool = True
    names: Named = _task_names
    url: Callable[[int], str] = _task_page
    process: Any = None
    nobody: Any = gettext_lazy("the machine")
    always: bool = False
    place: int = 0


_sources: dict[str, AuditSource] = {}


def register(*sources: AuditSource) -> None:
    """Register records for the audit. Idempotent."""
    for source in sources:
        named = replace(source, key=source.key or source.kind)
        _sources[named.key] = named


def kinds() -> list[tuple[str, Any]]:
    """Return (kind, label) of the records, those first that are listed without a choice."""
    ordered = sorted(_sources.values(), key=lambda one: (not one.always, one.place))
    return list({source.kind: source.label for source in ordered}.items())


@dataclass(frozen=True)
class AuditFilters:
    """The filters of the audit; None or empty means all.

    Attributes:
        reader: id of the person who reads. Records of tasks other than their moves leave out tasks
            they wrote themselves, because the audit shows names; the story of the task tells their
            side.
        person: who acted, or whom it is about.
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
    url: str
    actor: str
    nobody: str
    from_stage: str
    to_stage: str
    from_label: str
    to_label: str
    reason: str
    event: str
    event_label: str


# --- which events match ---------------------------------------------------------------------------
def events(filters: AuditFilters) -> QuerySet[Any]:
    """Return keys (`source_key`, `id`, `time`) of the rows that match, newest first. One query."""
    chosen = [source for source in _sources.values() if _is_listed(source, filters)]
    first, *others = [_keys(source, filters) for source in chosen]
    rows = first.union(*others, all=True) if others else first
    return rows.order_by("-time", "-id")


def _is_listed(source: AuditSource, filters: AuditFilters) -> bool:
    if filters.kind:
        return source.kind == filters.kind
    return source.always and (not filters.task or source.of_tasks)


def _keys(source: AuditSource, filters: AuditFilters) -> QuerySet[Any]:
    rows = source.rows().order_by()
    if filters.person is not None:
        of_person = Q(**{source.person: filters.person})
        if source.about:
            of_person |= Q(**{source.about: filters.person})
        rows = rows.filter(of_person)
    if filters.after:
        rows = rows.filter(**{f"{source.at}__gte": _midnight(filters.after)})
    if filters.before:
        rows = rows.filter(**{f"{source.at}__lt": _midnight(filters.before + timedelta(days=1))})
    if source.of_tasks and source.process is None:
        rows = rows.exclude(**{f"{source.thing}__author": filters.reader})
    if filters.task:
        rows = rows.filter(_of_task(source.thing, filters.task)) if source.of_tasks else rows.none()
    key = Value(source.key, output_field=CharField())
    return rows.values("id", time=F(source.at), source_key=key)


def _of_task(path: str, typed: str) -> Q:
    """Return a condition for the task with this key or number, over a path of fields."""
    wanted = Q(**{f"{path}__key": typed})
    if typed.isascii() and typed.isdigit() and len(typed) < 18:
        wanted |= Q(**{path: int(typed)})
    return wanted


def _midnight(day: date) -> datetime:
    return timezone.make_aware(datetime.combine(day, time.min))


# --- what they say --------------------------------------------------------------------------------
def entries(keys: Iterable[Mapping[str, Any]]) -> list[AuditEntry]:
    """Return the rows with the names of their people and things, in the order of the keys.

    One query for each source, one for its names, and one for the people.
    """
    wanted: dict[str, list[int]] = defaultdict(list)
    order = [(str(row["source_key"]), int(row["id"])) for row in keys]
    for key, pk in order:
        wanted[key].append(pk)
    found: dict[tuple[str, int], dict[str, Any]] = {}
    for key, pks in wanted.items():
        for row in _rows(_sources[key], pks):
            found[key, row["id"]] = row
    people = _people({row["its_person"] for row in found.values()})
    names = _names(found)
    return [_entry(_sources[key], found[key, pk], people, names[key]) for key, pk in order]


def _rows(source: AuditSource, pks: Collection[int]) -> QuerySet[Any]:
    """Return the columns of rows. They are prefixed, as the model may use the names."""
    text = CharField()
    moves: dict[str, Any] = {}
    event: Any = F(source.event) if isinstance(source.event, str) else source.event
    if source.process is not None:
        event = KT("data__event")
        moves = {
            "its_from": F("from_stage"),
            "its_to": F("to_stage"),
            "its_requested": F("data__requested"),
        }
    return (
        source.rows()
        .filter(pk__in=pks)
        .order_by()
        .values(
            "id",
            its_time=F(source.at),
            its_thing=F(source.thing),
            its_person=F(source.person),
            its_reason=F(source.reason) if source.reason else Value("", output_field=text),
            its_event=event,
            **moves,
        )
    )


def _people(ids: Collection[int | None]) -> Mapping[int, str]:
    rows = User.objects.filter(pk__in={pk for pk in ids if pk})
    return {user.pk: user.name_for_staff for user in rows.only("display_name", "email", "is_staff")}


def _names(found: Mapping[tuple[str, int], Mapping[str, Any]]) -> dict[str, Mapping[int, str]]:
    """Return the names of the things of each source; sources share a query where they can."""
    things: dict[Named, set[int]] = defaultdict(set)
    for (key, _pk), row in found.items():
        things[_sources[key].names].add(row["its_thing"])
    named = {names: names(ids) for names, ids in things.items()}
    return {key: named[_sources[key].names] for key, _pk in found}


def _entry(
    source: AuditSource,
    row: Mapping[str, Any],
    people: Mapping[int, str],
    names: Mapping[int, str],
) -> AuditEntry:
    came, went = row.get("its_from", ""), row.get("its_to", "")
    event, reason = str(row["its_event"] or ""), str(row["its_reason"] or "")
    if source.process is not None and not row["its_person"]:
        # Reasons without an actor were recorded by the machine, so they are translated.
        reason = localized_reason(reason, {"requested": row["its_requested"]})
    return AuditEntry(
        at=row["its_time"],
        kind=source.kind,
        thing_id=row["its_thing"],
        thing=names.get(row["its_thing"], str(row["its_thing"] or "")),
        url=source.url(row["its_thing"]) if row["its_thing"] else "",
        actor=people.get(row["its_person"], ""),
        nobody=str(source.nobody),
        from_stage=came,
        to_stage=went,
        from_label=str(source.process.stage_label(came)) if came else "",
        to_label=str(source.process.stage_label(went)) if went else "",
        reason=reason,
        event=event,
        event_label=str(source.says(event)),
    )


def all_entries(filters: AuditFilters, *, batch: int = 500) -> Iterator[AuditEntry]:
    """Yield every entry that matches, read in batches to bound the memory used."""
    rows = events(filters).iterator(chunk_size=batch)
    while found := list(islice(rows, batch)):
        yield from entries(found)
