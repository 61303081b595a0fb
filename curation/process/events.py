"""What happens to a thing with a history: one row for each event, read by every page.

The tables stand with their nouns: `curation/tasks/events.py`, `curation/applications/events.py`,
`judge/anchors/events.py`. A table holds the moves from stage to stage, and the notes: what
happened without a move, stored as `data["event"]` of a history row by `Staged.note`.
"""

from collections import defaultdict
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from django.db.models import TextChoices
from django.utils.translation import gettext_lazy as _

Data = Mapping[str, Any]  # of a history row


class ActKind(TextChoices):
    """What an event is about."""

    STAGE = "stage", _("Moves of the task")
    PANEL = "panel", _("Panel")
    VERSION = "version", _("Drafts and versions")
    LINE = "line", _("Steps on lines")
    VERDICT = "verdict", _("Verdicts")
    REMARK = "remark", _("Remarks")
    ASSIGNMENT = "assignment", _("Assignments")
    SENIOR = "senior", _("Spot checks and decisions of seniors")
    SCORING = "scoring", _("Anchors and sheets")
    STAFF = "staff", _("Decisions of staff")


class Words(NamedTuple):
    """An event as a person reads it.

    Attributes:
        icon, tone: a shape of the set and its colour word.
        head: what happened, as a sentence; `%(name)s` is filled in from the history row's data.
        text: figures and what comes next.
    """

    icon: str
    tone: str
    head: Any
    text: Any = ""


@dataclass(frozen=True)
class Notice:
    """The notice an event sends.

    Attributes:
        kind: the notice, or how the data tells which.
        page: the name of the address it leads to; empty where that follows from the recipient.
        to: whom it is sent to: one of the recipients in `curation/activity/notify_people.py`.
        count: the fact of the data that its sentence tells as `%(n)s`.
        with_reason: it quotes the reason of the history row.
    """

    kind: str | Callable[[Data], str]
    page: str = ""
    to: str = "author"
    count: str = ""
    with_reason: bool = False

    def kind_for(self, data: Data) -> str:
        """The notice to send; empty for none."""
        return self.kind if isinstance(self.kind, str) else self.kind(data)


@dataclass(frozen=True, kw_only=True)
class Event:
    """One event.

    Attributes:
        words: its words, or how the data makes them.
        label: its name in the audit; of notes.
        staff_only: nobody but staff reads it.
        kind: what it is about; None where that follows from who moved the task.
        role: of whoever does it, other than the author or the machine.
        notices: what it sends.
    """

    words: Words | Callable[[Data], Words]
    label: Any = ""
    staff_only: bool = False
    kind: ActKind | None = None
    role: str = ""
    notices: tuple[Notice, ...] = ()

    def told(self, data: Data) -> Words:
        """Its words for one history row."""
        words = self.words if isinstance(self.words, Words) else self.words(data)
        facts = defaultdict(str, {name: value for name, value in data.items() if value is not None})
        return words._replace(head=str(words.head) % facts, text=str(words.text))


@dataclass(frozen=True)
class Events:
    """The events of one kind of thing.

    Attributes:
        notes: code -> event.
        moves: (stage before, stage after) -> event; a move not named falls back to the stage
            after it, with an empty stage before.
    """

    notes: Mapping[str, Event]
    moves: Mapping[tuple[str, str], Event] = field(default_factory=dict)

    def of(self, before: str, after: str, data: Data) -> Event | None:
        """The event of a history row; None where no row of the table is about it."""
        code = data.get("event", "")
        if code and (before == after or code in self.notes):
            return self.notes.get(code)
        return self.moves.get((before, after)) or self.moves.get(("", after))

    @property
    def for_staff(self) -> list[str]:
        """The notes that nobody but staff reads."""
        return [code for code, event in self.notes.items() if event.staff_only]

    def label(self, code: str) -> str:
        """A note's name in the audit."""
        event = self.notes.get(code)
        return str(event.label) if event else code.replace("_", " ").capitalize()
