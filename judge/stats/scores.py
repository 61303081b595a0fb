"""How close the judge's scores of responses are to the experts', beside how they order them.

Scores are S in 0..1. Correlations have no unit; mean bias and mean absolute error are in points
of 100, the bias being positive where the judge is the kinder of the two. A judge that scores on
another scale has correlations, but its bias and error mean nothing.

The correlations are computed here, and checked against scipy in the tests, because importing
scipy.stats takes longer than a whole alignment report may.
"""

import bisect
import math
from collections import Counter
from collections.abc import Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, TypeVar

from judge.stats import bootstrap
from judge.stats.numbers import Interval, Number, TaskId, as_list, as_reasons, comparable
from judge.stats.reasons import Why
from judge.stats.self_preference import bias_by_task

Key = TypeVar("Key", bound=Hashable)


@dataclass(frozen=True, slots=True)
class ScoreReport:
    """`responses` counts those with both scores; `missing` those the judge gave none."""

    responses: int
    missing: int
    pearson: float | None
    spearman: float | None
    kendall: float | None
    mean_bias: float | None
    mae: float | None
    why: Mapping[str, Why]
    bias_ci95: Interval | None = None

    def as_dict(self) -> dict[str, Any]:
        """Plain numbers for JSON, under the names of `alignment --json`."""
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
    """Report over (expert score, judge score or None) of each response, both in 0..1.

    Floats are rounded to 12 significant digits first, so that rounding noise makes neither ranks
    nor a constant column look varied. Raises ValueError for scores that are not finite and for a
    missing expert score.
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
        why = Why.NONE_JUDGED if missing else Why.NO_SCORES
        return ScoreReport(0, missing, None, None, None, None, None, dict.fromkeys(names, why))
    xs, ys = [expert for expert, _ in both], [judge for _, judge in both]
    bias = 100 * math.fsum(y - x for x, y in both) / len(both)
    mae = 100 * math.fsum(abs(y - x) for x, y in both) / len(both)
    reason = _uncorrelatable(xs, ys)
    if reason:
        reasons = dict.fromkeys(("pearson", "spearman", "kendall"), reason)
        return ScoreReport(len(both), missing, None, None, None, bias, mae, reasons)
    return ScoreReport(
        responses=len(both),
        missing=missing,
        pearson=_pearson(xs, ys),
        spearman=_pearson(_mean_ranks(xs), _mean_ranks(ys)),
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
    """`scores` of each group of (task, expert score, judge score or None), with its bias interval.

    All intervals come from the same draws of the tasks of all groups. Raises ValueError as
    `scores` does.
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
        reason = bootstrap.reason(len(biases[name]), resamples)
        if report.mean_bias is None:
            pass
        elif reason:
            report = replace(report, why={**report.why, "mean_bias_ci95": reason})
        else:
            report = replace(report, bias_ci95=intervals[at])
        found[name] = report
    return found


def _uncorrelatable(xs: Sequence[float], ys: Sequence[float]) -> Why | None:
    if len(xs) < 2:
        return Why.ONE_RESPONSE
    return Why.CONSTANT if len(set(xs)) == 1 or len(set(ys)) == 1 else None


def _pearson(xs: Sequence[float], ys: Sequence[float]) -> float:
    dx, dy = _centred(xs), _centred(ys)
    covariance = math.fsum(x * y for x, y in zip(dx, dy, strict=True))
    variances = math.fsum(x * x for x in dx) * math.fsum(y * y for y in dy)
    return max(-1.0, min(1.0, covariance / math.sqrt(variances)))


def _centred(values: Sequence[float]) -> list[float]:
    mean = math.fsum(values) / len(values)
    # Scaled to the largest deviation: the products of tiny deviations must not vanish.
    deviations = [value - mean for value in values]
    largest = max(abs(deviation) for deviation in deviations)
    return [deviation / largest for deviation in deviations]


def _mean_ranks(values: Sequence[float]) -> list[float]:
    """Ranks from 1, tied values sharing the mean of theirs."""
    counts = Counter(values)
    ranks: dict[float, float] = {}
    below = 0
    for value in sorted(counts):
        ranks[value] = below + (counts[value] + 1) / 2
        below += counts[value]
    return [ranks[value] for value in values]


def _kendall_tau_b(xs: Sequence[float], ys: Sequence[float]) -> float:
    """Tau-b (M. G. Kendall, Biometrika 33, 1945), counting discordant pairs in sorted order.

    Within equal x, y ascends, so a pair tied in x is never counted as discordant.
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
    # One root of the exact integer product: two roots would give 0.999... for equal columns.
    return (concordant - discordant) / math.sqrt((pairs - tied_x) * (pairs - tied_y))


def _tied(values: Iterable[Hashable]) -> int:
    return sum(math.comb(count, 2) for count in Counter(values).values())
