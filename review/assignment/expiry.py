"""Reviews that were not finished in time go back to the pool; who lost one may take it again."""

from datetime import datetime, timedelta
from typing import Any

from django.db import transaction
from django.db.models import F
from django.utils import timezone
from django.utils.translation import gettext as _

from curation.access.action import action
from curation.process.lifecycle import Stage
from curation.process.states import move
from curation.tasks.models import Task
from curation.web.refusals import Conflict, Denied
from review.assignment.actions import fill_places, open_round
from review.assignment.closing import settle
from review.assignment.models import Review, Round
from review.policy.actions import terms_of
from rubrics.versions.queries import version_that_counts


def expire_overdue(now: datetime | None = None) -> int:
    """A chore: end the reviews whose open round is past its date. Returns how many ended."""
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
    """End one review, draw a colleague, and let the task go on if nobody is missing then.

    The task is locked first: a reviewer who finishes at this moment comes wholly before, and
    then nothing is overdue, or finds the round ended.
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
    fill_places(task)
    settle(task)
    return 1


@action("review.view", about="review")
@transaction.atomic
def resume(*, actor: Any, review: Review) -> Review:
    """Take an expired review again while its place is free; the verdicts given are kept.

    Raises:
        Denied: not qualified in the domain any more.
        Conflict: `wrong_stage`, `enough_reviewers`, or it did not expire.
    """
    task = Task.objects.select_for_update(of=("self",)).get(pk=review.task_id)
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
