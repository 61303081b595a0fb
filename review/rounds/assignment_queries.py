"""A reviewer's reviews, and the pool of tasks that lack a reviewer."""

from typing import Any

from django.db.models import Count, F, IntegerField, OuterRef, Q, QuerySet, Subquery
from django.db.models.functions import Coalesce
from django.urls import reverse
from django.utils.translation import gettext as _

from curation.base.access.permissions import allows, authorize
from curation.base.process.lifecycle import Stage
from curation.base.web.refusals import Conflict, NotFound
from curation.joining.people import TIE_FOUND, cached_conflicts_of
from curation.tasks.task.models import Task
from review.rounds.assignment_actions import still_qualified
from review.rounds.assignment_models import LineReview, Review, Round
from rubrics.versions.models import Criterion
from rubrics.versions.queries import counting_versions


def access_review(
    user: Any, pk: int, permission: str = "review.work", *, expired: bool = False
) -> Review:
    """Return a person's own review, with its task's `domain_id`.

    Args:
        expired: whether an expired review may be loaded.

    Raises:
        NotFound: no such review, or another person's.
        Denied: the qualification is no longer active.
        Conflict: `handed_back` or `expired`.
    """
    rows = Review.objects.annotate(domain_id=F("task__domain_id"))  # type: ignore[no-redef]
    review = rows.filter(pk=pk).first()
    if review is None or not allows(user, "review.view", review):
        raise NotFound()
    authorize(user, permission, review)
    if review.state == Review.State.DECLINED:
        raise Conflict(
            _("This review is with a colleague now: you handed it back."),
            code="handed_back",
            page=reverse("reviews"),
        )
    if review.state == Review.State.EXPIRED and not expired:
        raise Conflict(
            _(
                "This review was due and went back to the pool. If its place is still free, take "
                "it again under Reviews; your verdicts are kept."
            ),
            code="expired",
            page=reverse("reviews"),
        )
    return review


def _count(rows: QuerySet) -> Coalesce:
    """Return a correlated count, which avoids a join that multiplies rows."""
    counted = rows.order_by().values(one=F("pk") * 0).annotate(n=Count("pk")).values("n")
    return Coalesce(Subquery(counted, output_field=IntegerField()), 0)


def mine(user: Any) -> QuerySet[Any]:
    """Return the person's assigned reviews, by due date, except of withdrawn or discarded tasks.

    Each has `open_round` and `last_round` (numbers, or None), `line_count`, `decided` and
    `requested`, and of the task only the columns of a list.
    """
    rounds = Round.objects.filter(review=OuterRef("pk"))
    unfinished = rounds.filter(finished_at__isnull=True)
    decided = LineReview.objects.filter(
        round__review=OuterRef("pk"), round__finished_at__isnull=True
    )
    return (
        Review.objects.filter(reviewer=user, state=Review.State.ASSIGNED)
        .exclude(task__stage__in=[Stage.WITHDRAWN, Stage.DISCARDED])
        .annotate(
            open_round=Subquery(unfinished.values("number")[:1]),
            last_round=Subquery(rounds.order_by("-number").values("number")[:1]),
            line_count=_count(
                Criterion.objects.filter(
                    version__rounds__review=OuterRef("pk"),
                    version__rounds__finished_at__isnull=True,
                )
            ),
            decided=_count(decided),
            requested=_count(decided.filter(verdict=LineReview.Verdict.CHANGE)),
        )
        .select_related("task", "task__domain")
        .only("due_at", "number", "task__title", "task__stage", "task__stage_since", "task__domain")
        .order_by("due_at", "pk")
    )


def pool(user: Any) -> QuerySet[Task]:
    """Return tasks in review that lack a reviewer and that this person may take, oldest first.

    In their domains, without a seat of theirs, and not by an author they have a conflict with.
    """
    return (
        Task.objects.filter(stage=Stage.IN_REVIEW, domain_id__in=user.qualified_domain_ids())
        .exclude(author_id=user.pk)
        .exclude(author_id__in=cached_conflicts_of(user))
        .exclude(rubric_author_id__in=cached_conflicts_of(user))
        .exclude(seats__user=user)
        .annotate(
            reviewers=Count(
                "reviews",
                filter=Q(reviews__state=Review.State.ASSIGNED)
                & still_qualified(F("domain_id"), "reviews__"),
                distinct=True,
            ),
            newest=newest_closed_version("pk"),
        )
        .filter(reviewers__lt=F("review_terms__reviewers"))
        .annotate(line_count=_count(Criterion.objects.filter(version_id=OuterRef("newest"))))
        .select_related("domain", "category")
        .only("title", "language", "stage_since", "domain", "category")
        .order_by("stage_since", "pk")
    )


def expired(user: Any) -> QuerySet[Review]:
    """Return the person's expired reviews of tasks that still lack a reviewer.

    Left out are those of authors with whom the person has a conflict of interest by now.
    """
    held = _count(Review.objects.filter(task=OuterRef("task"), state=Review.State.ASSIGNED))
    return (
        Review.objects.filter(
            reviewer=user,
            state=Review.State.EXPIRED,
            task__stage=Stage.IN_REVIEW,
            task__domain_id__in=user.qualified_domain_ids(),
        )
        .exclude(task__author_id__in=cached_conflicts_of(user))
        .exclude(task__rubric_author_id__in=cached_conflicts_of(user))
        .annotate(held=held)
        .filter(held__lt=F("task__review_terms__reviewers"))
        .select_related("task")
        .only("due_at", "task__title")
        .order_by("due_at", "pk")
    )


def asks_the_author(rounds: str) -> Q:
    """Return the condition that the author has to answer the requests of a round.

    It was finished. It does not matter that the reviewer has handed the review back since, but the
    requests of somebody with a conflict of interest oblige nobody.

    Args:
        rounds: lookup prefix from the filtered rows to their round, such as `round__`.
    """
    in_conflict = {
        f"{rounds}review__state": Review.State.DECLINED,
        f"{rounds}review__reason": TIE_FOUND,
    }
    finished = {f"{rounds}finished_at__gt": F(f"{rounds}opened_at")}
    return Q(**finished) & ~Q(**in_conflict)


def newest_closed_version(task: str) -> Subquery:
    """Return a subquery for the id of the version that counts.

    Args:
        task: the outer column with the id of a task written here, not of another benchmark.
    """
    return Subquery(
        counting_versions().filter(task_id=OuterRef(task)).order_by("-number").values("pk")[:1]
    )
