"""The spot check or decision a senior holds on a task, for staff's page of the task."""

from collections.abc import Iterator
from typing import Any

from django.db.models import Exists, OuterRef
from django.utils.translation import gettext as _

from curation.process.lifecycle import Stage
from curation.tasks.held_work import Held
from curation.web.optional_urls import url_or_empty
from review.assignment.models import Review
from review.senior_seats.queries import SEATS, seniors_with_the_seat


def reviewed() -> Exists:
    """Return the condition that a task has at least one assigned reviewer."""
    return Exists(Review.objects.filter(task=OuterRef("pk"), state=Review.State.ASSIGNED))


def held(task: Any) -> Iterator[Held]:
    """Yield what the task's senior holds. Two queries while the task waits for one, else none."""
    role = SEATS.get(Stage(task.stage))
    if role is None:
        return
    holders = seniors_with_the_seat(task)
    if not holders:
        return
    seats = task.seats.filter(user__in=holders, role=role).select_related("user")
    for seat in seats:
        yield Held(
            what=_("Spot check") if task.stage == Stage.SPOT_CHECK else _("Decision on open lines"),
            who=seat.user.name_for_staff,
            since=seat.taken_at,
            due_at=None,
            url=url_or_empty("staff-spot-check-release", task.pk),
        )
