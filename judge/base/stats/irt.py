"""Abilities of versions and parameters of tasks from an incomplete score matrix. No Django.

The model and its estimation are in `irt_model`, what has no estimate in `irt_cells`, scale and
uncertainty in `irt_report`.
"""

from dataclasses import dataclass, field

import numpy as np

from judge.base.stats.irt_cells import Mask, Matrix, usable
from judge.base.stats.irt_model import Data, Groups, estimate, probability
from judge.base.stats.irt_report import Ability, TaskFit, pools, report

__all__ = ["Ability", "Fit", "Groups", "Matrix", "TaskFit", "fit", "probability"]


@dataclass(frozen=True, slots=True)
class Fit:
    """A fitted index.

    Attributes:
        linked: the rows that no task connects with the reference, but a version does.
        log_likelihood: marginal, without the priors; None if nothing could be fitted.
        dispersion: of graded scores; 1.0 where all scores are 0 or 1.
        pooled: whether the spread 1 is that of all periods around their means, because the
            reference has fewer than ten versions.
        contrasts: the covariance of the estimates that exist, in their order, for comparing them
            with each other (see `irt_report.Report`).
    """

    abilities: list[Ability]
    tasks: list[TaskFit]
    linked: Mask
    log_likelihood: float | None
    cells_used: int
    dispersion: float
    pooled: bool
    steps: int
    contrasts: Matrix = field(default_factory=lambda: np.zeros((0, 0)))


def fit(scores: Matrix, groups: Groups, versions: Groups, reference: int) -> Fit:
    """Fit abilities and tasks.

    Args:
        scores: rows (a version in a period) x tasks, 0 to 1, NaN where not measured.
        groups: the number of the period of each row, in order of time.
        versions: the number of the version of each row.
        reference: the period whose abilities have mean 0 and standard deviation 1.

    Returns:
        One ability for each row, one task fit for each column; those without an estimate have
        their reason. With fewer than ten usable rows in the reference, the standard
        deviation 1 is that of all rows around the means of their periods.

    Raises:
        ValueError: a score is not between 0 and 1.
    """
    if ((scores < 0) | (scores > 1)).any():
        raise ValueError("a score is not between 0 and 1")
    in_use = usable(scores, versions, groups == reference)
    rows, columns = np.flatnonzero(in_use.rows), np.flatnonzero(in_use.columns)
    measured = (~np.isnan(scores)).sum(axis=0)
    abilities = [Ability(None, None, None, why) for why in in_use.why_rows]
    tasks = [
        TaskFit(None, None, None, None, None, None, int(n), why)
        for n, why in zip(measured, in_use.why_columns, strict=True)
    ]
    if not len(rows):
        return Fit(abilities, tasks, in_use.linked, None, 0, 1.0, False, 0)
    data = Data(scores[np.ix_(rows, columns)], groups[rows], versions[rows])
    state, steps = estimate(data)
    told = report(data, state, reference)
    for at, ability in zip(rows, told.abilities, strict=True):
        abilities[at] = ability
    for at, task in zip(columns, told.tasks, strict=True):
        if in_use.why_columns[at] is None:
            tasks[at] = task
    return Fit(
        abilities,
        tasks,
        in_use.linked,
        state.log_likelihood,
        int(data.measured.sum()),
        data.dispersion,
        pools(groups[rows] == reference),
        steps,
        told.contrasts,
    )
