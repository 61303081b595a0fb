"""Assigning reviewers: drawing, taking from the pool, opening rounds, handing back."""

from collections.abc import Collection
from datetime import timedelta
from typing import Any

from django.db import IntegrityError, transaction
from django.db.models import Count, F, Max, Q
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop

from curation.base.access.action import action
from curation.base.access.permissions import authorize
from curation.base.process.lifecycle import Stage
from curation.base.process.roles import Role
from curation.base.process.states import move
from curation.base.web.reasons import required_reason
from curation.base.web.refusals import Conflict, Denied
from curation.joining.people import TIE_FOUND, User
from curation.tasks.task.holding import take_seat
from curation.tasks.task.models import Task
from curation.tasks.task.queries import kept_off, refuse_author
from review.policy.actions import terms_of
from review.rounds.assignment_models import LineReview, Review, Round
from review.rounds.closing import advance_if_finished
from review.senior_seats.models import SpotCheck, SpotCheckMark
from rubrics.versions.diff import same_content
from rubrics.versions.queries import is_behind_the_text, version_that_counts

# The stored reasons of reviews that ended without being handed back. Stored in English and
# compared by `review.staff.record`.
QUALIFICATION_ENDED = gettext_noop("The reviewer's qualification is no longer active.")
ENDED_BY_RULE = (QUALIFICATION_ENDED, TIE_FOUND)


def eligible_reviewers(task: Task, tied: Collection[int] | None = None) -> Any:
    """Return who may review the task, least loaded first: a queryset of User with `open_reviews`.

    Qualified people without a seat on the task and without a conflict with its author.

    Args:
        tied: `kept_off(task)`, where the caller has it.
    """
    return (
        User.objects.filter(
            is_active=True,
            qualifications__domain_id=task.domain_id,
            qualifications__active=True,
        )
        .exclude(seats__task=task)
        .exclude(pk__in=kept_off(task) if tied is None else tied)
        .exclude(pk=task.author_id or 0)
        .annotate(
            open_reviews=Count(
                "reviews",
                filter=Q(
                    reviews__state=Review.State.ASSIGNED,
                    reviews__task__stage=Stage.IN_REVIEW,
                ),
                distinct=True,
            )
        )
        .order_by("open_reviews", "pk")
    )


@transaction.atomic
def begin_review(*, task: Task) -> None:
    """Open the next round for the task's reviewers and draw missing ones.

    Runs when a task enters IN_REVIEW. Reviewers who may no longer work on it are replaced. If
    nobody is eligible, the task stays in the pool, where staff see it.
    """
    terms_of(task)
    end_barred_reviews(task)
    for review in task.reviews.filter(state=Review.State.ASSIGNED):
        open_round(review)
    draw_reviewers(task)


def draw_reviewers(task: Task) -> int:
    """Draw the missing reviewers if the terms say so; return how many were assigned.

    Somebody who cannot be assigned after all is left out; the task then waits in the pool.
    """
    terms = terms_of(task)
    staying = task.reviews.filter(state=Review.State.ASSIGNED).count()
    free = max(0, terms.reviewers - staying) if terms.draw else 0
    if not free:
        return 0
    tied, assigned = kept_off(task), 0
    for reviewer in eligible_reviewers(task, tied)[:free]:
        try:
            with transaction.atomic():
                _assign(task, reviewer, None, tied)
        except (Denied, Conflict):
            continue
        assigned += 1
    return assigned


@action("review.administer", about="task")
@transaction.atomic
def assign_least_busy(*, task: Task, actor: Any) -> Review:
    """Assign the eligible person with the fewest open reviews.

    Raises:
        Denied: `own_task`, the actor wrote the task.
        Conflict: `nobody` is eligible; others as `assign`.
    """
    tied = kept_off(task)
    reviewer = eligible_reviewers(task, tied).first()
    if reviewer is None:
        raise Conflict(
            _(
                "Every expert in the domain has a conflict of interest or already holds a seat on "
                "the task."
            ),
            code="nobody",
        )
    return _assign(task, reviewer, actor, tied)


def still_qualified(domain: Any, reviews: str = "") -> Q:
    """Return the condition that the reviewer may still work in the domain.

    Args:
        domain: id of the task's domain, or an expression for it.
        reviews: lookup prefix from the filtered rows to their reviews, such as `reviews__`.
    """
    return Q(
        **{
            f"{reviews}reviewer__is_active": True,
            f"{reviews}reviewer__qualifications__domain_id": domain,
            f"{reviews}reviewer__qualifications__active": True,
        }
    )


def end_barred_reviews(task: Task, tied: Collection[int] | None = None) -> list[tuple[Review, str]]:
    """End the reviews of people who may no longer work in the domain, or are in conflict.

    The former can neither finish nor hand back, so the task would wait indefinitely. What a
    reviewer finished stays.

    Args:
        tied: `kept_off(task)`, where the caller has it.

    Returns:
        the reviews that ended, by number, each with the stored reason.
    """
    assigned = task.reviews.filter(state=Review.State.ASSIGNED)
    reviews = list(assigned.order_by("number"))
    if not reviews:
        return []
    staying = set(assigned.filter(still_qualified(task.domain_id)).values_list("pk", flat=True))
    tied = kept_off(task) if tied is None else tied
    leaving = [
        (review, QUALIFICATION_ENDED if review.pk not in staying else TIE_FOUND)
        for review in reviews
        if review.pk not in staying or review.reviewer_id in tied
    ]
    for review, reason in leaving:
        review.rounds.filter(finished_at__isnull=True).update(finished_at=F("opened_at"))
        move(Review.objects.filter(pk=review.pk), Review.State.DECLINED, reason=reason)
    return leaving


@transaction.atomic
def assign(*, task: Task, reviewer: Any, actor: Any) -> Review:
    """Assign a reviewer and open their round.

    Args:
        actor: the member of staff or the reviewer who chose; None for the program.

    Raises:
        Denied: not qualified in the domain, the author, or in conflict with the author;
            `own_task` where a member of staff chooses the reviewer of a task they wrote.
        Conflict: the person has another seat, the task has enough reviewers, or is not in review.
    """
    return _assign(task, reviewer, actor, kept_off(task))


def _assign(task: Task, reviewer: Any, actor: Any, tied: Collection[int]) -> Review:
    """Assign a reviewer as `assign` does; `tied` is `kept_off(task)`."""
    if actor is not None and actor.pk != reviewer.pk:
        refuse_author(actor, task)
        authorize(actor, "review.administer", task)
    if (
        reviewer.pk in (task.author_id, task.rubric_author_id)
        or task.domain_id not in reviewer.qualified_domain_ids()
        or reviewer.pk in tied
    ):
        raise Denied(
            _(
                "This task needs a reviewer from its domain who has no conflict of interest with "
                "its author."
            ),
            code="not_eligible",
        )
    # Locked, so that two people cannot both become the last reviewer.
    locked = Task.objects.select_for_update().get(pk=task.pk)
    if locked.stage != Stage.IN_REVIEW:
        raise Conflict(_("This task is not in review now."), code="wrong_stage")
    end_barred_reviews(locked, tied)
    terms = terms_of(locked)
    if task.reviews.filter(state=Review.State.ASSIGNED).count() >= terms.reviewers:
        raise Conflict(_("This task already has enough reviewers."), code="enough_reviewers")
    take_seat(task=task, user=reviewer, role=Role.REVIEWER)
    number = (task.reviews.aggregate(last=Max("number"))["last"] or 0) + 1
    try:
        with transaction.atomic():
            review = Review.objects.create(
                task=task,
                reviewer=reviewer,
                number=number,
                assigned_by=actor,
                due_at=timezone.now() + timedelta(days=terms.days),
            )
    except IntegrityError:
        raise Conflict(_("Somebody took this review a moment ago."), code="seat_taken") from None
    task.note("reviewer_assigned", actor=actor, reviewer=review.number)
    open_round(review)
    return review


def open_round(review: Review) -> Round:
    """Open a round over the version that counts and carry over approvals of unchanged lines.

    Raises:
        Conflict: `wrong_stage`, there is no version to review.
    """
    version = version_that_counts(review.task)
    if version is None:
        raise Conflict(_("There is no rubric to review yet."), code="wrong_stage")
    previous = review.rounds.order_by("-number").first()
    opened = Round.objects.create(
        review=review, version=version, number=previous.number + 1 if previous else 1
    )
    days = terms_of(review.task).days
    Review.objects.filter(pk=review.pk).update(due_at=timezone.now() + timedelta(days=days))
    LineReview.objects.bulk_create(carried_over(opened, previous))
    return opened


def carried_over(opened: Round, previous: Round | None) -> list[LineReview]:
    """Return the previous round's approvals that still hold, unsaved.

    These are approvals of unchanged lines that no spot check marked since. None holds after an
    amendment of the text that affects the rubric.
    """
    if previous is None or is_behind_the_text(previous.version, opened.version.task):
        return []
    approved = {
        line.criterion.key: line.criterion
        for line in previous.lines.filter(verdict=LineReview.Verdict.APPROVE).select_related(
            "criterion"
        )
    }
    marked = set(
        SpotCheckMark.objects.filter(
            spot_check__task=opened.version.task_id,
            spot_check__version__number__gte=previous.version.number,
            spot_check__verdict=SpotCheck.Verdict.SEND_BACK,
        ).values_list("criterion__key", flat=True)
    )
    return [
        LineReview(
            round=opened,
            criterion=criterion,
            verdict=LineReview.Verdict.APPROVE,
            carried_over=True,
        )
        for criterion in opened.version.criteria.all()
        if criterion.key in approved
        and criterion.key not in marked
        and same_content(criterion, approved[criterion.key])
    ]


@action("review.view", about="review")
@transaction.atomic
def decline(*, actor: Any, review: Review, reason: str) -> Review:
    """Hand a review back with a reason and draw the next eligible reviewer.

    If nobody is eligible and the other reviewers have finished, the task advances if their
    approvals are enough.

    Possible while the reviewer has an open round, or while the author answers the last one. The
    seat stays taken: who has read the task as a reviewer may hold no other role on it.

    Raises:
        BadInput: no reason.
        Conflict: it was handed back already, or there is nothing left to review.
    """
    reason = required_reason(reason, _("Say in a sentence why you hand it back."))
    task = Task.objects.select_for_update().get(pk=review.task_id)
    waiting = review.rounds.filter(finished_at__isnull=True).exists()
    if not waiting and task.stage != Stage.REFINING:
        raise Conflict(
            _("Your round is finished, so there is nothing to hand back."), code="wrong_stage"
        )
    mine = Review.objects.filter(pk=review.pk, state=Review.State.ASSIGNED)
    changed = move(mine, Review.State.DECLINED, reason=reason)
    if not changed:
        raise Conflict(_("You have handed this review back already."), code="wrong_stage")
    review.refresh_from_db()
    review.rounds.filter(finished_at__isnull=True).update(finished_at=F("opened_at"))
    task.note("review_declined", actor=actor, reason=reason, reviewer=review.number)
    if task.stage == Stage.IN_REVIEW:
        draw_reviewers(task)
        advance_if_finished(task)
    return review
