"""Checks whether a judge may be trusted for three uses, by thresholds that staff can change.

The results are data: the failed checks, by how much they failed, and about how many more labelled
tasks would settle them. `judge.base.figures.sentences` turns them into sentences.
"""

import math
from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING

from judge.base.stats.numbers import Interval, Reason

if TYPE_CHECKING:  # they import numpy, but a model uses Thresholds, so every process loads this
    from judge.base.stats.criterion import CriterionReport
    from judge.base.stats.preference import Difference, PreferenceReport
    from judge.base.stats.scores import ScoreReport


@dataclass(frozen=True, slots=True)
class Thresholds:
    """The thresholds with their defaults; `mean_bias` is the largest size, in points of 100."""

    cdr_lower: float = 0.40
    tasks: int = 20
    strict_pairs: int = 100
    coverage: float = 0.98
    j_lower: float = 0.60
    mean_bias: float = 3.0


class CheckName(StrEnum):
    """The checks: one for each threshold, and the comparison with zero-shot."""

    CDR_LOWER = "cdr_lower"
    TASKS = "tasks"
    STRICT_PAIRS = "strict_pairs"
    COVERAGE = "coverage"
    BETTER = "better_than_zero_shot"
    J_LOWER = "j_lower"
    MEAN_BIAS = "mean_bias"


@dataclass(frozen=True, slots=True)
class Check:
    """A number compared with a threshold.

    Attributes:
        actual: the number; None if it is undefined, with the reason in `why`.
        shortfall: by how much a failed check failed, in the unit of the number.
        more_tasks: about how many more labelled tasks would settle a failed check; 0 if it is
            settled already, None if that cannot be estimated.
        expected: whether the check would pass then; None if labelled tasks do not help.
    """

    name: CheckName
    passed: bool
    required: float
    actual: float | None
    shortfall: float | None = None
    more_tasks: int | None = None
    expected: bool | None = None
    why: Reason | None = None


@dataclass(frozen=True, slots=True)
class Finding:
    """The answer for one use with its checks; `more_tasks` and `expected` are as in Check."""

    answer: bool
    checks: tuple[Check, ...]
    more_tasks: int | None
    expected: bool | None

    @property
    def failed(self) -> tuple[Check, ...]:
        return tuple(check for check in self.checks if not check.passed)


@dataclass(frozen=True, slots=True)
class Trust:
    """The answers for ranking candidates, for beating zero-shot, and for single answers.

    Attributes:
        worse: whether the judge is worse than the one it is compared with, beyond chance.
    """

    thresholds: Thresholds
    ranking: Finding
    better_than_zero_shot: Finding
    single_answers: Finding
    worse: bool = False


def assess(
    preference: "PreferenceReport",
    criterion: "CriterionReport",
    scores: "ScoreReport",
    *,
    difference: "Difference | None" = None,
    thresholds: Thresholds | None = None,
) -> Trust:
    """Answer the three questions for one judge, overall or within one domain.

    An undefined number never passes.

    Args:
        difference: this judge minus the zero-shot judge on the same responses; None if there is
            no such run, which fails the check.
    """
    limits = thresholds or Thresholds()
    return Trust(
        limits,
        _finding(*_ranking(preference, limits)),
        _finding(_better(difference)),
        _finding(*_single_answers(criterion, scores, limits)),
        worse=difference is not None and difference.ci95 is not None and difference.ci95[1] < 0,
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
        why = scores.why.get("mean_bias", Reason.NOT_MEASURED)
        return lower, Check(CheckName.MEAN_BIAS, False, limits.mean_bias, None, why=why)
    excess = abs(bias) - limits.mean_bias
    passed = excess <= 0
    return lower, Check(
        CheckName.MEAN_BIAS, passed, limits.mean_bias, bias, shortfall=None if passed else excess
    )


def _better(difference: "Difference | None") -> Check:
    if difference is None:
        return Check(CheckName.BETTER, False, 0.0, None, why=Reason.NO_COMPARISON)
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
    # No estimate of tasks: labels do not fill the judge's missing scores, resuming its run does.
    if report.coverage is None:
        why = report.why.get("coverage", Reason.NOT_MEASURED)
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
    why: Reason | None,
    *,
    strict: bool = False,
) -> Check:
    """Compare the lower bound of an interval with a threshold."""
    if estimate is None or interval is None:
        return Check(name, False, required, None, why=why or Reason.NOT_MEASURED)
    low, _ = interval
    if low > required or (low == required and not strict):
        return Check(name, True, required, low)
    more, expected = tasks_to_settle(required, estimate, interval, tasks)
    return Check(name, False, required, low, required - low, more, expected)


def tasks_to_settle(
    required: float, estimate: float, interval: Interval, tasks: int
) -> tuple[int | None, bool | None]:
    """Estimate how many more tasks settle whether a value lies above `required`, and if it does.

    The estimate is assumed to stay the same. The width of the interval shrinks with the square
    root of the number of tasks, until the side that crosses the threshold ends at it.
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
    # One check that is expected to fail settles the answer; else all failed checks have to pass.
    refusals = [c.more_tasks for c in failed if c.expected is False and c.more_tasks is not None]
    if refusals:
        return Finding(False, checks, min(refusals), False)
    if any(check.expected is None and check.actual is not None for check in failed):
        return Finding(False, checks, None, None)
    # Checks without a number cannot be estimated, so the estimate is of the others.
    wanted = [check.more_tasks for check in failed if check.more_tasks is not None]
    return (
        Finding(False, checks, max(wanted), True) if wanted else Finding(False, checks, None, None)
    )
