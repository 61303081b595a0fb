"""The trail of a task: everything that people and the machine did to it, as a reader may know it.

The apps above keep their own append-only records. Each registers a source here that reads them as
entries. A source makes a fixed number of queries, and never selects what the reader may not know.
The trail itself is not stored.
"""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import date, datetime, timedelta
from typing import Any

from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from curation.base.process.events import ActKind
from curation.base.process.roles import STAFF, Role
from curation.joining.people import User

PAUSE = timedelta(minutes=30)  # a longer pause begins a new work session


SESSION_KINDS = (
    ActKind.LINE,
    ActKind.VERDICT,
    ActKind.REMARK,
)  # grouped by work session
MACHINE = "machine"  # a role without a seat, like STAFF


@dataclass(frozen=True, slots=True)
class Reader:
    """The person who reads the trail of a task.

    Attributes:
        user: id of the person.
        names: whether they read names and what only staff may know: true for staff who did not
            write the task. Other readers are its author, who reads no names.
    """

    user: int
    names: bool


@dataclass(frozen=True, slots=True)
class TrailEntry:
    """One thing that somebody did.

    Attributes:
        source, pk: name of the record and primary key of its row.
        role: role of the person on the task: a `Role`, "staff" or "machine".
        person: id of the person; None for the machine, and where the reader may not know it.
        number: number of the reviewer, for reviewers.
        head: what was done, as a sentence.
        text, quote: figures and what changed; what the person wrote, as typed.
        version: number of the rubric's version, if the entry is about one.
        line, words: key and text of the line, if the entry is about one.
        who, who_key: name and key of the person, filled in for the reader.
    """

    at: datetime
    source: str
    pk: int
    kind: str
    role: str
    head: str
    person: int | None = None
    number: int | None = None
    text: str = ""
    quote: str = ""
    version: int | None = None
    line: str = ""
    words: str = ""
    icon: str = "dot"
    tone: str = ""
    who: str = ""
    who_key: str = ""

    @property
    def kind_label(self) -> str:
        return str(ActKind(self.kind).label)

    @property
    def role_label(self) -> str:
        """The role in words; empty for the machine."""
        if self.role == Role.REVIEWER and self.number:
            return _("Reviewer %(n)s") % {"n": self.number}
        if self.role in Role.values:
            return str(Role(self.role).label)
        return _("Staff") if self.role == STAFF else ""


Source = Callable[[Any, Reader], Iterable[TrailEntry]]
_sources: list[Source] = []


def register(source: Source) -> None:
    """Register a source: (task, reader) -> entries, in a fixed number of queries. Idempotent."""
    if source not in _sources:
        _sources.append(source)


@dataclass(frozen=True)
class Filters:
    """The filters of a trail; empty means all."""

    who: str = ""
    kind: str = ""
    version: int | None = None
    after: date | None = None
    before: date | None = None

    def take(self, entry: TrailEntry) -> bool:
        day = timezone.localtime(entry.at).date()
        return (
            (not self.who or entry.who_key == self.who)
            and (not self.kind or entry.kind == self.kind)
            and (self.version is None or entry.version == self.version)
            and (self.after is None or day >= self.after)
            and (self.before is None or day <= self.before)
        )


def trail_of(task: Any, reader: Reader) -> list[TrailEntry]:
    """Return the entries this reader may know, oldest first, with people named for them.

    One query for the names, and those of the sources.
    """
    found = [entry for source in _sources for entry in source(task, reader)]
    found.sort(key=lambda entry: (entry.at, entry.source, entry.pk))
    names: dict[int, str] = {}
    if reader.names:
        names = {
            user.pk: user.name_for_staff
            for user in User.objects.filter(
                pk__in={entry.person for entry in found if entry.person}
            ).only("display_name", "email", "is_staff")
        }
    return [_named(entry, reader, names) for entry in found]


def _named(entry: TrailEntry, reader: Reader, names: dict[int, str]) -> TrailEntry:
    if entry.role == MACHINE:
        return replace(entry, who=_("the machine"), who_key=MACHINE)
    if reader.names and entry.person is not None:
        return replace(entry, who=names.get(entry.person, ""), who_key=f"p{entry.person}")
    if entry.person == reader.user:
        return replace(entry, who=_("You"), who_key="you", person=None)
    who = (
        {
            Role.SPOT_CHECKER: _("A senior"),
            Role.DECIDER: _("A senior"),
            Role.SCREENER: _("The panel"),
            Role.CHECKER: _("The panel"),
        }.get(Role(entry.role))
        if entry.role in Role.values
        else None
    )
    key = f"{entry.role}{entry.number or ''}"
    return replace(entry, who=who or entry.role_label or _("A colleague"), who_key=key, person=None)


@dataclass(frozen=True, slots=True)
class WorkSession:
    """The entries of one person on one version without a long pause, shown as one."""

    entries: tuple[TrailEntry, ...]

    @property
    def first(self) -> TrailEntry:
        return self.entries[0]

    @property
    def at(self) -> datetime:
        return self.entries[0].at

    @property
    def until(self) -> datetime:
        return self.entries[-1].at

    @property
    def single(self) -> bool:
        return len(self.entries) == 1

    @property
    def head(self) -> str:
        """The summary, such as "9 steps on 6 lines, 2 remarks"."""
        if self.single:
            return self.first.head
        steps = [entry for entry in self.entries if entry.kind == ActKind.LINE]
        verdicts = [entry for entry in self.entries if entry.kind == ActKind.VERDICT]
        remarks = [entry for entry in self.entries if entry.kind == ActKind.REMARK]
        parts = []
        if steps:
            lines = len({entry.line for entry in steps if entry.line}) or 1
            parts.append(
                _("%(steps)s on %(lines)s")
                % {
                    "steps": ngettext("%(n)s step", "%(n)s steps", len(steps)) % {"n": len(steps)},
                    "lines": ngettext("%(n)s line", "%(n)s lines", lines) % {"n": lines},
                }
            )
        if verdicts:
            n = len(verdicts)
            parts.append(ngettext("%(n)s verdict", "%(n)s verdicts", n) % {"n": n})
        if remarks:
            n = len(remarks)
            parts.append(ngettext("%(n)s remark", "%(n)s remarks", n) % {"n": n})
        return ", ".join(parts)


def work_sessions(found: Sequence[TrailEntry]) -> list[WorkSession]:
    """Group entries of SESSION_KINDS into work sessions; every other entry stands alone."""
    grouped: list[list[TrailEntry]] = []
    for entry in found:
        last = grouped[-1][-1] if grouped else None
        if (
            last is not None
            and entry.kind in SESSION_KINDS
            and last.kind in SESSION_KINDS
            and (entry.who_key, entry.version) == (last.who_key, last.version)
            and entry.at - last.at <= PAUSE
        ):
            grouped[-1].append(entry)
        else:
            grouped.append([entry])
    return [WorkSession(tuple(group)) for group in grouped]


def people_of(found: Iterable[TrailEntry]) -> list[tuple[str, str]]:
    """Return (key, label) of everybody who acted, in the order of their first entry."""
    return list({entry.who_key: entry.who for entry in found}.items())


def versions_of(found: Iterable[TrailEntry]) -> list[int]:
    """Return the numbers of the versions that entries are about."""
    return sorted({entry.version for entry in found if entry.version is not None})
