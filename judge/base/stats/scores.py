"""The closeness of the judge's scores of responses to the experts' scores.

Scores are S in 0..1. Mean bias and mean absolute error are in points of 100; the bias is positive
if the judge is kinder than the experts. For a judge with another scale the correlations are valid,
but bias and error mean nothing.

The correlations are computed here (and tested against scipy), because importing scipy.stats takes
longer than an alignment report may take.
"""

import bisect
import math
from collections import Counter
from collections.abc import Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from judge.base.stats import bootstrap
from judge.base.stats.numbers import (
    Interval,
    Number,
    Reason,
    TaskId,
    as_list,
    as_reasons,
    comparable,
    reasons,
)
from judge.base.stats.self_preference import bias_by_task


def mean_ranks(values: Sequence[float] | NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the rank of each value from 1, in the order given; tied values share their mean rank.

    Pearson's correlation of two such columns is Spearman's rho with ties (M. G. Kendall, Rank
    Correlation Methods, 1948, chapter 3).
    """
    _distinct, places, counts = np.unique(
        np.asarray(values, dtype=np.float64), return_inverse=True, return_counts=True
    )
    return (counts.cumsum() - (counts - 1) / 2)[places]


Key = TypeVar("Key", bound=Hashable)


@dataclass(frozen=True, slots=True)
class ScoreReport:
    """The statistics of scores; a None has its reason in `why`.

    `responses` counts those with both scores, `missing` those without a score of the judge.
    """

    responses: int
    missing: int
    pearson: float | None
    spearman: float | None
    kendall: float | None
    mean_bias: float | None
    mae: float | None
    why: Mapping[str, Reason]
    bias_ci95: Interval | None = None

    def as_dict(self) -> dict[str, Any]:
        """Return plain numbers for JSON, by the names of `alignment --json`."""
        return {
            "pearson": self.pearson,
            "spearman": self.spearman,
            "kendall": self.kendall,
            "mean_bias": self.mean_bias,
            "mean_bias_ci95": as_list(self.bias_ci95),
            "mae": self.mae,
            "responses": self.responses,
            "missing": self.missing,
            "why": as_reasons(self.why),
        }


def scores(pairs: Iterable[tuple[Number, Number | None]]) -> ScoreReport:
    """Compute the report over responses.

    Floats are rounded to 12 significant digits first, so that rounding noise does not break ties
    or vary a constant column.

    Args:
        pairs: (expert score, judge score or None) of each response, in 0..1.

    Raises:
        ValueError: a score is not finite, or an expert score is missing.
    """
    rows = list(pairs)
    experts, judges = comparable(row[0] for row in rows), comparable(row[1] for row in rows)
    if any(expert is None for expert in experts):
        raise ValueError("a response without an expert score has nothing to be compared with")
    both = [
        (float(expert), float(judge))
        for expert, judge in zip(experts, judges, strict=True)
        if expert is not None and judge is not None
    ]
    missing = len(rows) - len(both)
    if not both:
        names = ("pearson", "spearman", "kendall", "mean_bias", "mae")
        why = Reason.NONE_JUDGED if missing else Reason.NO_SCORES
        return ScoreReport(0, missing, None, None, None, None, None, dict.fromkeys(names, why))
    xs, ys = [expert for expert, _ in both], [judge for _, judge in both]
    bias = 100 * math.fsum(y - x for x, y in both) / len(both)
    mae = 100 * math.fsum(abs(y - x) for x, y in both) / len(both)
    reason = _no_correlation_reason(xs, ys)
    if reason:
        reasons = dict.fromkeys(("pearson", "spearman", "kendall"), reason)
        return ScoreReport(len(both), missing, None, None, None, bias, mae, reasons)
    return ScoreReport(
        responses=len(both),
        missing=missing,
        pearson=_pearson(xs, ys),
        spearman=_pearson(mean_ranks(xs).tolist(), mean_ranks(ys).tolist()),
        kendall=_kendall_tau_b(xs, ys),
        mean_bias=bias,
        mae=mae,
        why={},
    )


def scores_by_group(
    groups: Mapping[Key, Iterable[tuple[TaskId, Number, Number | None]]],
    *,
    seed: int = 0,
    resamples: int = bootstrap.RESAMPLES,
) -> dict[Key, ScoreReport]:
    """Compute the report of each group, with the interval of its bias.

    All intervals come from the same draws of the tasks of all groups.

    Args:
        groups: group -> (task, expert score, judge score or None) of each response.

    Raises:
        ValueError: as `scores`.
    """
    known = {name: list(rows) for name, rows in groups.items()}
    biases = {name: bias_by_task(rows) for name, rows in known.items()}
    tasks = {task for bias in biases.values() for task in bias}
    nothing = (0.0, 0.0)
    table = {task: [bias.get(task, nothing) for bias in biases.values()] for task in tasks}
    intervals = bootstrap.ratio_intervals(table, seed=seed, resamples=resamples)
    found = {}
    for at, (name, rows) in enumerate(known.items()):
        report = scores((expert, judge) for _task, expert, judge in rows)
        if report.mean_bias is not None:
            bias_ci95, reason = intervals[at]
            why = {**report.why, **reasons({"mean_bias_ci95": reason})}
            report = replace(report, why=why, bias_ci95=bias_ci95)
        found[name] = report
    return found


def _no_correlation_reason(xs: Sequence[float], ys: Sequence[float]) -> Reason | None:
    if len(xs) < 2:
        return Reason.ONE_RESPONSE
    return Reason.CONSTANT if len(set(xs)) == 1 or len(set(ys)) == 1 else None


def _pearson(xs: Sequence[float], ys: Sequence[float]) -> float:
    dx, dy = _centred(xs), _centred(ys)
    covariance = math.fsum(x * y for x, y in zip(dx, dy, strict=True))
    variances = math.fsum(x * x for x in dx) * math.fsum(y * y for y in dy)
    return max(-1.0, min(1.0, covariance / math.sqrt(variances)))


def _centred(values: Sequence[float]) -> list[float]:
    mean = math.fsum(values) / len(values)
    # Scaled to the largest deviation, because products of tiny deviations would underflow.
    deviations = [value - mean for value in values]
    largest = max(abs(deviation) for deviation in deviations)
    return [deviation / largest for deviation in deviations]


def _kendall_tau_b(xs: Sequence[float], ys: Sequence[float]) -> float:
    """Return tau-b (M. G. Kendall, Biometrika 33, 1945).

    Discordant pairs are counted in sorted order. Within equal x, y ascends, so a pair tied in x
    never counts as discordant.
    """
    discordant = 0
    seen: list[float] = []
    for _, y in sorted(zip(xs, ys, strict=True)):
        at = bisect.bisect_right(seen, y)
        discordant += len(seen) - at
        seen.insert(at, y)
    pairs = math.comb(len(xs), 2)
    tied_x, tied_y = _tied(xs), _tied(ys)
    tied_both = _tied(list(zip(xs, ys, strict=True)))
    concordant = pairs - tied_x - tied_y + tied_both - discordant
    # One root of the exact integer product; with two roots equal columns would give 0.999...
    return (concordant - discordant) / math.sqrt((pairs - tied_x) * (pairs - tied_y))


def _tied(values: Iterable[Hashable]) -> int:
    return sum(math.comb(count, 2) for count in Counter(values).values())
