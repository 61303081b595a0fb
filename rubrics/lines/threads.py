"""Reviewers' requests and the threads of lines, as the author sees them.

Reviews are in an app above this one, which registers a reader and a writer here. Without them
there are no requests and no threads.
"""

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, Protocol

from curation.base.access.action import action
from rubrics.policy.dimensions import Dimension


@dataclass(frozen=True)
class Proposal:
    """A reviewer's suggestion: the whole line as the reviewer would write it.

    Attributes:
        pk: id of the suggestion.
        who: the reviewer's role, with a name where the review terms show names.
        instead_of: the line's text when it was suggested.
        was: the line's (importance, weight, dimension) when it was suggested; None where a page
            does not compare them.
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
        """Whether the text differs from the line's at that time."""
        return self.instead_of != self.text

    @property
    def old_weight(self) -> int | None:
        """The line's weight at that time; None if the suggestion keeps it."""
        return self.was[1] if self.was and self.was[1] != self.weight else None

    @property
    def new_importance(self) -> str:
        """The suggested importance; empty if it is unchanged."""
        return self.importance if self.was and self.was[0] != self.importance else ""

    @property
    def new_dimension(self) -> str:
        """The label of the suggested dimension; empty if it is unchanged."""
        return self.dimension_label if self.was and self.was[2] != self.dimension else ""

    @property
    def dimension_label(self) -> str:
        return str(Dimension(self.dimension).label)


@dataclass(frozen=True)
class Remark:
    """One entry of a thread.

    Attributes:
        who: the writer's role ("Reviewer 1"), with a name where the review terms show names.
        meta: the round, in words; empty outside a round.
        text: the words; empty if the entry is a suggestion.
        proposal: the suggestion, if the entry is one.
    """

    who: str
    meta: str
    at: datetime
    text: str
    proposal: Proposal | None = None


@dataclass(frozen=True)
class Request:
    """A request for a change on one line of the last closed version.

    Attributes:
        asked: the line at that time (text, importance, weight, dimension).
        answered: whether the author replied since.
        proposals: the suggestions of those who made the request.
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
    """Reads requests and threads; implemented by the review app."""

    def requests(self, task_ids: Collection[int]) -> Mapping[int, Mapping[str, Request]]:
        """Return task id -> line key -> the last round's request."""

    def threads(self, task_id: int) -> Mapping[str, Thread]:
        """Return line key -> the remarks the author may read."""


class _NoReviews:
    def requests(self, task_ids: Collection[int]) -> Mapping[int, Mapping[str, Request]]:
        return {}

    def threads(self, task_id: int) -> Mapping[str, Thread]:
        return {}


class Writer(Protocol):
    """Writes the author's answer into a thread; implemented by the review app."""

    def __call__(self, *, actor: Any, task: Any, line: Any, words: str) -> Any: ...


def _ignore_answer(*, actor: Any, task: Any, line: Any, words: str) -> None:
    """Do nothing: without reviews there is no thread."""


_reader: Reader = _NoReviews()
_writer: Writer = _ignore_answer


def register(reader: Reader, writer: Writer) -> None:
    """Set the reader and the writer of threads."""
    global _reader, _writer
    _reader, _writer = reader, writer


def requests(task_ids: Collection[int]) -> Mapping[int, Mapping[str, Request]]:
    """Return task id -> line key -> the last round's request."""
    return _reader.requests(task_ids)


def threads(task_id: int) -> Mapping[str, Thread]:
    """Return line key -> the remarks on it that the author may read."""
    return _reader.threads(task_id)


@action("rubric.refine", about="task")
def answer(*, actor: Any, task: Any, line: Any, words: str) -> None:
    """Add the author's answer to the thread of a line.

    Raises:
        BadInput: it cannot be stored.
        Conflict: the line has no thread.
    """
    _writer(actor=actor, task=task, line=line, words=words)
