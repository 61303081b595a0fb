"""May this judge be trusted? Three answers against thresholds that staff can change.

Only data comes out of here: which check failed, by how much, and about how many more labelled
tasks would settle it. The sentences belong to the page.
"""

import math
from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING

from judge.stats.numbers import Interval
from judge.stats.reasons import Why

if TYPE_CHECKING:  # they need numpy; the thresholds here are a model's, which every process loads
    from judge.stats.criterion import CriterionReport
    from judge.stats.preference import Difference, PreferenceReport
    from judge.stats.scores import ScoreReport


@dataclass(frozen=True, slots=True)
class Thresholds:
    """Defaults of the programme. `mean_bias` is in points of 100, the largest accepted size."""

    cdr_lower: float = 0.40
    tasks: int = 20
    strict_pairs: int = 100
    coverage: float = 0.98
    j_lower: float = 0.60
    mean_bias: float = 3.0


class CheckName(StrEnum):
    """What a check looks at; the names of the thresholds, and the comparison with zero-shot."""

    CDR_LOWER = "cdr_lower"
    TASKS = "tasks"
    STRICT_PAIRS = "strict_pairs"
    COVERAGE = "coverage"
    BETTER = "better_than_zero_shot"
    J_LOWER = "j_lower"
    MEAN_BIAS = "mean_bias"


@dataclass(frozen=True, slots=True)
class Check:
    """One threshold held against one number.

    `actual` is None where the number is undefined, with the reason in `why`. `shortfall` says
    by how much a failed check failed, in the unit of the number. `more_tasks` is about how many
    more labelled tasks would settle it, 0 where it is settled already, None where that cannot be
    estimated; `expected` is the outcome to expect then (True: passes), None where labelled tasks
    do not help.
    """

    name: CheckName
    passed: bool
    required: float
    actual: float | None
    shortfall: float | None = None
    more_tasks: int | None = None
    expected: bool | None = None
    why: Why | None = None


@dataclass(frozen=True, slots=True)
class Finding:
    """One answer with all its checks; `more_tasks` and `expected` as in Check, for the whole."""

    answer: bool
    checks: tuple[Check, ...]
    more_tasks: int | None
    expected: bool | None

    @property
    def failed(self) -> tuple[Check, ...]:
        return tuple(check for check in self.checks if not check.passed)


@dataclass(frozen=True, slots=True)
class Trust:
    """Yes or no: for ranking candidates, against zero-shot, for single answers."""

    thresholds: Thresholds
    ranking: Finding
    better_than_zero_shot: Finding
    single_answers: Finding


def assess(
    preference: "PreferenceReport",
    criterion: "CriterionReport",
    scores: "ScoreReport",
    *,
    difference: "Difference | None" = None,
    thresholds: Thresholds | None = None,
) -> Trust:
    """Answer the three questions for one judge, overall or within one domain.

    `difference` is this judge minus the zero-shot judge on the same responses; None where there
    is no such run, which is a no with the reason. A number that is undefined never passes.
    """
    limits = thresholds or Thresholds()
    return Trust(
        limits,
        _finding(*_ranking(preference, limits)),
        _finding(_better(difference)),
        _finding(*_single_answers(criterion, scores, limits)),
    )


def _ranking(report: "PreferenceReport", limits: Thresholds) -> tuple[Check, ...]:
    strict = report.counts.strict
    missing_tasks = max(0, limits.tasks - report.tasks)
    missing_pairs = max(0.0, float(limits.strict_pairs - strict))
    tasks_for_pairs = math.ceil(missing_pairs * report.tasks / strict) if strict else None
    return (
        _interval_check(
            CheckName.CDR_LOWER,
            limits.cdr_lower,
            None if report.cdr_micro is None else float(report.cdr_micro),
            report.ci95,
            report.tasks,
            report.why.get("ci95"),
        ),
        _count_check(CheckName.TASKS, limits.tasks, report.tasks, missing_tasks),
        _count_check(CheckName.STRICT_PAIRS, limits.strict_pairs, float(strict), tasks_for_pairs),
        _coverage_check(report, limits),
    )


def _single_answers(
    criterion: "CriterionReport", scores: "ScoreReport", limits: Thresholds
) -> tuple[Check, ...]:
    lower = _interval_check(
        CheckName.J_LOWER,
        limits.j_lower,
        None if criterion.j is None else float(criterion.j),
        criterion.j_ci95,
        criterion.tasks,
        criterion.why.get("j_ci95"),
    )
    bias = scores.mean_bias
    if bias is None:
        why = scores.why.get("mean_bias", Why.NOT_MEASURED)
        return lower, Check(CheckName.MEAN_BIAS, False, limits.mean_bias, None, why=why)
    excess = abs(bias) - limits.mean_bias
    passed = excess <= 0
    return lower, Check(
        CheckName.MEAN_BIAS, passed, limits.mean_bias, bias, shortfall=None if passed else excess
    )


def _better(difference: "Difference | None") -> Check:
    if difference is None:
        return Check(CheckName.BETTER, False, 0.0, None, why=Why.NO_COMPARISON)
    return _interval_check(
        CheckName.BETTER,
        0.0,
        None if difference.cdr_micro is None else float(difference.cdr_micro),
        difference.ci95,
        difference.tasks,
        difference.why.get("ci95"),
        strict=True,
    )


def _coverage_check(report: "PreferenceReport", limits: Thresholds) -> Check:
    # Labels do not fill gaps of the judge; resuming its run does.
    if report.coverage is None:
        why = report.why.get("coverage", Why.NOT_MEASURED)
        return Check(CheckName.COVERAGE, False, limits.coverage, None, why=why)
    coverage = float(report.coverage)
    passed = coverage >= limits.coverage
    shortfall = None if passed else limits.coverage - coverage
    return Check(CheckName.COVERAGE, passed, limits.coverage, coverage, shortfall)


def _count_check(name: CheckName, required: float, actual: float, more_tasks: int | None) -> Check:
    if actual >= required:
        return Check(name, True, required, actual)
    return Check(
        name,
        False,
        required,
        actual,
        shortfall=required - actual,
        more_tasks=more_tasks,
        expected=True,
    )


def _interval_check(
    name: CheckName,
    required: float,
    estimate: float | None,
    interval: Interval | None,
    tasks: int,
    why: Why | None,
    *,
    strict: bool = False,
) -> Check:
    """Hold the lower bound of an interval against a threshold."""
    if estimate is None or interval is None:
        return Check(name, False, required, None, why=why or Why.NOT_MEASURED)
    low, _ = interval
    if low > required or (low == required and not strict):
        return Check(name, True, required, low)
    more, expected = _to_settle(required, estimate, interval, tasks)
    return Check(name, False, required, low, required - low, more, expected)


def _to_settle(
    required: float, estimate: float, interval: Interval, tasks: int
) -> tuple[int | None, bool | None]:
    """More tasks until the interval clears the threshold, if the estimate stays where it is.

    The width shrinks with the square root of the number of tasks, so the side of the interval
    that reaches over the threshold must shrink to the distance of the estimate from it.
    """
    low, high = interval
    if estimate == required:
        return None, None
    above = estimate > required
    reach = estimate - low if above else high - estimate
    needed = math.ceil(tasks * (reach / (estimate - required)) ** 2)
    if above:
        return max(1, needed - tasks), True
    return max(0, needed - tasks), False


def _finding(*checks: Check) -> Finding:
    failed = [check for check in checks if not check.passed]
    if not failed:
        return Finding(True, checks, None, None)
    # One check expected to fail for good settles the whole; else every failed one must pass.
    refusals = [c.more_tasks for c in failed if c.expected is False and c.more_tasks is not None]
    if refusals:
        return Finding(False, checks, min(refusals), False)
    if any(check.expected is None and check.actual is not None for check in failed):
        return Finding(False, checks, None, None)
    # What is not measured yet cannot be estimated, but the other checks say where to begin.
    wanted = [check.more_tasks for check in failed if check.more_tasks is not None]
    return (
        Finding(False, checks, max(wanted), True) if wanted else Finding(False, checks, None, None)
    )
