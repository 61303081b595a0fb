"""Who holds a senior's seat, and which seats stand.

A senior holds a seat to spot-check an approved rubric, or to decide the lines that the rounds left
open. The seat counts only while the person is a senior of the domain.
"""

from functools import reduce
from operator import or_

from django.db.models import Exists, OuterRef, Q, QuerySet

from curation.base.process.lifecycle import Stage
from curation.base.process.roles import Role
from curation.joining.notices.notify import seniors_of
from curation.joining.people.models import User
from curation.tasks.task.access import kept_off
from curation.tasks.task.models import Seat, Task
from review.senior_seats.models import SpotCheckRelease

SEATS = {Stage.SPOT_CHECK: Role.SPOT_CHECKER, Stage.DECIDING: Role.DECIDER}
# A condition on seats: it is the senior's seat of the stage that the task is at now.
OF_THE_STAGE = reduce(or_, (Q(task__stage=stage, role=role) for stage, role in SEATS.items()))


def released() -> Exists:
    """Return a condition on senior seats: released since they were taken."""
    return Exists(
        SpotCheckRelease.objects.filter(
            task=OuterRef("task"), senior=OuterRef("user"), at__gte=OuterRef("taken_at")
        )
    )


def standing_seats() -> QuerySet[Seat]:
    """Return the senior seats of the stage that their task is at now, without released ones."""
    return Seat.objects.filter(OF_THE_STAGE, ~released())


def free_seniors(task: Task) -> QuerySet[User]:
    """Select the seniors of the domain who may take the task's present senior seat."""
    role = SEATS.get(Stage(task.stage), "")
    others = task.seats.exclude(role=role).values("user_id")
    authors = {pk for pk in (task.author_id, task.rubric_author_id) if pk is not None}
    return (
        seniors_of(task.domain_id).exclude(pk__in=others).exclude(pk__in=authors | kept_off(task))
    )


def seniors_with_the_seat(task: Task, role: str | None = None) -> set[int]:
    """Return the ids of those who hold the senior's seat and are still seniors of the domain.

    Args:
        role: which seat; None for that of the task's stage, if it has one.
    """
    role = role or SEATS.get(Stage(task.stage))
    return set(
        task.seats.filter(
            ~released(),
            role=role or "",
            user__is_active=True,
            user__qualifications__domain_id=task.domain_id,
            user__qualifications__active=True,
            user__qualifications__senior=True,
        ).values_list("user_id", flat=True)
    )
