"""Who holds work on a task now, so that staff can take it back: filled by the apps above."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.db.models import Exists, Q

from curation.process.lifecycle import Stage


@dataclass(frozen=True, slots=True)
class Held:
    """One piece of work in somebody's hands.

    Attributes:
        what: its name, for staff.
        who: the person's name.
        url: the page that takes it back and asks why.
    """

    what: str
    who: str
    since: datetime | None
    due_at: datetime | None
    url: str


Source = Callable[[Any], Iterable[Held]]
_sources: list[Source] = []
_reviewed: list[Exists] = []


def register(source: Source) -> None:
    """Add a source: task -> what is held on it. Twice counts once."""
    if source not in _sources:
        _sources.append(source)


def register_reviewed(condition: Exists) -> None:
    """Add a condition on tasks that holds while somebody has the review. Twice counts once."""
    if condition not in _reviewed:
        _reviewed.append(condition)


def without_reviewer() -> Q:
    """A condition on tasks in review: nobody has the review now. Who left one keeps the seat, so
    seats do not tell."""
    wanted = Q(stage=Stage.IN_REVIEW)
    for condition in _reviewed:
        wanted &= ~Q(condition)
    return wanted


def held_on(task: Any) -> list[Held]:
    """Everything on a task that waits for one person, as the apps above tell it."""
    return [held for source in _sources for held in source(task)]
