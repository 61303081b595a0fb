"""The spot check or decision a senior holds on a task, for staff's page of the task."""

from collections.abc import Iterator
from typing import Any

from django.db.models import Exists, OuterRef
from django.utils.translation import gettext as _

from curation.base.process.lifecycle import Stage
from curation.base.web.optional_urls import url_or_empty
from curation.tasks.task.held_work import Held
from review.rounds.assignment_models import Review
from review.senior_seats.queries import SEATS, free_seniors, seniors_with_the_seat


def reviewed() -> Exists:
    """Return the condition that a task has at least one assigned reviewer."""
    return Exists(Review.objects.filter(task=OuterRef("pk"), state=Review.State.ASSIGNED))


def held(task: Any) -> Iterator[Held]:
    """Yield what the task's senior holds, or that no senior can take it.

    Four queries at most while the task waits for a senior, else none.
    """
    role = SEATS.get(Stage(task.stage))
    if role is None:
        return
    what = _("Spot check") if task.stage == Stage.SPOT_CHECK else _("Decision on open lines")
    holders = seniors_with_the_seat(task)
    if not holders:
        if not free_seniors(task).exists():
            yield Held(
                what=what,
                who=_(
                    "no senior of the domain is free: each has another seat on this task or a "
                    "conflict of interest"
                ),
                since=task.stage_since,
                due_at=None,
                url=f"{url_or_empty('staff-people')}?domain={task.domain.key}",
                button=_("Make another expert a senior"),
            )
        return
    seats = task.seats.filter(user__in=holders, role=role).select_related("user")
    for seat in seats:
        yield Held(
            what=what,
            who=seat.user.name_for_staff,
            since=seat.taken_at,
            due_at=None,
            url=url_or_empty("staff-spot-check-release", task.pk),
        )
