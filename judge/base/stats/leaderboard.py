"""The ranking of candidates, with the places that the data leave open.

Each pair of candidates is compared on the tasks that both completed, by paired bootstrap over
tasks. All pairs are tested together with Holm's correction (S. Holm, Scand. J. Statist. 6, 1979).
A candidate's places are the range that the tests leave open, not its position in the list. With
fewer tasks than the smallest that could tell any two apart there are no places and no brackets.
"""

import itertools
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from judge.base.stats import bootstrap, tests
from judge.base.stats.numbers import (
    Interval,
    Number,
    Reason,
    TaskId,
    as_list,
    as_reasons,
    reasons,
    task_order,
)
from judge.base.stats.tests import fewest_tasks, holm

ALPHA = 0.05

_BLOCK = 200  # columns resampled at once: all 190 pairs of twenty candidates, but not of a hundred
_NOISE = 1e-9  # a sum of differences closer to 0 than this is rounding noise, so a tie


@dataclass(frozen=True, slots=True)
class Standing:
    """A candidate's mean S in 0..1 over its completed tasks, and the places it may have.

    A None has its reason in `why`; both places have theirs under `places`.
    """

    candidate: str
    tasks: int
    mean: float | None
    ci95: Interval | None
    best_place: int | None
    worst_place: int | None
    why: Mapping[str, Reason]

    def as_dict(self) -> dict[str, Any]:
        return {
            "candidate": self.candidate,
            "tasks": self.tasks,
            "mean": self.mean,
            "ci95": as_list(self.ci95),
            "best_place": self.best_place,
            "worst_place": self.worst_place,
            "why": as_reasons(self.why),
        }


@dataclass(frozen=True, slots=True)
class Comparison:
    """The mean of (first - second) over common tasks.

    `better` is the significantly better candidate, or None. A missing interval has its reason in
    `why`.
    """

    first: str
    second: str
    tasks: int
    difference: float | None
    ci95: Interval | None
    p_value: float | None
    p_holm: float | None
    better: str | None
    why: Mapping[str, Reason]

    def as_dict(self) -> dict[str, Any]:
        return {
            "first": self.first,
            "second": self.second,
            "tasks": self.tasks,
            "difference": self.difference,
            "ci95": as_list(self.ci95),
            "p_value": self.p_value,
            "p_holm": self.p_holm,
            "better": self.better,
            "why": as_reasons(self.why),
        }


@dataclass(frozen=True, slots=True)
class Leaderboard:
    """The ranking: standings by descending mean, and brackets of indistinguishable neighbours.

    Attributes:
        tasks_compared: the most tasks that any two candidates have in common.
        tasks_needed: the fewest common tasks from which any two could be told apart.
    """

    standings: tuple[Standing, ...]
    comparisons: tuple[Comparison, ...]
    brackets: tuple[tuple[str, ...], ...]
    resamples: int
    tasks_compared: int
    tasks_needed: int

    @property
    def decides(self) -> bool:
        """Whether there are enough tasks to tell any two candidates apart."""
        return self.tasks_compared >= self.tasks_needed

    def as_dict(self) -> dict[str, Any]:
        return {
            "standings": [standing.as_dict() for standing in self.standings],
            "comparisons": [comparison.as_dict() for comparison in self.comparisons],
            "brackets": [list(bracket) for bracket in self.brackets],
            "resamples": self.resamples,
            "tasks_compared": self.tasks_compared,
            "tasks_needed": self.tasks_needed,
        }


def leaderboard(
    results: Mapping[str, Mapping[TaskId, Number | None]],
    *,
    seed: int = 0,
    resamples: int = bootstrap.RESAMPLES,
    alpha: float = ALPHA,
) -> Leaderboard:
    """Rank candidates by their scores per task.

    With many candidates it takes more resamples than `resamples`, because the smallest possible
    p-value has to stay significant after the correction; the result has the number taken.

    Args:
        results: candidate -> task -> S in 0..1, None without a score.

    Raises:
        ValueError: `resamples` is below 1, alpha is not between 0 and 1, or a score is not finite.
    """
    if resamples < 1 or not 0 < alpha < 1:
        raise ValueError("a leaderboard needs at least one resample, and alpha between 0 and 1")
    given = {
        name: {task: float(score) for task, score in scores.items() if score is not None}
        for name, scores in results.items()
    }
    if any(not math.isfinite(score) for scores in given.values() for score in scores.values()):
        raise ValueError("a score is a finite number or None")
    means = {name: _mean(list(scores.values())) for name, scores in given.items()}
    # Means are rounded before sorting, so that rounding noise does not decide the order of a tie.
    order = sorted(means, key=lambda name: (*_descending(means[name]), name))
    ranked = [name for name in order if means[name] is not None]
    pairs = list(itertools.combinations(ranked, 2))
    taken = max(resamples, math.ceil(4 * len(pairs) / alpha))
    tasks = sorted({task for scores in given.values() for task in scores}, key=task_order)
    matrix = np.array(
        [[given[name].get(task, np.nan) for name in ranked] for task in tasks], dtype=np.float64
    ).reshape(len(tasks), len(ranked))

    intervals = dict(zip(ranked, _intervals(matrix, seed, resamples), strict=True))
    comparisons = _compare(ranked, matrix, seed, (resamples, taken), alpha)
    compared = max((c.tasks for c in comparisons), default=0)
    tested = sum(comparison.p_value is not None for comparison in comparisons)
    needed = fewest_tasks(tested or len(pairs), alpha)
    decides = compared >= needed
    clear = {(c.first, c.second) for c in comparisons if c.better is not None}
    standings = []
    for name in order:
        best = worst = ci95 = None
        why: dict[str, Reason] = dict.fromkeys(("mean", "ci95", "places"), Reason.NO_SCORES)
        if name in intervals:
            ci95, reason = intervals[name]
            why = reasons({"ci95": reason, "places": None if decides else Reason.FEW_TASKS_TO_RANK})
            if decides:
                best, worst = _places(name, ranked, comparisons)
        standings.append(Standing(name, len(given[name]), means[name], ci95, best, worst, why))
    brackets = _brackets(ranked, clear) if decides else ()
    return Leaderboard(tuple(standings), comparisons, brackets, taken, compared, needed)


def mean_intervals(
    results: Mapping[str, Mapping[TaskId, Number | None]],
    *,
    seed: int = 0,
    resamples: int = bootstrap.RESAMPLES,
) -> dict[str, bootstrap.Bounds]:
    """Return the interval of each candidate's mean over its tasks, without comparing candidates."""
    names = list(results)
    tasks = sorted({task for scores in results.values() for task in scores}, key=task_order)
    given = [[results[name].get(task) for name in names] for task in tasks]
    matrix = np.array(
        [[np.nan if score is None else float(score) for score in row] for row in given],
        dtype=np.float64,
    ).reshape(len(tasks), len(names))
    return dict(zip(names, _intervals(matrix, seed, resamples), strict=True))


def _mean(scores: Sequence[float]) -> float | None:
    return math.fsum(scores) / len(scores) if scores else None


def _descending(mean: float | None) -> tuple[bool, float]:
    return mean is None, 0.0 if mean is None else -round(mean, 12)


def _intervals(matrix: NDArray[np.float64], seed: int, resamples: int) -> list[bootstrap.Bounds]:
    """Return the bootstrap interval of each column's mean over the rows where it has a score."""
    sums, counts = _resample(matrix, seed, resamples)
    means = bootstrap.ratio(sums, counts)
    tasks = (~np.isnan(matrix)).sum(axis=0).tolist()
    return [
        bootstrap.interval(means[:, column], known, span=(0.0, 1.0))
        if known
        else (None, Reason.NO_SCORES)
        for column, known in enumerate(tasks)
    ]


def _compare(
    ranked: Sequence[str],
    matrix: NDArray[np.float64],
    seed: int,
    resamples: tuple[int, int],
    alpha: float,
) -> tuple[Comparison, ...]:
    """Compare all pairs; `resamples` has the numbers for the intervals and for the p-values."""
    asked, taken = resamples
    pairs = list(itertools.combinations(range(len(ranked)), 2))
    raw: list[tuple[int, float | None, bootstrap.Bounds, float | None]] = []
    for start in range(0, len(pairs), _BLOCK):
        block = pairs[start : start + _BLOCK]
        firsts, seconds = [pair[0] for pair in block], [pair[1] for pair in block]
        differences = matrix[:, firsts] - matrix[:, seconds]
        sums, counts = _resample(differences, seed, taken)
        for column in range(len(block)):
            known = differences[~np.isnan(differences[:, column]), column]
            raw.append(_test(known, sums[:, column], counts[:, column], asked))
    tested = [index for index, row in enumerate(raw) if row[3] is not None]
    adjusted = dict(zip(tested, holm([raw[i][3] or 0.0 for i in tested]), strict=True))
    comparisons = []
    for index, (first, second) in enumerate(pairs):
        tasks, difference, (ci95, reason), p_value = raw[index]
        p_holm = adjusted.get(index)
        better = None
        if difference and p_holm is not None and p_holm <= alpha:
            better = ranked[first] if difference > 0 else ranked[second]
        comparisons.append(
            Comparison(
                ranked[first],
                ranked[second],
                tasks,
                difference,
                ci95,
                p_value,
                p_holm,
                better,
                reasons({"ci95": reason}),
            )  # fmt: skip
        )
    return tuple(comparisons)


def _test(
    known: NDArray[np.float64], sums: NDArray[np.float64], counts: NDArray[np.float64], asked: int
) -> tuple[int, float | None, bootstrap.Bounds, float | None]:
    """Return number of tasks, mean difference, its interval and two-sided p-value.

    The p-value is twice the smaller share of resamples on either side of 0, but at least two
    bounds that matter with few tasks. A resample of n tasks is too narrow and its spread is
    estimated, so the first bound is the tail of Student's t with n - 1 degrees of freedom. The
    second bound matters if all differences are alike: they have the same sign by chance with
    probability 2 / 2**n. See docs/decisions/0011-measuring.md.
    """
    if not known.size:
        return 0, None, (None, Reason.NO_COMMON_TASKS), None
    mean = math.fsum(known.tolist()) / known.size
    apart = int((np.abs(known) > _NOISE).sum())
    not_above, not_below = int((sums <= _NOISE).sum()), int((sums >= -_NOISE).sum())
    share = (min(not_above, not_below) + 1) / (sums.size + 1)
    p_value = min(1.0, max(2 * share, 2.0 ** (1 - apart), _t_tail(known)))
    means = bootstrap.ratio(sums[:asked], counts[:asked])
    return known.size, mean, bootstrap.gap_interval(means, known.size, most=1.0), p_value


def _t_tail(differences: NDArray[np.float64]) -> float:
    """Return the two-sided p-value of a mean difference by Student's t; 0 without any spread."""
    if differences.size < 2:
        return 1.0
    error = float(differences.std(ddof=1)) / math.sqrt(differences.size)
    if error < _NOISE:
        return 0.0
    t = abs(math.fsum(differences.tolist())) / differences.size / error
    return max(0.0, 1.0 - tests.central_probability(t, differences.size - 1))


def _resample(
    matrix: NDArray[np.float64], seed: int, resamples: int
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Return resampled sums and counts of each column's known values: (resamples, columns) each."""
    known = ~np.isnan(matrix)
    partial = ~known.all(axis=0)  # the counts of a complete column are the number of tasks
    rows = np.hstack([np.where(known, matrix, 0.0), known[:, partial].astype(np.float64)])
    sums = bootstrap.resampled_rows(rows, seed=seed, resamples=resamples)
    columns = matrix.shape[1]
    counts = np.broadcast_to(np.float64(len(matrix)), (resamples, columns))
    if partial.any():
        counts = counts.copy()
        counts[:, partial] = sums[:, columns:]
    return sums[:, :columns], counts


def _places(name: str, ranked: Sequence[str], comparisons: Sequence[Comparison]) -> tuple[int, int]:
    """Return 1 + the number of better candidates, and n - the number of worse ones."""
    mine = [c for c in comparisons if name in (c.first, c.second) and c.better is not None]
    wins = sum(1 for comparison in mine if comparison.better == name)
    return 1 + len(mine) - wins, len(ranked) - wins


def _brackets(ranked: Sequence[str], clear: set[tuple[str, str]]) -> tuple[tuple[str, ...], ...]:
    """Return the maximal runs of two or more neighbours of which no pair differs significantly."""
    brackets = []
    reached = 0
    for start in range(len(ranked)):
        end = start + 1
        while end < len(ranked) and not any(
            (ranked[member], ranked[end]) in clear for member in range(start, end)
        ):
            end += 1
        if end - start > 1 and end > reached:
            brackets.append(tuple(ranked[start:end]))
            reached = end
    return tuple(brackets)
