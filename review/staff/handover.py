"""Somebody's standing ended: their open reviews and spot checks go to colleagues."""

from typing import Any

from django.db import transaction
from django.db.models import Exists, OuterRef
from django.utils.translation import gettext_noop

from curation.people.models import Qualification
from curation.process.lifecycle import Stage
from curation.tasks.models import Task
from review.assignment.actions import fill_places, release_places
from review.assignment.closing import settle
from review.assignment.models import Review
from review.senior_seats.actions import SEATS, end_hold, released_seats

# Stored in English; whoever reads the history reads it in their language.
ENDED = gettext_noop("The senior's standing in the domain has ended.")


def hand_over_reviews(*, user: Any, domain_id: int) -> int:
    """Give a person's reviews of rubrics that are in review now to the next eligible colleagues.

    What they wrote stays in the threads; their open round ends without counting. A task that is
    back with its author gets its new reviewer when it returns, as always.

    Returns:
        how many reviews were handed over.
    """
    waiting = Task.objects.filter(
        stage=Stage.IN_REVIEW,
        domain_id=domain_id,
        reviews__reviewer=user,
        reviews__state=Review.State.ASSIGNED,
    ).order_by("pk")
    return sum(replace_who_left(task) for task in waiting)


@transaction.atomic
def replace_who_left(task: Task) -> int:
    """End the reviews of a task whose reviewers may no longer work, and draw colleagues.

    The task is locked first: a reviewer who finishes at this moment comes wholly before, and then
    there is nothing to replace, or finds the round ended.
    """
    task = Task.objects.select_for_update(of=("self",)).select_related("author").get(pk=task.pk)
    if task.stage != Stage.IN_REVIEW:
        return 0
    left = release_places(task)
    for number in left:
        task.note("review_released", actor=None, reviewer=number)
    if left:
        fill_places(task)
        settle(task)
    return len(left)


def replace_everybody_who_left() -> int:
    """A chore: reviews whose reviewer lost the qualification without anybody suspending them.

    That is a closed account, a change by hand in the admin, or a draw of the same moment.
    """
    standing = Qualification.objects.filter(
        user=OuterRef("reviewer"),
        domain=OuterRef("task__domain"),
        active=True,
        user__is_active=True,
    )
    left = Review.objects.filter(
        ~Exists(standing), state=Review.State.ASSIGNED, task__stage=Stage.IN_REVIEW
    )
    tasks = Task.objects.filter(pk__in=left.values("task")).order_by("pk")
    return sum(replace_who_left(task) for task in tasks)


def hand_over_spot_checks(*, user: Any, domain_id: int, actor: Any) -> int:
    """Put the spot checks and decisions a person holds back into the seniors' queue.

    The release is on the record, so a later reinstatement does not give the check back to somebody
    while a colleague has it.
    """
    held = Task.objects.filter(
        stage__in=SEATS,
        domain_id=domain_id,
        seats__user=user,
        seats__role__in=SEATS.values(),
    ).exclude(seats__in=released_seats().filter(user=user).values("pk"))
    return sum(_release(task, user, actor) for task in held.order_by("pk"))


@transaction.atomic
def _release(task: Task, senior: Any, actor: Any) -> int:
    task = Task.objects.select_for_update().get(pk=task.pk)
    if task.stage not in SEATS:
        return 0
    end_hold(actor=actor, task=task, senior=senior, said=ENDED)
    return 1
