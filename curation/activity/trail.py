"""The trail of a task: everything anybody did to it, one act after the other, as a reader may know.

The apps above keep their own records. Each registers a source here that reads them as acts; a
source makes a fixed number of queries, asks who reads, and never selects what that reader must
not know. Nothing here is stored: the trail is the append-only rows themselves, told.
"""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import date, datetime, timedelta
from typing import Any

from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from curation.people.models import User
from curation.process.events import ActKind
from curation.process.roles import STAFF, Role

PAUSE = timedelta(minutes=30)  # without a step; after it the next one begins another sitting


WORK = (ActKind.LINE, ActKind.VERDICT, ActKind.REMARK)  # done many at a time: told by the sitting
MACHINE = "machine"  # acts without a seat, as staff do


@dataclass(frozen=True, slots=True)
class Reader:
    """Who reads the trail of one task.

    Attributes:
        names: they read everybody's name, and what only staff may know: staff who did not write
            the task. Anybody else is its author, who reads their own side without names.
    """

    user: int
    names: bool


@dataclass(frozen=True, slots=True)
class Act:
    """One thing somebody did.

    Attributes:
        source, pk: the row it is told from.
        role: of the person on the task: a `Role`, "staff" or "machine".
        number: of the reviewer, where there is one.
        head: what was done, as a sentence.
        text: figures and what changed; quote: what the person wrote, as typed.
        version: the number of the rubric's version, where it is about one.
        line: the key of the line, words: its text.
        who, who_key: filled in for the reader.
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
        """The seat behind a name."""
        if self.role == Role.REVIEWER and self.number:
            return _("Reviewer %(n)s") % {"n": self.number}
        if self.role in Role.values:
            return str(Role(self.role).label)
        return _("Staff") if self.role == STAFF else ""


Source = Callable[[Any, Reader], Iterable[Act]]
_sources: list[Source] = []


def register(source: Source) -> None:
    """Add an app's records: (task, reader) -> acts, in a fixed number of queries. Twice is once."""
    if source not in _sources:
        _sources.append(source)


@dataclass(frozen=True)
class Filters:
    """What of the trail is wanted; empty means all."""

    who: str = ""
    kind: str = ""
    version: int | None = None
    after: date | None = None
    before: date | None = None

    def take(self, act: Act) -> bool:
        day = timezone.localtime(act.at).date()
        return (
            (not self.who or act.who_key == self.who)
            and (not self.kind or act.kind == self.kind)
            and (self.version is None or act.version == self.version)
            and (self.after is None or day >= self.after)
            and (self.before is None or day <= self.before)
        )


def acts(task: Any, reader: Reader) -> list[Act]:
    """Everything this reader may know, oldest first, with whoever did it named for them.

    One query for the names, and each source's own.
    """
    found = [act for source in _sources for act in source(task, reader)]
    found.sort(key=lambda act: (act.at, act.source, act.pk))
    names: dict[int, str] = {}
    if reader.names:
        names = {
            user.pk: user.display_name or user.email
            for user in User.objects.filter(
                pk__in={act.person for act in found if act.person}
            ).only("display_name", "email")
        }
    return [_named(act, reader, names) for act in found]


def _named(act: Act, reader: Reader, names: dict[int, str]) -> Act:
    if act.role == MACHINE:
        return replace(act, who=_("the machine"), who_key=MACHINE)
    if reader.names and act.person is not None:
        return replace(act, who=names.get(act.person, ""), who_key=f"p{act.person}")
    if act.person == reader.user:
        return replace(act, who=_("You"), who_key="you", person=None)
    who = (
        {
            Role.SPOT_CHECKER: _("A senior"),
            Role.DECIDER: _("A senior"),
            Role.SCREENER: _("The panel"),
            Role.CHECKER: _("The panel"),
        }.get(Role(act.role))
        if act.role in Role.values
        else None
    )
    key = f"{act.role}{act.number or ''}"
    return replace(act, who=who or act.role_label or _("A colleague"), who_key=key, person=None)


@dataclass(frozen=True, slots=True)
class Sitting:
    """Acts of one person on one version without a long pause, told as one."""

    acts: tuple[Act, ...]

    @property
    def first(self) -> Act:
        return self.acts[0]

    @property
    def at(self) -> datetime:
        return self.acts[0].at

    @property
    def until(self) -> datetime:
        return self.acts[-1].at

    @property
    def single(self) -> bool:
        return len(self.acts) == 1

    @property
    def head(self) -> str:
        """ "9 steps on 6 lines, 2 remarks"."""
        if self.single:
            return self.first.head
        steps = [act for act in self.acts if act.kind == ActKind.LINE]
        verdicts = [act for act in self.acts if act.kind == ActKind.VERDICT]
        remarks = [act for act in self.acts if act.kind == ActKind.REMARK]
        parts = []
        if steps:
            lines = len({act.line for act in steps if act.line}) or 1
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


def sittings(found: Sequence[Act]) -> list[Sitting]:
    """Acts in order, the work on lines put together by sitting; everything else stands alone."""
    grouped: list[list[Act]] = []
    for act in found:
        last = grouped[-1][-1] if grouped else None
        if (
            last is not None
            and act.kind in WORK
            and last.kind in WORK
            and (act.who_key, act.version) == (last.who_key, last.version)
            and act.at - last.at <= PAUSE
        ):
            grouped[-1].append(act)
        else:
            grouped.append([act])
    return [Sitting(tuple(group)) for group in grouped]


def people_of(found: Iterable[Act]) -> list[tuple[str, str]]:
    """(key, label) of everybody who acted, in the order they first did."""
    return list({act.who_key: act.who for act in found}.items())


def versions_of(found: Iterable[Act]) -> list[int]:
    """The numbers of the versions acted on."""
    return sorted({act.version for act in found if act.version is not None})
