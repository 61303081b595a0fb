"""Expiry of overdue reviews, and resuming an expired one."""

from datetime import datetime, timedelta
from typing import Any

from django.db import transaction
from django.db.models import F
from django.utils import timezone
from django.utils.translation import gettext as _

from curation.base.access.action import action
from curation.base.process.lifecycle import Stage
from curation.base.process.states import move
from curation.base.web.refusals import Conflict, Denied, NotFound
from curation.tasks.task.models import Task
from curation.tasks.task.queries import kept_off
from review.policy.actions import terms_of
from review.rounds.assignment_actions import draw_reviewers, open_round
from review.rounds.assignment_models import Review, Round
from review.rounds.closing import advance_if_finished
from rubrics.versions.queries import version_that_counts


def expire_overdue(now: datetime | None = None) -> int:
    """Expire reviews with an overdue open round; return how many. A periodic job."""
    now = now or timezone.now()
    overdue = Review.objects.filter(
        state=Review.State.ASSIGNED,
        due_at__lt=now,
        task__stage=Stage.IN_REVIEW,
        rounds__finished_at__isnull=True,
    ).order_by("pk")
    return sum(_expire(pk, now) for pk in list(overdue.values_list("pk", flat=True)))


@transaction.atomic
def _expire(pk: int, now: datetime) -> int:
    """Expire one review, draw a replacement, and advance the task if it is finished.

    Returns 1 if the review expired, else 0. The task is locked first, so that a reviewer who
    finishes at the same moment either comes first, or finds the round ended.
    """
    task = Task.objects.select_for_update(of=("self",)).select_related("author").get(reviews=pk)
    ended = Review.objects.filter(
        pk=pk,
        state=Review.State.ASSIGNED,
        due_at__lt=now,
        rounds__finished_at__isnull=True,
        task__stage=Stage.IN_REVIEW,
    ).values_list("pk", flat=True)
    if not move(Review.objects.filter(pk__in=list(ended)), Review.State.EXPIRED):
        return 0
    Round.objects.filter(review=pk, finished_at__isnull=True).update(finished_at=F("opened_at"))
    review = Review.objects.get(pk=pk)
    task.note("review_expired", actor=None, reviewer=review.number)
    draw_reviewers(task)
    advance_if_finished(task)
    return 1


@action("review.view", about="review")
@transaction.atomic
def resume(*, actor: Any, review: Review) -> Review:
    """Resume an expired review while the task lacks a reviewer; the verdicts are kept.

    Raises:
        Denied: `not_qualified`, the qualification in the domain is not active.
        NotFound: a conflict of interest with the author is known by now; a reason would name them.
        Conflict: `wrong_stage`, also if it did not expire; `enough_reviewers`.
    """
    task = Task.objects.select_for_update(of=("self",)).get(pk=review.task_id)
    if actor.pk in kept_off(task):
        raise NotFound()
    if task.domain_id not in actor.qualified_domain_ids():
        raise Denied(_("Your qualification in this domain is not active."), code="not_qualified")
    if task.stage != Stage.IN_REVIEW:
        raise Conflict(_("This task is not in review now."), code="wrong_stage")
    terms = terms_of(task)
    if task.reviews.filter(state=Review.State.ASSIGNED).count() >= terms.reviewers:
        raise Conflict(_("A colleague has taken this review over."), code="enough_reviewers")
    due = timezone.now() + timedelta(days=terms.days)
    changed = move(Review.objects.filter(pk=review.pk), Review.State.ASSIGNED, due_at=due)
    if not changed:
        raise Conflict(_("This review did not expire."), code="wrong_stage")
    review.refresh_from_db()
    last = review.rounds.order_by("-number").first()
    version = version_that_counts(task)
    if last is not None and version is not None and last.version_id == version.pk:
        Round.objects.filter(pk=last.pk).update(finished_at=None)
    else:
        open_round(review)
    task.note("review_resumed", actor=actor, reviewer=review.number)
    return review
