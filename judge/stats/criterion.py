"""CDR at the level of criteria, and the statistics that must stand beside it.

A cell is one criterion of one response: what the experts said, and what the judge said or did
not say. Which cells enter which statistic:

- CDR, weighted CDR, base rate, coverage: every cell. An abstained or failed verdict counts 0 in
  the CDR: neither agreement nor disagreement.
- J, kappa, AC1, macro-F1, the confusion: only cells with a verdict of the judge.

Sources: W. J. Youden, Cancer 3 (1950) for J; J. Cohen, Educ. Psychol. Meas. 20 (1960) for kappa;
K. L. Gwet, Br. J. Math. Stat. Psychol. 61 (2008) for AC1.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from judge.stats import bootstrap
from judge.stats.numbers import Interval, TaskId, as_float, as_list, as_reasons, task_order
from judge.stats.reasons import Why

_NOT_JUDGED = -1


class Cell(NamedTuple):
    """`expert` is 0 or 1; `judge` is 0, 1 or None (abstained or failed)."""

    task: TaskId
    expert: int
    judge: int | None
    weight: int = 1


@dataclass(frozen=True, slots=True)
class Confusion:
    """Counts of cells; the first word is the experts' verdict, the second the judge's."""

    met_met: int = 0
    met_unmet: int = 0
    unmet_met: int = 0
    unmet_unmet: int = 0
    met_missing: int = 0
    unmet_missing: int = 0

    @property
    def too_kind(self) -> int:
        """Cells the judge lets pass although the experts do not."""
        return self.unmet_met

    @property
    def too_strict(self) -> int:
        """Cells the judge refuses although the experts let them pass."""
        return self.met_unmet

    @property
    def judged(self) -> int:
        return self.met_met + self.met_unmet + self.unmet_met + self.unmet_unmet

    @property
    def cells(self) -> int:
        return self.judged + self.met_missing + self.unmet_missing

    @property
    def agree(self) -> int:
        return self.met_met + self.unmet_unmet


@dataclass(frozen=True, slots=True)
class CriterionReport:
    """The report at criterion level; what is None has its reason in `why`."""

    cells: int
    tasks: int
    confusion: Confusion
    cdr: Fraction | None
    cdr_weighted: Fraction | None
    j: Fraction | None
    j_ci95: Interval | None
    kappa: Fraction | None
    ac1: Fraction | None
    macro_f1: Fraction | None
    base_rate: Fraction | None
    coverage: Fraction | None
    why: Mapping[str, Why]

    def as_dict(self) -> dict[str, Any]:
        """Plain numbers for JSON, under the names of `alignment --json`."""
        return {
            "cdr": as_float(self.cdr),
            "cdr_weighted": as_float(self.cdr_weighted),
            "j": as_float(self.j),
            "j_ci95": as_list(self.j_ci95),
            "kappa": as_float(self.kappa),
            "ac1": as_float(self.ac1),
            "macro_f1": as_float(self.macro_f1),
            "base_rate": as_float(self.base_rate),
            "coverage": as_float(self.coverage),
            "cells": self.cells,
            "tasks": self.tasks,
            "too_kind": self.confusion.too_kind,
            "too_strict": self.confusion.too_strict,
            "why": as_reasons(self.why),
        }


def criterion(
    cells: Iterable[Cell], *, seed: int = 0, resamples: int = bootstrap.RESAMPLES
) -> CriterionReport:
    """The report over all cells. The interval is that of J, resampling tasks.

    Raises ValueError for an expert verdict other than 0 and 1, a judge verdict other than 0, 1
    and None, or a weight that is not a whole number of at least 0.
    """
    return tabulate(cells).report(seed=seed, resamples=resamples)


@dataclass(frozen=True, slots=True)
class Table:
    """Checked cells as columns of equal length, so that many groups of them cost one reading.

    Task codes count in `task_order`, so a group keeps the order its resampling depends on.
    """

    tasks: NDArray[np.int64]
    experts: NDArray[np.int64]
    judges: NDArray[np.int64]
    weights: NDArray[np.int64]

    def where(self, chosen: NDArray[np.bool_]) -> "Table":
        """The cells at which `chosen`, of the same length, is true."""
        return Table(
            self.tasks[chosen], self.experts[chosen], self.judges[chosen], self.weights[chosen]
        )

    def report(self, *, seed: int = 0, resamples: int = bootstrap.RESAMPLES) -> CriterionReport:
        """As `criterion`, over these cells."""
        if not self.tasks.size:
            return _empty()
        _codes, tasks = np.unique(self.tasks, return_inverse=True)
        return _report(tasks, self.experts, self.judges, self.weights, seed, resamples)


def tabulate(cells: Iterable[Cell]) -> Table:
    """The cells as a table. Raises ValueError as `criterion` does."""
    rows = list(cells)
    if not rows:
        nothing = np.zeros(0, dtype=np.int64)
        return Table(nothing, nothing, nothing, nothing)
    return Table(*_columns(rows))


def _report(
    tasks: NDArray[np.int64],
    experts: NDArray[np.int64],
    judges: NDArray[np.int64],
    weights: NDArray[np.int64],
    seed: int,
    resamples: int,
) -> CriterionReport:
    counts = _count_by_task(tasks, experts, judges)
    confusion = _confusion(counts.sum(axis=0))
    why: dict[str, Why] = {}

    signs = np.where(judges == _NOT_JUDGED, 0, np.where(judges == experts, 1, -1))
    weight = int(weights.sum())
    if weight == 0:
        why["cdr_weighted"] = Why.NO_WEIGHT

    j = _j(confusion)
    j_ci95 = None
    if j is None:
        why["j"] = why["j_ci95"] = Why.ONE_CLASS if confusion.judged else Why.NONE_JUDGED
    elif reason := bootstrap.reason(int(counts[:, :4].any(axis=1).sum()), resamples):
        why["j_ci95"] = reason
    else:
        j_ci95 = _j_interval(counts, seed, resamples)

    kappa, ac1, macro_f1 = _kappa(confusion), _ac1(confusion), _macro_f1(confusion)
    for name, value in (("kappa", kappa), ("ac1", ac1), ("macro_f1", macro_f1)):
        if value is None:
            why[name] = Why.ONE_CLASS if confusion.judged else Why.NONE_JUDGED

    met = confusion.met_met + confusion.met_unmet + confusion.met_missing
    return CriterionReport(
        cells=len(tasks),
        tasks=len(counts),
        confusion=confusion,
        cdr=Fraction(int(signs.sum()), len(tasks)),
        cdr_weighted=Fraction(int((signs * weights).sum()), weight) if weight else None,
        j=j,
        j_ci95=j_ci95,
        kappa=kappa,
        ac1=ac1,
        macro_f1=macro_f1,
        base_rate=Fraction(met, len(tasks)),
        coverage=Fraction(confusion.judged, len(tasks)),
        why=why,
    )


def _columns(rows: list[Cell]) -> tuple[NDArray[np.int64], ...]:
    codes = {task: code for code, task in enumerate(sorted({r[0] for r in rows}, key=task_order))}
    tasks = np.array([codes[row[0]] for row in rows], dtype=np.int64)
    experts = np.array([row[1] for row in rows])
    judges = np.array([_NOT_JUDGED if row[2] is None else row[2] for row in rows])
    weights = np.array([row[3] for row in rows])
    if experts.dtype.kind not in "bi" or not np.isin(experts, (0, 1)).all():
        raise ValueError("an expert verdict on a criterion is 0 or 1")
    given = judges[[row[2] is not None for row in rows]]
    if judges.dtype.kind not in "bi" or not np.isin(given, (0, 1)).all():
        raise ValueError("a judge verdict on a criterion is 0, 1 or None")
    if weights.dtype.kind != "i" or weights.min() < 0:
        raise ValueError("a weight is a whole number of at least 0")
    return tasks, experts.astype(np.int64), judges.astype(np.int64), weights.astype(np.int64)


def _count_by_task(
    tasks: NDArray[np.int64], experts: NDArray[np.int64], judges: NDArray[np.int64]
) -> NDArray[np.int64]:
    """Shape (tasks, 6): the fields of Confusion, in their order."""
    kind = np.where(judges == _NOT_JUDGED, 5 - experts, 3 - 2 * experts - judges)
    return np.bincount(tasks * 6 + kind, minlength=6 * (int(tasks.max()) + 1)).reshape(-1, 6)


def _confusion(row: NDArray[np.int64]) -> Confusion:
    return Confusion(*(int(count) for count in row))


def _j(c: Confusion) -> Fraction | None:
    """Youden's J = TPR - FPR; undefined where the experts give only one of the verdicts."""
    met, unmet = c.met_met + c.met_unmet, c.unmet_met + c.unmet_unmet
    if met == 0 or unmet == 0:
        return None
    return Fraction(c.met_met, met) - Fraction(c.unmet_met, unmet)


def _j_interval(counts: NDArray[np.int64], seed: int, resamples: int) -> Interval | None:
    rows = counts[:, :4].astype(np.float64)
    met_met, met_unmet, unmet_met, unmet_unmet = bootstrap.resampled_rows(
        rows, seed=seed, resamples=resamples
    ).T
    tpr = bootstrap.ratio(met_met, met_met + met_unmet)
    fpr = bootstrap.ratio(unmet_met, unmet_met + unmet_unmet)
    contributing = int(counts[:, :4].any(axis=1).sum())
    return bootstrap.percentile_interval(tpr - fpr, contributing)


def _kappa(c: Confusion) -> Fraction | None:
    """Cohen's kappa; undefined where both say the same one thing throughout (0 / 0)."""
    if c.judged == 0:
        return None
    expert = Fraction(c.met_met + c.met_unmet, c.judged)
    judge = Fraction(c.met_met + c.unmet_met, c.judged)
    chance = expert * judge + (1 - expert) * (1 - judge)
    return None if chance == 1 else (Fraction(c.agree, c.judged) - chance) / (1 - chance)


def _ac1(c: Confusion) -> Fraction | None:
    """Gwet's AC1 over the two classes; chance is at most 1/2, so only no cells undefine it."""
    if c.judged == 0:
        return None
    prevalence = Fraction(2 * c.met_met + c.met_unmet + c.unmet_met, 2 * c.judged)
    chance = 2 * prevalence * (1 - prevalence)
    return (Fraction(c.agree, c.judged) - chance) / (1 - chance)


def _macro_f1(c: Confusion) -> Fraction | None:
    """Mean F1 of the two classes; undefined where a class occurs on neither side (0 / 0)."""
    disagree = c.met_unmet + c.unmet_met
    met, unmet = 2 * c.met_met + disagree, 2 * c.unmet_unmet + disagree
    if met == 0 or unmet == 0:
        return None
    return (Fraction(2 * c.met_met, met) + Fraction(2 * c.unmet_unmet, unmet)) / 2


def _empty() -> CriterionReport:
    undefined = ("cdr", "cdr_weighted", "j", "j_ci95", "kappa", "ac1", "macro_f1")
    return CriterionReport(
        cells=0,
        tasks=0,
        confusion=Confusion(),
        cdr=None,
        cdr_weighted=None,
        j=None,
        j_ci95=None,
        kappa=None,
        ac1=None,
        macro_f1=None,
        base_rate=None,
        coverage=None,
        why=dict.fromkeys((*undefined, "base_rate", "coverage"), Why.NO_CELLS),
    )
