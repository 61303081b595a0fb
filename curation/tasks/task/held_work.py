"""Registry of the work that people hold on a task, so that staff can take it back.

The apps above register their sources here.
"""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.db.models import Exists, Q

from curation.base.process.lifecycle import Stage


@dataclass(frozen=True, slots=True)
class Held:
    """A piece of work that one person holds.

    Attributes:
        what: its name, for staff.
        who: the person's name, or why nobody has it.
        url: the page that takes it back and asks why, or the one that helps.
        button: the words of the link to that page; "" for taking it back.
    """

    what: str
    who: str
    since: datetime | None
    due_at: datetime | None
    url: str
    button: str = ""


Source = Callable[[Any], Iterable[Held]]
_sources: list[Source] = []
_reviewed: list[Exists] = []


def register(source: Source) -> None:
    """Register a source: task -> the work held on it. Idempotent."""
    if source not in _sources:
        _sources.append(source)


def register_reviewed(condition: Exists) -> None:
    """Register a condition on tasks that is true while somebody has the review. Idempotent."""
    if condition not in _reviewed:
        _reviewed.append(condition)


def without_reviewer() -> Q:
    """Return a condition for tasks in review that nobody is reviewing now.

    Seats cannot answer this: a reviewer who left a review keeps the seat.
    """
    wanted = Q(stage=Stage.IN_REVIEW)
    for condition in _reviewed:
        wanted &= ~Q(condition)
    return wanted


def held_on(task: Any) -> list[Held]:
    """Return the work that people hold on a task, from all registered sources."""
    return [held for source in _sources for held in source(task)]
