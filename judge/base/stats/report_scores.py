"""How far judges' scores of whole reports agree with experts' grades of them.

The target is the trimmed mean of the experts' grades (JADE, arXiv 2602.06486, appendix I: of five
grades the highest and the lowest are left out). The agreement between experts is computed from all
grades, untrimmed. Intervals resample tasks, as everywhere here; correlations are computed again for
each resample, ranks included.
"""

import itertools
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from judge.base.stats import bootstrap
from judge.base.stats.numbers import Interval, Reason, TaskId, reasons, task_order
from judge.base.stats.scores import mean_ranks, scores

RESAMPLES = 1_000  # ranks are found again for each
TRIMMED_FROM = 3  # grades; of fewer, leaving two out would leave too little
BINS = 5
FEWEST_COMMON = 3  # responses of two raters; two alone give a correlation of 1 or -1


def trimmed_mean(grades: Sequence[float]) -> float:
    """Return the mean without one highest and one lowest grade; of one or two, the mean of all.

    Raises ValueError for none.
    """
    if not grades:
        raise ValueError("no grade has no mean")
    kept = sorted(grades)[1:-1] if len(grades) >= TRIMMED_FROM else grades
    return math.fsum(kept) / len(kept)


@dataclass(frozen=True, slots=True)
class Correlation:
    """Pearson's r and Spearman's rho with their 95 % intervals; a None has its reason in `why`."""

    n: int
    pearson: float | None
    pearson_ci95: Interval | None
    spearman: float | None
    spearman_ci95: Interval | None
    why: Mapping[str, Reason]


def correlation(
    rows: Sequence[tuple[TaskId, float, float]], *, seed: int = 0, resamples: int = RESAMPLES
) -> Correlation:
    """Correlate two scores of responses.

    Args:
        rows: (task, target, score) of each response.
    """
    found = scores((target, score) for _task, target, score in rows)
    why = {name: found.why[name] for name in ("pearson", "spearman") if name in found.why}
    if why:
        return Correlation(len(rows), found.pearson, None, found.spearman, None, why)
    (linear, no_linear), (ranked, no_ranked) = _intervals(rows, seed, resamples)
    why = reasons({"pearson_ci95": no_linear, "spearman_ci95": no_ranked})
    return Correlation(len(rows), found.pearson, linear, found.spearman, ranked, why)


def _intervals(
    rows: Sequence[tuple[TaskId, float, float]], seed: int, resamples: int
) -> tuple[bootstrap.Bounds, bootstrap.Bounds]:
    rows = sorted(rows, key=lambda row: (task_order(row[0]), *row[1:]))  # sums depend on order
    by_task: dict[TaskId, list[int]] = {}
    for at, (task, *_scores) in enumerate(rows):
        by_task.setdefault(task, []).append(at)
    groups = [np.array(by_task[task]) for task in sorted(by_task, key=task_order)]
    table = np.array([(target, score) for _task, target, score in rows], dtype=np.float64)
    drawn = np.random.default_rng(seed).integers(0, len(groups), (resamples, len(groups)))
    linear, ranked = np.full(resamples, np.nan), np.full(resamples, np.nan)
    for n, chosen in enumerate(drawn):
        sample = table[np.concatenate([groups[at] for at in chosen])]
        if (np.ptp(sample, axis=0) > 0).all():
            linear[n] = np.corrcoef(sample.T)[0, 1]
            ranked[n] = np.corrcoef([mean_ranks(column) for column in sample.T])[0, 1]
    return bootstrap.interval(linear, len(groups)), bootstrap.interval(ranked, len(groups))


@dataclass(frozen=True, slots=True)
class RaterAgreement:
    """The mean of Pearson's r over pairs of raters, untrimmed; None with its reason.

    Attributes:
        pairs: those with a correlation.
    """

    raters: int
    pairs: int
    mean_pearson: float | None
    why: Reason | None


def rater_agreement(grades: Mapping[str, Mapping[int, float]]) -> RaterAgreement:
    """Return how far raters agree with each other.

    Args:
        grades: rater -> response -> grade.
    """
    found, why = [], Reason.NO_OVERLAP
    for first, second in itertools.combinations(sorted(grades), 2):
        common = grades[first].keys() & grades[second].keys()
        if len(common) < FEWEST_COMMON:
            why = Reason.FEW_RESPONSES if common else why
            continue
        report = scores((grades[first][pk], grades[second][pk]) for pk in sorted(common))
        if report.pearson is None:
            why = report.why["pearson"]
        else:
            found.append(report.pearson)
    if not found:
        return RaterAgreement(len(grades), 0, None, why)
    return RaterAgreement(len(grades), len(found), math.fsum(found) / len(found), None)


@dataclass(frozen=True, slots=True)
class Fifth:
    """A fifth of the responses by score: what the experts gave them. All from 0 to 1."""

    n: int
    score: float
    target: float


def fifths(rows: Sequence[tuple[TaskId, float, float]]) -> list[Fifth]:
    """Return mean score and mean target of each fifth of the responses, lowest scores first.

    A calibrated judge has both alike. Empty fifths are left out.

    Args:
        rows: (task, target, score), both from 0 to 1.
    """
    ordered = sorted((score, target) for _task, target, score in rows)
    edges = [len(ordered) * n // BINS for n in range(BINS + 1)]
    parts = [ordered[low:high] for low, high in itertools.pairwise(edges)]
    return [
        Fifth(
            len(part),
            math.fsum(score for score, _target in part) / len(part),
            math.fsum(target for _score, target in part) / len(part),
        )
        for part in parts
        if part
    ]


def instability(repeats: Sequence[Mapping[int, float]]) -> float | None:
    """Return the mean standard deviation of a response's score over repeated runs.

    Over the responses that every run scored; None with fewer than two runs, or none of these.
    """
    common = set.intersection(*(set(run) for run in repeats)) if len(repeats) > 1 else set()
    if not common:
        return None
    table = np.array([[run[pk] for pk in sorted(common)] for run in repeats])
    return float(table.std(axis=0, ddof=1).mean())
