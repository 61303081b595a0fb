"""Handing over reviews and spot checks of people who may no longer do them.

Their qualification or seniority ended, or a conflict of interest has become known.
"""

from collections.abc import Iterable
from typing import Any

from django.db import transaction
from django.db.models import Exists, OuterRef, Q, QuerySet
from django.utils.translation import gettext_noop

from curation.base.process.lifecycle import Stage
from curation.joining.people import TIE_FOUND, Qualification, held_under
from curation.tasks.task.models import Seat, Task
from review.rounds.assignment_actions import draw_reviewers, end_barred_reviews
from review.rounds.assignment_models import Review
from review.rounds.closing import advance_if_finished
from review.senior_seats.actions import record_release
from review.senior_seats.models import SEATS, standing_seats

# Stored in English; the history is translated for each reader.
ENDED = gettext_noop("The senior's standing in the domain has ended.")


def hand_over_reviews(ended: Iterable[Qualification]) -> int:
    """Hand reviews of people whose qualifications ended to the next eligible colleagues.

    Their remarks stay in the threads; their open round does not count. A task that is with its
    author gets a new reviewer when it enters review again.

    Returns:
        how many reviews ended.
    """
    waiting = Task.objects.filter(
        held_under(ended, person="reviews__reviewer", domain="domain"),
        stage=Stage.IN_REVIEW,
        reviews__state=Review.State.ASSIGNED,
    )
    return sum(replace_barred_reviewers(task) for task in waiting.distinct().order_by("pk"))


def hand_over_in_conflict(*, person: Any, author: Any) -> list[Task]:
    """Hand over what a person holds on an author's tasks in review, and return these tasks."""
    theirs = Task.objects.filter(Q(author=author) | Q(rubric_author=author))
    reviewed = theirs.filter(
        stage__in=(Stage.IN_REVIEW, Stage.REFINING),
        reviews__reviewer=person,
        reviews__state=Review.State.ASSIGNED,
    )
    of_senior = _held_by_seniors(Q(user=person)).filter(task__in=theirs.values("pk"))
    return [
        *(task for task in reviewed.order_by("pk") if replace_barred_reviewers(task)),
        *(seat.task for seat in of_senior.order_by("task_id") if _release(seat, None, TIE_FOUND)),
    ]


@transaction.atomic
def replace_barred_reviewers(task: Task) -> int:
    """Replace a task's reviewers who may no longer work on it; return how many.

    While the author is at work the reviews end; new reviewers are drawn when the task enters review
    again. The task is locked first, so that a reviewer who finishes at the same moment either comes
    first, or finds the round ended.
    """
    task = (
        Task.objects.select_for_update(of=("self",))
        .select_related("author", "rubric_author")
        .get(pk=task.pk)
    )
    if task.stage not in (Stage.IN_REVIEW, Stage.REFINING):
        return 0
    left = end_barred_reviews(task)
    for review, reason in left:
        task.note("review_released", actor=None, reason=reason, reviewer=review.number)
    if left and task.stage == Stage.IN_REVIEW:
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
    return sum(replace_barred_reviewers(task) for task in tasks)


def hand_over_spot_checks(ended: Iterable[Qualification], *, actor: Any) -> int:
    """Return spot checks and decisions of former seniors to the seniors' queue; return how many.

    The release is stored, so that a person who is reinstated later does not get a check back that a
    colleague has taken.
    """
    held = _held_by_seniors(held_under(ended, person="user", domain="task__domain"))
    return sum(_release(seat, actor, ENDED) for seat in held.order_by("task_id", "pk"))


def _held_by_seniors(whose: Q) -> "QuerySet[Seat]":
    return standing_seats().filter(whose).select_related("task", "user")


@transaction.atomic
def _release(seat: Seat, actor: Any, said: str) -> int:
    task = Task.objects.select_for_update().get(pk=seat.task_id)
    if task.stage not in SEATS:
        return 0
    record_release(actor=actor, task=task, senior=seat.user, said=said)
    return 1
