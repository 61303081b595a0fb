"""Handing over reviews and spot checks of people whose qualification or seniority ended."""

from typing import Any

from django.db import transaction
from django.db.models import Exists, OuterRef
from django.utils.translation import gettext_noop

from curation.people.models import Qualification
from curation.process.lifecycle import Stage
from curation.tasks.models import Task
from review.assignment.actions import draw_reviewers, end_unqualified_reviews
from review.assignment.closing import advance_if_finished
from review.assignment.models import Review
from review.senior_seats.actions import SEATS, record_release, released_seats

# Stored in English; the history is translated for each reader.
ENDED = gettext_noop("The senior's standing in the domain has ended.")


def hand_over_reviews(*, user: Any, domain_id: int) -> int:
    """Hand a person's reviews of tasks in review to the next eligible colleagues.

    Their remarks stay in the threads; their open round does not count. A task that is with its
    author gets a new reviewer when it enters review again.

    Returns:
        how many reviews ended.
    """
    waiting = Task.objects.filter(
        stage=Stage.IN_REVIEW,
        domain_id=domain_id,
        reviews__reviewer=user,
        reviews__state=Review.State.ASSIGNED,
    ).order_by("pk")
    return sum(replace_unqualified_reviewers(task) for task in waiting)


@transaction.atomic
def replace_unqualified_reviewers(task: Task) -> int:
    """Replace a task's reviewers who may no longer work; return how many.

    The task is locked first, so that a reviewer who finishes at the same moment either comes first,
    or finds the round ended.
    """
    task = Task.objects.select_for_update(of=("self",)).select_related("author").get(pk=task.pk)
    if task.stage != Stage.IN_REVIEW:
        return 0
    left = end_unqualified_reviews(task)
    for number in left:
        task.note("review_released", actor=None, reviewer=number)
    if left:
        draw_reviewers(task)
        advance_if_finished(task)
    return len(left)


def replace_all_unqualified_reviewers() -> int:
    """Replace reviewers who lost their qualification without a suspension. A periodic job.

    That happens by a closed account, an edit in the admin, or a draw at the moment of a suspension.
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
    return sum(replace_unqualified_reviewers(task) for task in tasks)


def hand_over_spot_checks(*, user: Any, domain_id: int, actor: Any) -> int:
    """Return a person's spot checks and decisions to the seniors' queue; return how many.

    The release is stored, so that a person who is reinstated later does not get a check back that a
    colleague has taken.
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
    record_release(actor=actor, task=task, senior=senior, said=ENDED)
    return 1
