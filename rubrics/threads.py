"""What reviewers asked for, as the author sees it.

Reviews live in an app above this one. It registers a reader here; without one nothing is asked.
"""

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, Protocol


@dataclass(frozen=True)
class Remark:
    """One remark of a thread. `who` is a role ("Reviewer 1"), never a name."""

    who: str
    meta: str
    at: datetime
    text: str


@dataclass(frozen=True)
class Request:
    """A reviewer's request for a change on one line of the last closed version.

    Attributes:
        asked: the line's content then (text, importance, weight, dimension).
        answered: whether the author replied since.
    """

    key: str
    aspect: Any
    asked: Any
    answered: bool


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


_reader: Reader = _Nobody()


def register(reader: Reader) -> None:
    """Let the app that holds the reviews answer."""
    global _reader
    _reader = reader


def requests(task_ids: Collection[int]) -> Mapping[int, Mapping[str, Request]]:
    """Task id -> line key -> what the last round asks the author for."""
    return _reader.requests(task_ids)


def threads(task_id: int) -> Mapping[str, Thread]:
    """Line key -> the remarks on it that the author may read."""
    return _reader.threads(task_id)
