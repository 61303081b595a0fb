"""Types of the tables of events: one row per event, from which all pages take its words.

Each noun has a table: `curation/tasks/task/events.py`,
`curation/qualifying/applications/events.py`, `judge/scoring/anchors/events.py`. It has the moves
between stages, and the notes, which move nothing and are stored as `data["event"]` of a history row
by `Staged.note`.
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
    """The words of an event.

    Attributes:
        icon, tone: names for the tag `icon` (`curation/base/web/look.py`).
        head: what happened, as a sentence; `%(name)s` is filled from the history row's data.
        text: figures, and what comes next.
    """

    icon: str
    tone: str
    head: Any
    text: Any = ""


@dataclass(frozen=True)
class Notice:
    """The notice an event sends.

    Attributes:
        kind: the key of the notice, or a function of the history row's data that returns it.
        page: the route it leads to; "" where that depends on the recipient.
        to: one of the recipients in `curation/tasks/task/notices.py`.
        count: the key of the data that is shown as `%(n)s`.
        with_reason: whether it quotes the reason of the history row.
    """

    kind: str | Callable[[Data], str]
    page: str = ""
    to: str = "author"
    count: str = ""
    with_reason: bool = False

    def kind_for(self, data: Data) -> str:
        """Return the key of the notice to send; "" for none."""
        return self.kind if isinstance(self.kind, str) else self.kind(data)


@dataclass(frozen=True, kw_only=True)
class Event:
    """A row of a table of events.

    Attributes:
        words: its words, or a function of the history row's data that returns them.
        label: its name in the audit, for notes.
        staff_only: whether only staff read it.
        kind: what it is about; None where that depends on who moved the task.
        role: the role of its actor, if neither the author nor the machine.
        notices: the notices it sends.
    """

    words: Words | Callable[[Data], Words]
    label: Any = ""
    staff_only: bool = False
    kind: ActKind | None = None
    role: str = ""
    notices: tuple[Notice, ...] = ()

    def words_for(self, data: Data) -> Words:
        """Return its words for the data of a history row."""
        words = self.words if isinstance(self.words, Words) else self.words(data)
        facts = defaultdict(str, {name: value for name, value in data.items() if value is not None})
        return words._replace(head=str(words.head) % facts, text=str(words.text))


@dataclass(frozen=True)
class Events:
    """The table of events of one noun.

    Attributes:
        notes: code -> event.
        moves: (stage before, stage after) -> event; ("", stage after) is the fallback for moves
            from any other stage.
    """

    notes: Mapping[str, Event]
    moves: Mapping[tuple[str, str], Event] = field(default_factory=dict)

    def of(self, before: str, after: str, data: Data) -> Event | None:
        """Return the event of a history row; None if the table has none."""
        code = data.get("event", "")
        if code and (before == after or code in self.notes):
            return self.notes.get(code)
        return self.moves.get((before, after)) or self.moves.get(("", after))

    @property
    def for_staff(self) -> list[str]:
        """The codes of notes that only staff read."""
        return [code for code, event in self.notes.items() if event.staff_only]

    def label(self, code: str) -> str:
        """Return a note's name in the audit."""
        event = self.notes.get(code)
        return str(event.label) if event else code.replace("_", " ").capitalize()
