"""Two judges on the same lines of the same responses, scored by the same experts.

A cell is one line of one response with an expert's verdict and the verdicts of both judges. A line
without a verdict agrees with nobody. Every difference is second minus first, and its interval
resamples tasks with the same draws for both (paired bootstrap, `judge.base.stats.bootstrap`).
"""

from collections.abc import Iterable
from fractions import Fraction
from typing import Any, NamedTuple

import numpy as np

from judge.base.stats import bootstrap
from judge.base.stats.numbers import Reason, TaskId, reasons, task_order
from judge.base.stats.paired_figures import PairedFigure, PairedLines


class PairedCell(NamedTuple):
    """A cell; `expert` is 0 or 1, `first` and `second` are 0, 1 or None (no verdict)."""

    task: TaskId
    expert: int
    first: int | None
    second: int | None


# Columns of the table of a task: cells, those on which each judge agrees, and of each judge the
# counts named by the experts' verdict and then the judge's.
_CELLS, _AGREE = 0, (1, 2)
_COUNTS = (slice(3, 7), slice(7, 11))
_WIDTH = 11


def compare_lines(
    cells: Iterable[PairedCell], *, seed: int = 0, resamples: int = bootstrap.RESAMPLES
) -> PairedLines:
    """Compare two judges on the same cells.

    Raises:
        ValueError: an expert's verdict is not 0 or 1, or a judge's not 0, 1 or None.
    """
    table = _count(cells)
    if not table:
        nothing = PairedFigure(
            None, None, None, None, 0,
            dict.fromkeys(("first", "second", "difference", "ci95"), Reason.NO_CELLS),
        )  # fmt: skip
        return PairedLines(0, nothing, nothing)
    tasks = sorted(table, key=task_order)
    rows = np.array([table[task] for task in tasks], dtype=np.int64)
    total = [int(value) for value in rows.sum(axis=0)]
    sums = bootstrap.resampled_rows(rows.astype(np.float64), seed=seed, resamples=resamples)

    shares = [Fraction(total[column], total[_CELLS]) for column in _AGREE]
    gaps = bootstrap.ratio(sums[:, _AGREE[1]] - sums[:, _AGREE[0]], sums[:, _CELLS])
    ci95, reason = bootstrap.gap_interval(gaps, len(tasks), most=1.0)
    agreement = PairedFigure(
        first=shares[0],
        second=shares[1],
        difference=shares[1] - shares[0],
        ci95=ci95,
        tasks=len(tasks),
        why=reasons({"ci95": reason}),
    )
    return PairedLines(total[_CELLS], agreement, _paired_j(rows, total, sums))


def _paired_j(rows: Any, total: list[int], sums: Any) -> PairedFigure:
    js = [_j(total[part]) for part in _COUNTS]
    names = ("first", "second")
    decided = [sum(total[part]) for part in _COUNTS]
    why: dict[str, Reason] = {
        name: Reason.ONE_CLASS if many else Reason.NONE_JUDGED
        for name, j, many in zip(names, js, decided, strict=True)
        if j is None
    }
    # A task counts where both judges decided something on it.
    contributing = int((rows[:, _COUNTS[0]].any(axis=1) & rows[:, _COUNTS[1]].any(axis=1)).sum())
    first, second = js
    if first is None or second is None:
        undefined = next(iter(why.values()))
        why |= {"difference": undefined, "ci95": undefined}
        return PairedFigure(first, second, None, None, contributing, why)
    resampled = [_resampled_j(sums[:, part]) for part in _COUNTS]
    ci95, reason = bootstrap.gap_interval(resampled[1] - resampled[0], contributing, most=2.0)
    return PairedFigure(
        first, second, second - first, ci95, contributing, reasons({"ci95": reason})
    )


def _count(cells: Iterable[PairedCell]) -> dict[TaskId, list[int]]:
    table: dict[TaskId, list[int]] = {}
    for task, expert, *judges in cells:
        if expert not in (0, 1) or any(one not in (0, 1, None) for one in judges):
            raise ValueError("a verdict is 0 or 1, a judge's may be None")
        row = table.setdefault(task, [0] * _WIDTH)
        row[_CELLS] += 1
        for judge, agree, counts in zip(judges, _AGREE, _COUNTS, strict=True):
            if judge is not None:
                row[agree] += judge == expert
                row[counts.start + 3 - 2 * expert - judge] += 1
    return table


def _j(counts: list[int]) -> Fraction | None:
    """Return TPR − FPR; None if the experts give only one of the verdicts."""
    met_met, met_unmet, unmet_met, unmet_unmet = counts
    met, unmet = met_met + met_unmet, unmet_met + unmet_unmet
    if not met or not unmet:
        return None
    return Fraction(met_met, met) - Fraction(unmet_met, unmet)


def _resampled_j(counts: Any) -> Any:
    met_met, met_unmet, unmet_met, unmet_unmet = counts.T
    return bootstrap.ratio(met_met, met_met + met_unmet) - bootstrap.ratio(
        unmet_met, unmet_met + unmet_unmet
    )
