"""What becomes of a task when nobody has a round open: back to its author, to a senior, or on."""

from typing import Any

from django.conf import settings
from django.db.models import Count, Exists, F, OuterRef, Q, QuerySet
from django.utils.translation import gettext as _
from django.utils.translation import ngettext, override

from curation.process.lifecycle import Stage
from curation.tasks.models import Task
from review.assignment.models import LineReview, Review, Round
from review.policy.actions import terms_of
from review.policy.sampling import is_drawn
from rubrics.versions.actions import open_version
from rubrics.versions.models import Criterion, RubricVersion
from rubrics.versions.queries import version_that_counts


def judged_lines(task: Task, version: RubricVersion) -> QuerySet[Criterion]:
    """The lines of a version, in order, each with `asked` (requests) and `approved` (approvals).

    Only finished rounds of people who still review the task count.
    """
    counted = Q(
        reviews__round__version=version,
        reviews__round__review__task=task,
        reviews__round__review__state=Review.State.ASSIGNED,
        reviews__round__finished_at__isnull=False,
    )
    return version.criteria.annotate(
        asked=Count("reviews", filter=counted & Q(reviews__verdict=LineReview.Verdict.CHANGE)),
        approved=Count("reviews", filter=counted & Q(reviews__verdict=LineReview.Verdict.APPROVE)),
    ).order_by("position", "id")


def open_lines(task: Task, version: RubricVersion, quorum: int) -> QuerySet[Criterion]:
    """The judged lines of a version that are not settled.

    A line is settled when as many reviewers as the quorum approve it and nobody asks for a
    change.
    """
    return judged_lines(task, version).filter(Q(asked__gt=0) | Q(approved__lt=quorum))


def rounds_over(task: Task, this: RubricVersion | None = None) -> int:
    """How many rounds the reviewers have finished on this task: the versions over which somebody
    finished one, since the task was last approved, sent back by a spot check, or reopened.

    Args:
        this: a version that counts along, because its round is about to be finished.
    """
    last_word = (
        task.history.filter(to_stage=Stage.REFINING)
        .filter(from_stage__in=[Stage.SPOT_CHECK, Stage.APPROVED])
        .order_by("-id")
        .values_list("data", flat=True)
        .first()
    ) or {}
    finished = Round.objects.filter(
        version__task=task,
        version__number__gt=last_word.get("version", 0),
        finished_at__isnull=False,
    ).exclude(finished_at=F("opened_at"))  # ended without counting
    return len({*finished.values_list("version", flat=True), *([this.pk] if this else [])})


def settle(task: Task) -> None:
    """Move a task in review on if nobody's round is open and enough people have finished.

    Something is open: back to the author, or, where the set number of rounds did not settle it,
    to a senior. Nothing is: to the spot check if it is drawn, else into the benchmark. A line
    still short of its quorum without a request waits for one more reviewer; the pool shows it.

    The caller has locked the task.
    """
    if task.stage != Stage.IN_REVIEW:
        return
    active = task.reviews.filter(state=Review.State.ASSIGNED)
    unfinished = Round.objects.filter(review=OuterRef("pk"), finished_at__isnull=True)
    if active.filter(Exists(unfinished)).exists():
        return
    version = version_that_counts(task)
    if version is None:
        return
    terms = terms_of(task)
    if active.filter(rounds__version=version).count() < terms.quorum:
        return  # a place is still empty; the pool shows it
    still_open: list[Any] = list(open_lines(task, version, terms.quorum))
    requested = sum(line.asked > 0 for line in still_open)
    if not still_open:
        go_on(task, version)
    elif requested:
        _send_back(task, version, requested)


def _send_back(task: Task, version: RubricVersion, requested: int) -> None:
    over = rounds_over(task)
    if over >= terms_of(task).rounds:
        task.advance(
            Stage.DECIDING,
            actor=None,
            reason=_recorded(requested),
            requested=requested,
            rounds=over,
            version=version.number,
        )
        return
    open_version(task=task, actor=None, based_on=version)
    task.advance(
        Stage.REFINING, actor=None, reason=_recorded(requested), requested=requested, round=over
    )


def go_on(task: Task, version: RubricVersion, *, actor: Any = None, **data: Any) -> None:
    """Into the benchmark, by way of a spot check if the task is drawn.

    Args:
        actor: the senior whose decision settled it; None where the reviewers did.
        data: further facts for the history.
    """
    drawn = is_drawn(settings.SPOT_CHECK_SALT, task.key, settings.SPOT_CHECK_RATE)
    task.advance(
        Stage.SPOT_CHECK if drawn else Stage.APPROVED,
        actor=actor,
        reason="" if actor else _recorded(0),
        spot_check_drawn=drawn,
        spot_check_rate=settings.SPOT_CHECK_RATE,
        version=version.number,
        **data,
    )


def _recorded(requested: int) -> str:
    """Why the task moves on, in English: the history is told in each reader's language."""
    with override("en"):
        if not requested:
            return _("Every line is approved.")
        return ngettext(
            "The review asks for a change on %(n)s line.",
            "The review asks for changes on %(n)s lines.",
            requested,
        ) % {"n": requested}
