"""What a model says of a rubric's lines.

Models live in an app above this one. It registers a desk here; without one nobody can be asked.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, Protocol

from django.utils.translation import gettext_lazy as _

from curation.access.action import action
from rubrics.linter.rule import Mark, Rule

RULE = Rule(
    code="model_opinion",
    name=_("a model's opinion"),
    message=_("A model's opinion: %(words)s"),
    teaches=_("A model read the lines on request. It may be wrong; the decision is yours."),
    examples=(),
)


@dataclass(frozen=True)
class Opinion:
    """What a model said of one line, as the line was worded then."""

    pk: int
    key: str
    text: str
    words: str

    def mark(self) -> Mark:
        """As a mark, to be set aside like any other."""
        return Mark(RULE, words=self.words, about=str(self.pk))


@dataclass(frozen=True)
class Reading:
    """The newest reading of a rubric by a model.

    Attributes:
        state: "none", "waiting", "read" or "failed".
        by: who read, as shown to people.
        note: where there is nothing to show, why.
        at: when it was read or asked for.
    """

    state: str = "none"
    by: str = ""
    note: str = ""
    at: datetime | None = None
    opinions: Sequence[Opinion] = field(default=())

    def by_key(self) -> Mapping[str, list[Opinion]]:
        """Line key -> the opinions on it."""
        found: dict[str, list[Opinion]] = {}
        for opinion in self.opinions:
            found.setdefault(opinion.key, []).append(opinion)
        return found


class Desk(Protocol):
    """Where a model can be asked, and what it said can be read."""

    def available(self) -> bool:
        """Whether a model is configured for it."""

    def ask(self, *, actor: Any, task: Any) -> None:
        """Have the open lines read, in the background."""

    def reading(self, task_id: int) -> Reading:
        """What came of the newest request."""


class _Nobody:
    def available(self) -> bool:
        return False

    def ask(self, *, actor: Any, task: Any) -> None:
        """Nobody is there to be asked."""

    def reading(self, task_id: int) -> Reading:
        return Reading()


_desk: Desk = _Nobody()


def register(desk: Desk) -> None:
    """Let the app that holds the models answer."""
    global _desk
    _desk = desk


def available() -> bool:
    """Whether authors can ask a model to read their lines."""
    return _desk.available()


@action("rubric.refine", about="task")
def ask(*, actor: Any, task: Any) -> None:
    """Have a model read the open lines of a task.

    Raises:
        Conflict: it is being read already, or there is nothing to read.
    """
    _desk.ask(actor=actor, task=task)


def reading(task_id: int) -> Reading:
    """The newest reading of a task's lines."""
    return _desk.reading(task_id)
