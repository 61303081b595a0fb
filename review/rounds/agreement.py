"""Lines that two reviewers read, as they were worded: what each of them said of it.

A unit is a wording: the same line in a later version is the same unit while nothing on it changed,
so an approval that was carried over is never counted again. Only finished rounds count, and only
verdicts somebody gave. A reviewer's first word on a wording is independent of the other's; their
last word shows whether they came together.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime

from django.db.models import Count, F, QuerySet
from django.utils.translation import gettext as _

from curation.tasks.models import Task
from review.assignment.models import Comment, LineReview, Round
from review.rounds.threads import reviewer_name


@dataclass(frozen=True, slots=True)
class Reading:
    """One verdict of one reviewer on one line, given in a round that is finished."""

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
        """What makes two lines one unit."""
        return self.key, self.text, self.importance, self.weight, self.dimension


def finished_rounds() -> QuerySet[Round]:
    """Rounds somebody finished; one that was handed back ends at the moment it was opened."""
    return Round.objects.filter(finished_at__gt=F("opened_at"))


def readings(tasks: QuerySet[Task]) -> Iterable[Reading]:
    """Every verdict on tasks that at least two reviewers have read, in the order of the rounds.

    One query. Args: the tasks the reader may learn of.
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
    return (Reading(*row) for row in rows.iterator(chunk_size=5000))


@dataclass(frozen=True, slots=True)
class Said:
    """Why a reviewer decided so: the aspect, and their remarks on the line in the round."""

    who: str
    where: str
    aspect: str
    remarks: tuple[tuple[datetime, str], ...]


def reasons(found: Iterable[Reading]) -> Mapping[tuple[int, int], Said]:
    """(round, criterion) -> why. One query."""
    wanted = list(found)
    remarks: dict[tuple[int, str], list[tuple[datetime, str]]] = {}
    for round_id, key, at, text in (
        Comment.objects.filter(
            round__in={reading.round for reading in wanted}, side=Comment.Side.REVIEWER
        )
        .order_by("at", "id")
        .values_list("round_id", "line_key", "at", "text")
    ):
        remarks.setdefault((round_id, key), []).append((at, text))
    return {
        (reading.round, reading.criterion): Said(
            who=reviewer_name(reading.reviewer),
            where=_("round %(n)s, version %(version)s")
            % {"n": reading.round_number, "version": reading.version},
            aspect=str(LineReview.Aspect(reading.aspect).label) if reading.aspect else "",
            remarks=tuple(remarks.get((reading.round, reading.key), ())),
        )
        for reading in wanted
    }
