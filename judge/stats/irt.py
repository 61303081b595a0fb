"""Abilities of versions and parameters of tasks from an incomplete score matrix. No Django.

The model and its estimation are in `irt_model`, what has no estimate in `irt_cells`, scale and
uncertainty in `irt_report`.
"""

from dataclasses import dataclass, field

import numpy as np

from judge.stats.irt_cells import Matrix, usable
from judge.stats.irt_model import Data, Groups, estimate, probability
from judge.stats.irt_report import Ability, TaskFit, report

__all__ = ["Ability", "Fit", "Groups", "Matrix", "TaskFit", "fit", "probability"]


@dataclass(frozen=True, slots=True)
class Fit:
    """A fitted index.

    Attributes:
        log_likelihood: marginal, without the priors; None if nothing could be fitted.
        dispersion: of graded scores; 1.0 where all scores are 0 or 1.
        one_in_reference: whether the spread 1 is that of all periods around their means, because
            the reference has one version alone.
        contrasts: the covariance of the estimates that exist, in their order, for comparing them
            with each other (see `irt_report.Report`).
    """

    abilities: list[Ability]
    tasks: list[TaskFit]
    log_likelihood: float | None
    cells_used: int
    dispersion: float
    one_in_reference: bool
    steps: int
    contrasts: Matrix = field(default_factory=lambda: np.zeros((0, 0)))


def fit(scores: Matrix, groups: Groups, reference: int) -> Fit:
    """Fit abilities and tasks.

    Args:
        scores: rows (a version in a period) x tasks, 0 to 1, NaN where not measured.
        groups: the number of the period of each row.
        reference: the period whose abilities have mean 0 and standard deviation 1.

    Returns:
        One ability for each row, one task fit for each column; those without an estimate have
        their reason. With one usable row in the reference its ability is 0, and the standard
        deviation 1 is that of all rows around the means of their periods.
    """
    in_use = usable(scores, groups == reference)
    rows, columns = np.flatnonzero(in_use.rows), np.flatnonzero(in_use.columns)
    measured = (~np.isnan(scores)).sum(axis=0)
    abilities = [Ability(None, None, None, why) for why in in_use.why_rows]
    tasks = [
        TaskFit(None, None, None, None, None, None, int(n), why)
        for n, why in zip(measured, in_use.why_columns, strict=True)
    ]
    if not len(rows) or not len(columns):
        return Fit(abilities, tasks, None, 0, 1.0, False, 0)
    data = Data(scores[np.ix_(rows, columns)], groups[rows], reference)
    state, steps = estimate(data)
    if data.graded.any():
        for _again in range(2):
            data.disperse(state)
            state, more = estimate(data, state)
            steps += more
    told = report(data, state)
    for at, ability in zip(rows, told.abilities, strict=True):
        abilities[at] = ability
    for at, task in zip(columns, told.tasks, strict=True):
        tasks[at] = task
    return Fit(
        abilities,
        tasks,
        state.log_likelihood,
        int(data.measured.sum()),
        data.dispersion,
        data.one_in_reference,
        steps,
        told.contrasts,
    )
