"""Seats on a task, and the registry of the work that people hold on it."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.db import IntegrityError, transaction
from django.db.models import Exists, Q
from django.utils.translation import gettext as _

from curation.base.process.lifecycle import Stage
from curation.base.web.refusals import Conflict
from curation.tasks.task.models import Seat, Task

# The apps above register their sources here.


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


def take_seat(*, task: Task, user: Any, role: str) -> Seat:
    """Give a person a seat, or refuse if they already hold one on this task.

    Taking the same seat again returns it, so a double click does no harm.

    Raises:
        Conflict: `seat_taken`.
    """
    try:
        with transaction.atomic():
            seat = Seat.objects.create(task=task, user=user, role=role)
    except IntegrityError:
        held = Seat.objects.filter(task=task, user=user).first()
        if held is not None and held.role == role:
            return held
        raise Conflict(
            _("You already hold another seat on this task, so you cannot take this one."),
            code="seat_taken",
        ) from None
    task.__dict__.pop("_seat_roles", None)
    return seat
