"""Advancing a task after a round: back to its author, to a senior, to a spot check, or approved."""

from typing import Any

from django.conf import settings
from django.db.models import Count, Exists, F, OuterRef, Q, QuerySet
from django.utils.translation import gettext as _
from django.utils.translation import ngettext, override

from curation.base.process.lifecycle import Stage
from curation.tasks.task.models import Task
from review.policy.actions import terms_of
from review.policy.sampling import is_drawn
from review.rounds.assignment_models import LineReview, Review, Round
from rubrics.versions.actions import open_version
from rubrics.versions.models import Criterion, RubricVersion
from rubrics.versions.queries import version_that_counts


def judged_lines(task: Task, version: RubricVersion) -> QuerySet[Criterion]:
    """Return a version's lines, in order, with the numbers of requests and approvals.

    They are annotated as `asked` and `approved`. Only finished rounds of current reviewers count.
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
    """Return the judged lines of a version that are not settled.

    A line is settled when the quorum of reviewers approves it and nobody requests a change.
    """
    return judged_lines(task, version).filter(Q(asked__gt=0) | Q(approved__lt=quorum))


def rounds_over(task: Task, this: RubricVersion | None = None) -> int:
    """Return the number of rounds finished since a spot check, staff or an amendment sent it back.

    A round counts once per version, however many reviewers finished it.

    Args:
        this: a version to count as well, because its round is about to be finished.
    """
    sent_back = (
        task.history.filter(to_stage=Stage.REFINING)
        .filter(from_stage__in=[Stage.SPOT_CHECK, Stage.APPROVED])
        .order_by("-id")
        .values_list("data", flat=True)
        .first()
    ) or {}
    finished = Round.objects.filter(
        version__task=task,
        version__number__gt=sent_back.get("version", 0),
        version__text_version__gte=task.rubric_since,  # an amended text begins the rounds again
        finished_at__isnull=False,
    ).exclude(finished_at=F("opened_at"))  # rounds that were ended without being finished
    return len({*finished.values_list("version", flat=True), *([this.pk] if this else [])})


def advance_if_finished(task: Task) -> None:
    """Advance a task in review once no round is open and enough reviewers have finished.

    With open requests it goes back to its author or, after the set number of rounds, to a senior.
    With every line settled it goes to a spot check if it is drawn, else it is approved. A line
    below its quorum without a request waits for another reviewer; the pool lists the task.

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
        return  # a reviewer is missing; the pool lists the task
    still_open: list[Any] = list(open_lines(task, version, terms.quorum))
    requested = sum(line.asked > 0 for line in still_open)
    if not still_open:
        approve_or_spot_check(task, version)
    elif requested:
        _send_back(task, version, requested)


def _send_back(task: Task, version: RubricVersion, requested: int) -> None:
    over = rounds_over(task)
    if over >= terms_of(task).rounds:
        task.advance(
            Stage.DECIDING,
            actor=None,
            reason=_history_reason(requested),
            requested=requested,
            rounds=over,
            version=version.number,
        )
        return
    open_version(task=task, actor=None, based_on=version)
    task.advance(
        Stage.REFINING,
        actor=None,
        reason=_history_reason(requested),
        requested=requested,
        round=over,
    )


def approve_or_spot_check(
    task: Task, version: RubricVersion, *, actor: Any = None, **data: Any
) -> None:
    """Approve a task, or send it to a spot check if it is drawn for one.

    Args:
        actor: the senior whose decisions settled the lines; None where the reviewers did.
        data: further facts for the history.
    """
    drawn = is_drawn(settings.SPOT_CHECK_SALT, task.key, settings.SPOT_CHECK_RATE)
    task.advance(
        Stage.SPOT_CHECK if drawn else Stage.APPROVED,
        actor=actor,
        reason="" if actor else _history_reason(0),
        spot_check_drawn=drawn,
        spot_check_rate=settings.SPOT_CHECK_RATE,
        version=version.number,
        **data,
    )


def _history_reason(requested: int) -> str:
    """Return why the task advances, in English; the history is translated for each reader."""
    with override("en"):
        if not requested:
            return _("Every line is approved.")
        return ngettext(
            "The review asks for a change on %(n)s line.",
            "The review asks for changes on %(n)s lines.",
            requested,
        ) % {"n": requested}
