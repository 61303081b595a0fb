"""CDR at the level of criteria and related statistics.

A cell is one criterion of one response, with the experts' verdict and the judge's verdict, if any.
The statistics count these cells:

- CDR, weighted CDR, base rate, coverage: all cells. An abstained or failed verdict counts as 0 in
  the CDR, neither as agreement nor as disagreement.
- J, kappa, AC1, macro-F1, confusion: cells with a verdict of the judge.

Sources: W. J. Youden, Cancer 3 (1950) for J; J. Cohen, Educ. Psychol. Meas. 20 (1960) for kappa;
K. L. Gwet, Br. J. Math. Stat. Psychol. 61 (2008) for AC1.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from judge.base.stats import bootstrap
from judge.base.stats.numbers import (
    Interval,
    Reason,
    TaskId,
    as_float,
    as_list,
    as_reasons,
    reasons,
    task_order,
)

_NOT_JUDGED = -1


class Cell(NamedTuple):
    """A cell; `expert` is 0 or 1, `judge` is 0, 1 or None (abstained or failed)."""

    task: TaskId
    expert: int
    judge: int | None
    weight: int = 1


@dataclass(frozen=True, slots=True)
class Confusion:
    """Counts of cells, named by the experts' verdict and then the judge's."""

    met_met: int = 0
    met_unmet: int = 0
    unmet_met: int = 0
    unmet_unmet: int = 0
    met_missing: int = 0
    unmet_missing: int = 0

    @property
    def too_kind(self) -> int:
        """Return the cells that the judge calls met and the experts unmet."""
        return self.unmet_met

    @property
    def too_strict(self) -> int:
        """Return the cells that the judge calls unmet and the experts met."""
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
    """The statistics at the level of criteria; a None has its reason in `why`."""

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
    why: Mapping[str, Reason]

    @property
    def accuracy(self) -> Fraction | None:
        """The share of cells on which both say the same; a gap is wrong."""
        return Fraction(self.confusion.agree, self.cells) if self.cells else None

    def as_dict(self) -> dict[str, Any]:
        """Return plain numbers for JSON, by the names of `alignment --json`."""
        return {
            "cdr": as_float(self.cdr),
            "accuracy": as_float(self.accuracy),
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
    cells: Iterable[Cell],
    *,
    seed: int = 0,
    resamples: int = bootstrap.RESAMPLES,
    nothing: Reason = Reason.NO_CELLS,
) -> CriterionReport:
    """Compute the report over all cells; the interval of J resamples tasks.

    Args:
        nothing: why nothing is known if there are no cells.

    Raises:
        ValueError: an expert's verdict is not 0 or 1, a judge's not 0, 1 or None, or a weight is
            not a whole number of at least 0.
    """
    return tabulate(cells).report(seed=seed, resamples=resamples, nothing=nothing)


@dataclass(frozen=True, slots=True)
class Table:
    """Checked cells as columns of equal length, from which groups can be taken without rereading.

    Task codes are numbered in `task_order`, so that a group keeps the order that its resampling
    depends on.
    """

    tasks: NDArray[np.int64]
    experts: NDArray[np.int64]
    judges: NDArray[np.int64]
    weights: NDArray[np.int64]

    def where(self, chosen: NDArray[np.bool_]) -> "Table":
        """Return the cells at which `chosen`, an array of the same length, is true."""
        return Table(
            self.tasks[chosen], self.experts[chosen], self.judges[chosen], self.weights[chosen]
        )

    def report(
        self,
        *,
        seed: int = 0,
        resamples: int = bootstrap.RESAMPLES,
        nothing: Reason = Reason.NO_CELLS,
    ) -> CriterionReport:
        """Compute the report over these cells; see `criterion`."""
        if not self.tasks.size:
            return _empty(nothing)
        _codes, tasks = np.unique(self.tasks, return_inverse=True)
        return _report(tasks, self.experts, self.judges, self.weights, seed, resamples)


def tabulate(cells: Iterable[Cell]) -> Table:
    """Return the cells as a table.

    Raises:
        ValueError: as `criterion`.
    """
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
    why: dict[str, Reason] = {}

    signs = np.where(judges == _NOT_JUDGED, 0, np.where(judges == experts, 1, -1))
    weight = int(weights.sum())
    if weight == 0:
        why["cdr_weighted"] = Reason.NO_WEIGHT

    j = _j(confusion)
    j_ci95 = None
    if j is None:
        why["j"] = why["j_ci95"] = Reason.ONE_CLASS if confusion.judged else Reason.NONE_JUDGED
    else:
        j_ci95, reason = _j_interval(counts, seed, resamples)
        why |= reasons({"j_ci95": reason})

    kappa, ac1, macro_f1 = _kappa(confusion), _ac1(confusion), _macro_f1(confusion)
    for name, value in (("kappa", kappa), ("ac1", ac1), ("macro_f1", macro_f1)):
        if value is None:
            why[name] = Reason.ONE_CLASS if confusion.judged else Reason.NONE_JUDGED

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
    """Return counts of shape (tasks, 6), in the order of the fields of Confusion."""
    kind = np.where(judges == _NOT_JUDGED, 5 - experts, 3 - 2 * experts - judges)
    return np.bincount(tasks * 6 + kind, minlength=6 * (int(tasks.max()) + 1)).reshape(-1, 6)


def _confusion(row: NDArray[np.int64]) -> Confusion:
    return Confusion(*(int(count) for count in row))


def _j(c: Confusion) -> Fraction | None:
    """Return Youden's J = TPR - FPR; None if the experts give only one of the verdicts."""
    met, unmet = c.met_met + c.met_unmet, c.unmet_met + c.unmet_unmet
    if met == 0 or unmet == 0:
        return None
    return Fraction(c.met_met, met) - Fraction(c.unmet_met, unmet)


def _j_interval(counts: NDArray[np.int64], seed: int, resamples: int) -> bootstrap.Bounds:
    rows = counts[:, :4].astype(np.float64)
    met_met, met_unmet, unmet_met, unmet_unmet = bootstrap.resampled_rows(
        rows, seed=seed, resamples=resamples
    ).T
    tpr = bootstrap.ratio(met_met, met_met + met_unmet)
    fpr = bootstrap.ratio(unmet_met, unmet_met + unmet_unmet)
    contributing = int(counts[:, :4].any(axis=1).sum())
    return bootstrap.interval(tpr - fpr, contributing, span=(-1.0, 1.0))


def _kappa(c: Confusion) -> Fraction | None:
    """Return Cohen's kappa; None if both give the same single verdict throughout (0 / 0)."""
    if c.judged == 0:
        return None
    expert = Fraction(c.met_met + c.met_unmet, c.judged)
    judge = Fraction(c.met_met + c.unmet_met, c.judged)
    chance = expert * judge + (1 - expert) * (1 - judge)
    return None if chance == 1 else (Fraction(c.agree, c.judged) - chance) / (1 - chance)


def _ac1(c: Confusion) -> Fraction | None:
    """Return Gwet's AC1 over the two classes; None only without cells, as chance is at most 1/2."""
    if c.judged == 0:
        return None
    prevalence = Fraction(2 * c.met_met + c.met_unmet + c.unmet_met, 2 * c.judged)
    chance = 2 * prevalence * (1 - prevalence)
    return (Fraction(c.agree, c.judged) - chance) / (1 - chance)


def _macro_f1(c: Confusion) -> Fraction | None:
    """Return the mean F1 of the two classes; None if a class occurs on neither side (0 / 0)."""
    disagree = c.met_unmet + c.unmet_met
    met, unmet = 2 * c.met_met + disagree, 2 * c.unmet_unmet + disagree
    if met == 0 or unmet == 0:
        return None
    return (Fraction(2 * c.met_met, met) + Fraction(2 * c.unmet_unmet, unmet)) / 2


def _empty(why: Reason) -> CriterionReport:
    undefined = ("cdr", "accuracy", "cdr_weighted", "j", "j_ci95", "kappa", "ac1", "macro_f1")
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
        why=dict.fromkeys((*undefined, "base_rate", "coverage"), why),
    )
