"""Whether a model reads a task for labels just now, or failed to; the app that asks it says so."""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime

from curation.tasks.task.models import Task


@dataclass(frozen=True)
class Reading:
    """The newest reading of a task by a model, where it has not proposed anything yet.

    Attributes:
        failed: whether it ended without a proposal; else it waits or is under way.
        since: when it failed, or when it was asked for.
        begun: whether a worker is at it.
        awake: whether any worker is running.
        problem: what went wrong, also in an earlier try, for staff; "" if nothing did.
    """

    failed: bool
    since: datetime
    begun: bool = False
    awake: bool = True
    problem: str = ""


Source = Callable[[Task], Reading | None]
_sources: list[Source] = []


def register(source: Source) -> None:
    """Add an app that asks models for labels."""
    if source not in _sources:
        _sources.append(source)


def unfinished_reading(task: Task) -> Reading | None:
    """Return the reading of a task that waits, is under way or failed; None if there is none."""
    return next((found for source in _sources if (found := source(task)) is not None), None)
