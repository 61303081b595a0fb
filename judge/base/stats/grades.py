"""Agreement of two raters who grade on a scale of k steps.

Every figure is a function of the k × k table that counts how often the first rater's grade met the
second's, so that a resample of tasks is a sum of tables.

Weighted kappa: J. Cohen, Psychological Bulletin 70 (1968). Tau-b: M. G. Kendall, Biometrika 33
(1945). Spearman's correlation is Pearson's of mean ranks.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from judge.base.stats import bootstrap
from judge.base.stats.numbers import Interval, Reason, TaskId, as_list, as_reasons, reasons

STEPS = 5
Floats = NDArray[np.float64]
Graded = tuple[TaskId, int, int | None]  # task, first rater's grade, second's or None

_NAMES = ("exact", "within_one", "kappa", "kappa_linear", "spearman", "kendall", "bias", "mae")
_WITH_INTERVAL = ("kappa", "spearman", "bias")


@dataclass(frozen=True, slots=True)
class GradeReport:
    """The agreement of two raters' grades; a None has its reason in `why`.

    Attributes:
        pairs: gradings that both raters gave.
        missing: gradings of the first rater without one of the second.
        tasks: tasks with such a pair.
        values: figure -> value. `exact` and `within_one` are shares from 0 to 1; `kappa` has
            quadratic weights; `bias` is the second rater's mean grade minus the first's, and `mae`
            the mean distance, in steps.
        ci95: figure -> 95 % interval over resampled tasks, of those with one.
    """

    pairs: int
    missing: int
    tasks: int
    values: Mapping[str, float | None]
    ci95: Mapping[str, Interval | None]
    why: Mapping[str, Reason]

    def as_dict(self) -> dict[str, Any]:
        """Return plain numbers for JSON."""
        return {
            "pairs": self.pairs,
            "missing": self.missing,
            "tasks": self.tasks,
            **self.values,
            "ci95": {name: as_list(interval) for name, interval in self.ci95.items()},
            "why": as_reasons(self.why),
        }


def grade_report(
    rows: Iterable[Graded], *, seed: int = 0, resamples: int = bootstrap.RESAMPLES
) -> GradeReport:
    """Compute the agreement of two raters.

    Args:
        rows: (task, the first rater's grade, the second's or None) with grades from 1 to STEPS.

    Raises:
        ValueError: a grade is outside of the scale.
    """
    tables: dict[TaskId, NDArray[np.float64]] = {}
    pairs = missing = 0
    for task, first, second in rows:
        if not 1 <= first <= STEPS or (second is not None and not 1 <= second <= STEPS):
            raise ValueError(f"a grade runs from 1 to {STEPS}, not {first}, {second}")
        if second is None:
            missing += 1
            continue
        pairs += 1
        table = tables.setdefault(task, np.zeros(STEPS * STEPS))
        table[(first - 1) * STEPS + second - 1] += 1
    if not pairs:
        why = Reason.NONE_JUDGED if missing else Reason.NO_SCORES
        return GradeReport(
            0, missing, 0, dict.fromkeys(_NAMES), dict.fromkeys(_WITH_INTERVAL),
            dict.fromkeys(_NAMES, why),
        )  # fmt: skip
    found = _figures(np.sum(list(tables.values()), axis=0)[np.newaxis])
    values = {name: _number(found[name][0]) for name in _NAMES}
    undefined = {
        name: Reason.ONE_CLASS if name.startswith("kappa") else Reason.CONSTANT
        for name, value in values.items()
        if value is None
    }
    ci95: dict[str, Interval | None] = dict.fromkeys(_WITH_INTERVAL)
    sums = bootstrap.resampled_sums(
        {task: tuple(table) for task, table in tables.items()}, seed=seed, resamples=resamples
    )
    drawn = _figures(sums)
    for name in _WITH_INTERVAL:
        if values[name] is not None:
            ci95[name], reason = bootstrap.interval(drawn[name], len(tables))
            undefined |= reasons({f"{name}_ci95": reason})
    return GradeReport(pairs, missing, len(tables), values, ci95, undefined)


def both_directions(
    graded: Iterable[tuple[TaskId, Mapping[Any, int]]],
) -> list[Graded]:
    """Return every two raters' grades of one response as pairs, once in each direction.

    Figures of them do not depend on an order of the raters.

    Args:
        graded: (task, rater -> grade) of each response.
    """
    found: list[Graded] = []
    for task, given in graded:
        raters = sorted(given, key=str)
        found += [
            (task, given[one], given[other]) for one in raters for other in raters if one != other
        ]
    return found


def _figures(tables: Floats) -> dict[str, Floats]:
    """Return the figures of tables of shape (n, STEPS²); NaN where one is undefined."""
    counts = tables.reshape(-1, STEPS, STEPS)
    total = counts.sum(axis=(1, 2))
    rows, columns = counts.sum(axis=2), counts.sum(axis=1)
    steps = np.arange(STEPS, dtype=np.float64)
    gap = steps[np.newaxis, :] - steps[:, np.newaxis]  # second minus first
    expected = rows[:, :, np.newaxis] * columns[:, np.newaxis, :]

    def kappa(weights: Floats) -> Floats:
        observed = (counts * weights).sum(axis=(1, 2))
        return 1 - bootstrap.ratio(observed * total, (expected * weights).sum(axis=(1, 2)))

    return {
        "exact": bootstrap.ratio((counts * (gap == 0)).sum(axis=(1, 2)), total),
        "within_one": bootstrap.ratio((counts * (np.abs(gap) <= 1)).sum(axis=(1, 2)), total),
        "kappa": kappa(gap**2),
        "kappa_linear": kappa(np.abs(gap)),
        "spearman": _spearman(counts, rows, columns, total),
        "kendall": _kendall(counts, rows, columns, total),
        "bias": bootstrap.ratio((counts * gap).sum(axis=(1, 2)), total),
        "mae": bootstrap.ratio((counts * np.abs(gap)).sum(axis=(1, 2)), total),
    }


def _spearman(counts: Floats, rows: Floats, columns: Floats, total: Floats) -> Floats:
    def ranks(margin: Floats) -> Floats:
        """Return the mean rank of each step, centred on the mean of all ranks."""
        below = np.cumsum(margin, axis=1) - margin
        return below + (margin + 1) / 2 - (total[:, np.newaxis] + 1) / 2

    first, second = ranks(rows), ranks(columns)
    product = np.einsum("nij,ni,nj->n", counts, first, second)
    spread = (rows * first**2).sum(axis=1) * (columns * second**2).sum(axis=1)
    return bootstrap.ratio(product, np.sqrt(spread))


def _kendall(counts: Floats, rows: Floats, columns: Floats, total: Floats) -> Floats:
    # Pairs in which the second gave more where the first gave more, minus those the other way.
    concordant = np.zeros(len(counts))
    discordant = np.zeros(len(counts))
    for i in range(STEPS):
        for j in range(STEPS):
            concordant += counts[:, i, j] * counts[:, i + 1 :, j + 1 :].sum(axis=(1, 2))
            discordant += counts[:, i, j] * counts[:, i + 1 :, :j].sum(axis=(1, 2))
    pairs = total * (total - 1) / 2
    tied_first = (rows * (rows - 1) / 2).sum(axis=1)
    tied_second = (columns * (columns - 1) / 2).sum(axis=1)
    return bootstrap.ratio(
        concordant - discordant, np.sqrt((pairs - tied_first) * (pairs - tied_second))
    )


def _number(value: Any) -> float | None:
    return None if np.isnan(value) else float(value)
