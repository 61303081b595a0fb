"""What reviewers asked for, as the author sees it.

Reviews live in an app above this one. It registers a reader and a writer here; without them
nothing is asked.
"""

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, Protocol

from curation.access.action import action
from rubrics.policy.dimensions import Dimension


@dataclass(frozen=True)
class Proposal:
    """A line as a reviewer would write it, whole, so that it can be taken as it is.

    Attributes:
        pk: what to send in order to take it.
        instead_of: the line's text when it was proposed, for the words that differ; its
            importance, weight and dimension then are in `was`, where they are shown beside it.
    """

    pk: int
    who: str
    text: str
    importance: str
    weight: int
    dimension: str
    instead_of: Any = None
    was: tuple[str, int, str] | None = None

    @property
    def reworded(self) -> bool:
        """Whether the words differ from the line's when it was proposed."""
        return self.instead_of != self.text

    @property
    def old_weight(self) -> int | None:
        """The line's weight, where another one is proposed."""
        return self.was[1] if self.was and self.was[1] != self.weight else None

    @property
    def new_importance(self) -> str:
        """The importance proposed, where it differs."""
        return self.importance if self.was and self.was[0] != self.importance else ""

    @property
    def new_dimension(self) -> str:
        """The name of the dimension proposed, where it differs."""
        return self.dimension_label if self.was and self.was[2] != self.dimension else ""

    @property
    def dimension_label(self) -> str:
        return str(Dimension(self.dimension).label)


@dataclass(frozen=True)
class Remark:
    """One remark of a thread. `who` is a role ("Reviewer 1"); with a name only where the rules of
    the review show names. A proposal stands in the place of the words, or beside them."""

    who: str
    meta: str
    at: datetime
    text: str
    proposal: Proposal | None = None


@dataclass(frozen=True)
class Request:
    """A reviewer's request for a change on one line of the last closed version.

    Attributes:
        asked: the line's content then (text, importance, weight, dimension).
        answered: whether the author replied since.
        proposals: the line as those who asked would write it.
    """

    key: str
    aspect: Any
    asked: Any
    answered: bool
    proposals: tuple[Proposal, ...] = ()


@dataclass(frozen=True)
class Thread:
    """The remarks on one line, oldest first."""

    key: str
    remarks: tuple[Remark, ...] = field(default=())


class Reader(Protocol):
    """What the app that holds the reviews answers."""

    def requests(self, task_ids: Collection[int]) -> Mapping[int, Mapping[str, Request]]:
        """Task id -> line key -> what the last round asks the author for."""

    def threads(self, task_id: int) -> Mapping[str, Thread]:
        """Line key -> the remarks the author may read."""


class _Nobody:
    def requests(self, task_ids: Collection[int]) -> Mapping[int, Mapping[str, Request]]:
        return {}

    def threads(self, task_id: int) -> Mapping[str, Thread]:
        return {}


class Writer(Protocol):
    """How the author's answer gets into a thread."""

    def __call__(self, *, actor: Any, task: Any, line: Any, words: str) -> Any: ...


def _nobody_asked(*, actor: Any, task: Any, line: Any, words: str) -> None:
    """Without reviews there is nobody to answer."""


_reader: Reader = _Nobody()
_writer: Writer = _nobody_asked


def register(reader: Reader, writer: Writer) -> None:
    """Let the app that holds the reviews answer, and take answers."""
    global _reader, _writer
    _reader, _writer = reader, writer


def requests(task_ids: Collection[int]) -> Mapping[int, Mapping[str, Request]]:
    """Task id -> line key -> what the last round asks the author for."""
    return _reader.requests(task_ids)


def threads(task_id: int) -> Mapping[str, Thread]:
    """Line key -> the remarks on it that the author may read."""
    return _reader.threads(task_id)


@action("rubric.refine", about="task")
def answer(*, actor: Any, task: Any, line: Any, words: str) -> None:
    """Put the author's answer into the thread of a line.

    Raises:
        BadInput: it cannot be stored.
        Conflict: nobody has a thread on this line.
    """
    _writer(actor=actor, task=task, line=line, words=words)
