"""The rows that a report is computed from, and how a sheet's score comes from its lines."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import NamedTuple

from django.db.models import QuerySet

from judge.base.stats.numbers import Number
from judge.results.alignment.raters import Rater
from judge.runs.engine.models import JudgeRun, RunItem
from judge.runs.engine.planning.skipping import NOT_ASKED
from rubrics.versions.models import Criterion

UNKNOWN_FAMILY = "other"  # of candidates whose name does not tell their family


class ResponseRow(NamedTuple):
    """A response with its task, domain and candidate."""

    key: str
    task: str
    task_id: int
    domain: str
    candidate: str
    family: str


class LeftOut(NamedTuple):
    """A response on which sheets are left out, with its task and domain."""

    response: int
    task_id: int
    domain: str


class Line(NamedTuple):
    """A rubric line with what the report groups by."""

    version: int
    key: str
    weight: int
    importance: str
    dimension: str


@dataclass(frozen=True, slots=True)
class Experts:
    """The experts' sheets.

    Attributes:
        raters: names, sorted.
        responses: every response with a submitted sheet.
        scores: response -> mean S (exact), or the mean of single scores.
        given: response -> rater -> the score that is part of this mean.
        shares: the responses whose score is a share from 0 to 1, of verdicts on lines or of grades.
        labels: (sheet, response, criterion, 0 or 1).
        grades: (rater, response, grade from 1 to 5).
        rater_of: sheet -> name.
        lines: criterion -> its line.
        flagged: responses on which sheets are left out that a flagged verdict asked for.
        stale: responses left out because they, or scores of them, rest on an earlier text.
    """

    raters: tuple[str, ...]
    responses: Mapping[int, ResponseRow]
    scores: Mapping[int, Number]
    given: Mapping[int, Mapping[str, Number]]
    shares: frozenset[int]
    labels: tuple[tuple[int, int, int, int], ...]
    grades: tuple[tuple[str, int, int], ...]
    rater_of: Mapping[int, str]
    lines: Mapping[int, Line]
    flagged: tuple[LeftOut, ...] = ()
    stale: tuple[LeftOut, ...] = ()


@dataclass(frozen=True, slots=True)
class JudgeData:
    """What a judge said.

    Attributes:
        asked: the responses it was asked about; None if unknown, for a rater from outside.
        scores: response -> S, or the single score it gave.
        verdicts: (response, criterion) -> 0 or 1; a gap has no entry.
        grades: response -> grade from 1 to 5, of a judge that grades.
        single: whether it gave one number per response, and so has no verdicts to compare.
        is_share: whether its scores are shares from 0 to 1; a number has a scale of its own.
    """

    rater: Rater
    asked: frozenset[int] | None
    scores: Mapping[int, Number]
    verdicts: Mapping[tuple[int, int], int]
    grades: Mapping[int, int]
    single: bool
    is_share: bool


def asked_items(run: JudgeRun) -> "QuerySet[RunItem]":
    """Select the items of a run that it asked about, or will."""
    return (
        RunItem.objects.filter(run=run)
        .exclude(state=RunItem.State.SKIPPED, reason__in=NOT_ASKED)
        .order_by()
    )


def lines_of(criteria: "QuerySet[Criterion]") -> dict[int, Line]:
    """Return the lines by primary key. One query."""
    rows = criteria.order_by().values_list(
        "pk", "version_id", "key", "weight", "importance", "dimension"
    )
    return {row[0]: Line(*row[1:]) for row in rows}


def totals_of(lines: Mapping[int, Line]) -> dict[int, tuple[int, int]]:
    """Return the number of lines and the sum of their weights by version."""
    totals: dict[int, tuple[int, int]] = {}
    for line in lines.values():
        count, weight = totals.get(line.version, (0, 0))
        totals[line.version] = (count + 1, weight + line.weight)
    return totals


def score_of(
    marks: Iterable[tuple[int, int]],
    lines: Mapping[int, Line],
    totals: Mapping[int, tuple[int, int]],
    version: int | None,
) -> Fraction | None:
    """Return S of one sheet; None unless every line of its version has a verdict."""
    weights = [(lines[criterion].weight, met) for criterion, met in marks if criterion in lines]
    count, total = totals.get(version or 0, (0, 0))
    if len(weights) != count or not total:
        return None
    return Fraction(sum(weight for weight, met in weights if met), total)
