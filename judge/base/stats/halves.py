"""Candidates on the open and on the private half of a set of tasks: ranks, and who drifts.

A candidate that was tuned on the open tasks, or trained on them, does better there than on tasks
nobody has seen. The halves may differ in difficulty, so a plain difference of means says little.
A candidate's drift is the difference of its lead: on each task its score minus the mean of the
others' scores on the same task, averaged over the open half, minus the same over the private half.
"""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from statistics import fmean
from typing import Any

import numpy as np
from numpy.typing import NDArray

from judge.base.stats import bootstrap, tests
from judge.base.stats.leaderboard import holm
from judge.base.stats.numbers import (
    FEWEST_TASKS,
    Interval,
    Number,
    Reason,
    TaskId,
    as_list,
    as_reasons,
    reasons,
    task_order,
)
from judge.base.stats.scores import scores as correlations

ALPHA = 0.05
FEWEST_CANDIDATES = 3  # for an agreement of ranks
_PRIVATE_SEED = 7_919  # added to the seed, so that the halves are drawn independently
_BLOCK = 500  # resamples compared at once, to bound memory with many candidates

Scores = Mapping[str, Mapping[TaskId, Number | None]]  # candidate -> task -> S in 0..1
Floats = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Drift:
    """One candidate on both halves; a None has its reason in `why`.

    Attributes:
        open_mean, private_mean: S in 0..1 over its tasks of each half; the ranks go by them.
        difference: open minus private, of its own scores.
        drift: the difference of its lead over the others, with its interval and p-value.
        drifts: it does better on the open half than chance explains, after Holm's correction.
    """

    candidate: str
    open_tasks: int
    private_tasks: int
    open_mean: float | None
    private_mean: float | None
    open_rank: int | None
    private_rank: int | None
    difference: float | None
    drift: float | None
    ci95: Interval | None
    p_value: float | None
    p_holm: float | None
    drifts: bool
    why: Mapping[str, Reason]

    def as_dict(self) -> dict[str, Any]:
        names = (
            "candidate", "open_tasks", "private_tasks", "open_mean", "private_mean", "open_rank",
            "private_rank", "difference", "drift", "p_value", "p_holm", "drifts",
        )  # fmt: skip
        return {
            **{name: getattr(self, name) for name in names},
            "ci95": as_list(self.ci95),
            "why": as_reasons(self.why),
        }


@dataclass(frozen=True, slots=True)
class HalvesReport:
    """All candidates on both halves, by their open mean; a None has its reason in `why`.

    `kendall` is tau-b and `spearman` rho of the candidates' means on the two halves; the interval
    is that of tau-b.
    """

    candidates: tuple[Drift, ...]
    compared: int
    kendall: float | None
    ci95: Interval | None
    spearman: float | None
    open_tasks: int
    private_tasks: int
    resamples: int
    why: Mapping[str, Reason]

    @property
    def drifting(self) -> tuple[Drift, ...]:
        return tuple(one for one in self.candidates if one.drifts)

    def as_dict(self) -> dict[str, Any]:
        return {
            "candidates": [one.as_dict() for one in self.candidates],
            "compared": self.compared,
            "kendall": self.kendall,
            "ci95": as_list(self.ci95),
            "spearman": self.spearman,
            "open_tasks": self.open_tasks,
            "private_tasks": self.private_tasks,
            "resamples": self.resamples,
            "why": as_reasons(self.why),
        }


def compare_halves(
    open_half: Scores,
    private_half: Scores,
    *,
    seed: int = 0,
    resamples: int = bootstrap.RESAMPLES,
    alpha: float = ALPHA,
) -> HalvesReport:
    """Compare candidates' scores on two disjoint sets of tasks.

    Tasks of each half are resampled independently of the other half, and all candidates with the
    same draws, so that their leads stay paired by task.

    Raises:
        ValueError: `resamples` is below 1, or a score is not finite.
    """
    if resamples < 1:
        raise ValueError("a comparison needs at least one resample")
    names = sorted({*open_half, *private_half})
    halves = [_matrix(names, half) for half in (open_half, private_half)]
    # With many candidates the smallest p-value has to stay significant after the correction.
    taken = max(resamples, math.ceil(4 * len(names) / alpha))
    seeds = (seed, seed + _PRIVATE_SEED)
    means = [_column_means(half) for half in halves]
    resampled = [_resampled(half, s, resamples) for half, s in zip(halves, seeds, strict=True)]
    tests = _drifts([_leads(half) for half in halves], seeds, resamples, taken)
    raw = [test[2] for test in tests]
    tested = [n for n, p in enumerate(raw) if p is not None]
    adjusted = dict(zip(tested, holm([raw[n] or 0.0 for n in tested]), strict=True))
    ranks = [_ranks(column) for column in means]
    counts = [(~np.isnan(half)).sum(axis=0).tolist() for half in halves]
    found = []
    for n, name in enumerate(names):
        drift, interval, p_value, why = tests[n]
        p_holm = adjusted.get(n)
        first, second = means[0][n], means[1][n]
        known = first is not None and second is not None
        found.append(
            Drift(
                candidate=name,
                open_tasks=counts[0][n],
                private_tasks=counts[1][n],
                open_mean=first,
                private_mean=second,
                open_rank=ranks[0][n],
                private_rank=ranks[1][n],
                difference=first - second if known else None,  # type: ignore[operator]
                drift=drift,
                ci95=interval,
                p_value=p_value,
                p_holm=p_holm,
                drifts=bool(drift and drift > 0 and p_holm is not None and p_holm <= alpha),
                why=why if known else why | {"difference": Reason.NO_SCORES},
            )
        )
    found.sort(key=lambda one: (one.open_mean is None, -(one.open_mean or 0), one.candidate))
    return _report(found, means, resampled, halves, taken)


def _report(
    found: Sequence[Drift],
    means: Sequence[Sequence[float | None]],
    resampled: Sequence[Floats],
    halves: Sequence[Floats],
    taken: int,
) -> HalvesReport:
    both = [n for n, pair in enumerate(zip(*means, strict=True)) if None not in pair]
    why: dict[str, Reason] = {}
    kendall = spearman = interval = None
    if len(both) < FEWEST_CANDIDATES:
        why = dict.fromkeys(("kendall", "spearman", "ci95"), Reason.FEW_CANDIDATES)
    else:
        pairs = [(means[0][n] or 0.0, means[1][n]) for n in both]
        report = correlations(pairs)
        kendall, spearman = report.kendall, report.spearman
        why = {name: report.why[name] for name in ("kendall", "spearman") if name in report.why}
        fewest = min((~np.isnan(half[:, both])).any(axis=1).sum() for half in halves)
        if kendall is None:
            why["ci95"] = why["kendall"]
        else:
            taus = _taus(resampled[0][:, both], resampled[1][:, both])
            interval, reason = bootstrap.interval(taus, int(fewest))
            why |= reasons({"ci95": reason})
    return HalvesReport(
        candidates=tuple(found),
        compared=len(both),
        kendall=kendall,
        ci95=interval,
        spearman=spearman,
        open_tasks=len(halves[0]),
        private_tasks=len(halves[1]),
        resamples=taken,
        why=why,
    )


def _matrix(names: Sequence[str], half: Scores) -> Floats:
    """Return the scores as (tasks, candidates), NaN where there is none."""
    tasks = sorted(
        {task for scores in half.values() for task, score in scores.items() if score is not None},
        key=task_order,
    )
    rows = [
        [
            np.nan if (score := half.get(name, {}).get(task)) is None else float(score)
            for name in names
        ]
        for task in tasks
    ]
    matrix = np.array(rows, dtype=np.float64).reshape(len(tasks), len(names))
    if np.isinf(matrix).any():
        raise ValueError("a score is a finite number or None")
    return matrix


def _column_means(half: Floats) -> list[float | None]:
    columns = (column[~np.isnan(column)].tolist() for column in half.T)
    return [fmean(column) if column else None for column in columns]


def _ranks(means: Sequence[float | None]) -> list[int | None]:
    """Return ranks from 1 by falling mean; equal means share the better rank."""
    known = [round(mean, 12) for mean in means if mean is not None]
    return [
        None if mean is None else 1 + sum(other > round(mean, 12) for other in known)
        for mean in means
    ]


def _resampled(matrix: Floats, seed: int, resamples: int) -> Floats:
    """Return resampled means: (resamples, columns), NaN where no task of a column was drawn."""
    known = ~np.isnan(matrix)
    rows = np.hstack([np.where(known, matrix, 0.0), known.astype(np.float64)])
    if not len(matrix):
        return np.full((resamples, matrix.shape[1]), np.nan)
    sums = bootstrap.resampled_rows(rows, seed=seed, resamples=resamples)
    columns = matrix.shape[1]
    return bootstrap.ratio(sums[:, :columns], sums[:, columns:])


def _leads(half: Floats) -> Floats:
    """Return each score minus the mean of the other candidates' scores on the same task."""
    known = ~np.isnan(half)
    filled = np.where(known, half, 0.0)
    others = known.sum(axis=1, keepdims=True) - known
    rest = bootstrap.ratio(filled.sum(axis=1, keepdims=True) - filled, others.astype(np.float64))
    return half - rest


_Test = tuple[float | None, Interval | None, float | None, dict[str, Reason]]


def _drifts(leads: Sequence[Floats], seeds: tuple[int, int], asked: int, taken: int) -> list[_Test]:
    """Return the drift of each candidate with interval, two-sided p-value and reasons.

    The p-value is twice the share of resamples on the other side of 0, but at least the tail of
    Student's t for two samples with the degrees of freedom of the smaller half: with few tasks a
    bootstrap alone is too sure of itself (docs/decisions/0011-measuring.md).
    """
    drawn = [_resampled(lead, seed, taken) for lead, seed in zip(leads, seeds, strict=True)]
    found: list[_Test] = []
    for n in range(leads[0].shape[1]):
        columns = [lead[~np.isnan(lead[:, n]), n] for lead in leads]
        if not all(column.size for column in columns):
            found.append(_untested(None, Reason.NO_SCORES))
            continue
        drift = fmean(columns[0].tolist()) - fmean(columns[1].tolist())
        fewest = min(column.size for column in columns)
        if fewest < FEWEST_TASKS:
            found.append(_untested(drift, Reason.FEW_TASKS))
            continue
        differences = drawn[0][:, n] - drawn[1][:, n]
        differences = differences[~np.isnan(differences)]
        least = min((differences <= 0).sum(), (differences >= 0).sum())
        share = (int(least) + 1) / (differences.size + 1)
        p_value = min(1.0, max(2 * share, _t_tail(drift, columns, fewest)))
        interval, reason = bootstrap.interval(differences[:asked], fewest)
        found.append((drift, interval, p_value, reasons({"ci95": reason})))
    return found


def _untested(drift: float | None, reason: Reason) -> _Test:
    names = ("ci95", "p_value") if drift is not None else ("drift", "ci95", "p_value")
    return drift, None, None, dict.fromkeys(names, reason)


def _t_tail(drift: float, columns: Sequence[Floats], fewest: int) -> float:
    error = math.sqrt(sum(float(column.var(ddof=1)) / column.size for column in columns))
    if error < 1e-9:
        # Without any spread nothing can be tested: a difference of all tasks by chance is 1 in 2^n.
        return 1.0 if abs(drift) < 1e-9 else 2.0 ** (1 - fewest)
    return max(0.0, 1.0 - tests.central_probability(abs(drift) / error, fewest - 1))


def _taus(first: Floats, second: Floats) -> Floats:
    """Return tau-b of each pair of rows; NaN where all of a row are equal or one is missing."""
    found = []
    rows, columns = np.triu_indices(first.shape[1], 1)
    for start in range(0, len(first), _BLOCK):
        signs = [
            np.sign(np.round(half[start : start + _BLOCK][:, rows], 12)
                    - np.round(half[start : start + _BLOCK][:, columns], 12))
            for half in (first, second)
        ]  # fmt: skip
        strict = [np.abs(sign).sum(axis=1) for sign in signs]
        found.append(
            bootstrap.ratio((signs[0] * signs[1]).sum(axis=1), np.sqrt(strict[0] * strict[1]))
        )
    return np.concatenate(found)
