"""Verdicts of several reviewers on the same lines, for measuring their agreement.

The unit is a wording: an unchanged line of a later version is the same unit, so an approval that
was carried over does not count again. Only finished rounds count, and only verdicts given by
hand. A reviewer's first verdict on a wording is independent of the others'; the last one shows
whether they came to agree.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime

from django.db.models import Count, F, QuerySet
from django.utils.translation import gettext as _

from curation.tasks.task.models import Task
from review.rounds.assignment_models import Comment, LineReview, Round
from review.rounds.threads import reviewer_name


@dataclass(frozen=True, slots=True)
class GivenVerdict:
    """One verdict of one reviewer on one line, given in a finished round."""

    task: int
    review: int
    reviewer: int  # the number in "Reviewer 2"
    criterion: int
    key: str
    text: str
    importance: str
    weight: int
    dimension: str
    verdict: str
    aspect: str
    round: int
    round_number: int
    version: int

    @property
    def wording(self) -> tuple[object, ...]:
        """The identity of the unit."""
        return self.key, self.text, self.importance, self.weight, self.dimension


def finished_rounds() -> QuerySet[Round]:
    """Return the finished rounds. A round that was handed back ends when it was opened."""
    return Round.objects.filter(finished_at__gt=F("opened_at"))


def given_verdicts(tasks: QuerySet[Task]) -> Iterable[GivenVerdict]:
    """Yield the verdicts on tasks with at least two reviewers, in the order of the rounds.

    One query.

    Args:
        tasks: the tasks the reader may see.
    """
    twice = (
        finished_rounds()
        .values("review__task")
        .annotate(readers=Count("review", distinct=True))
        .filter(readers__gte=2)
        .order_by()
        .values("review__task")
    )
    rows = (
        LineReview.objects.filter(
            carried_over=False,
            round__in=finished_rounds(),
            round__review__task__in=tasks.filter(pk__in=twice).order_by().values("pk"),
        )
        .order_by("round__finished_at", "id")
        .values_list(
            "round__review__task_id",
            "round__review_id",
            "round__review__number",
            "criterion_id",
            "criterion__key",
            "criterion__text",
            "criterion__importance",
            "criterion__weight",
            "criterion__dimension",
            "verdict",
            "aspect",
            "round_id",
            "round__number",
            "round__version__number",
        )
    )
    return (GivenVerdict(*row) for row in rows.iterator(chunk_size=5000))


@dataclass(frozen=True, slots=True)
class VerdictReason:
    """Why a reviewer gave a verdict: the aspect, and their remarks on the line in the round."""

    who: str
    where: str
    aspect: str
    remarks: tuple[tuple[datetime, str], ...]


def reasons(found: Iterable[GivenVerdict]) -> Mapping[tuple[int, int], VerdictReason]:
    """Return (round id, line id) -> why the verdict was given. One query."""
    wanted = list(found)
    remarks: dict[tuple[int, str], list[tuple[datetime, str]]] = {}
    for round_id, key, at, text in (
        Comment.objects.filter(
            round__in={verdict.round for verdict in wanted}, side=Comment.Side.REVIEWER
        )
        .order_by("at", "id")
        .values_list("round_id", "line_key", "at", "text")
    ):
        remarks.setdefault((round_id, key), []).append((at, text))
    return {
        (verdict.round, verdict.criterion): VerdictReason(
            who=reviewer_name(verdict.reviewer),
            where=_("round %(n)s, version %(version)s")
            % {"n": verdict.round_number, "version": verdict.version},
            aspect=str(LineReview.Aspect(verdict.aspect).label) if verdict.aspect else "",
            remarks=tuple(remarks.get((verdict.round, verdict.key), ())),
        )
        for verdict in wanted
    }
