"""A fitted model on the scale of the reference: abilities and tasks with their uncertainty.

The errors of the abilities are those of the observed information; those of the scale are added by
the delta method. A task has the mean of its posterior and its spread, plus what the errors of the
abilities add.
"""

from dataclasses import dataclass
from statistics import NormalDist

import numpy as np

from judge.base.stats.irt_cells import Mask, Matrix
from judge.base.stats.irt_model import (
    AtNodes,
    Block,
    Data,
    Groups,
    State,
    Vector,
    at_nodes,
    probability,
    scores_with,
)
from judge.base.stats.numbers import Reason

LEVEL = 0.95
LEAST_FOR_A_UNIT = 10  # rows in the reference, below which all periods give the unit
MOST_LINK_ERROR = 1 / 3  # of a period's mean against the reference's, in logits


@dataclass(frozen=True, slots=True)
class Ability:
    """The ability of a version in a period; all numbers are None where `why` says the reason."""

    theta: float | None
    se: float | None
    ci95: tuple[float, float] | None
    why: Reason | None = None


@dataclass(frozen=True, slots=True)
class TaskFit:
    """Discrimination and difficulty of a task with standard errors, and how well it fits.

    Attributes:
        infit, outfit: mean squares of the residuals, weighted by information and plain, over the
            dispersion: 1 is as expected; above 1 the task is noisier than the model, below it is
            more orderly (B. D. Wright and G. N. Masters, Rating Scale Analysis, 1982, chapter 5).
        versions: how many rows it was measured on.
    """

    a: float | None
    b: float | None
    se_a: float | None
    se_b: float | None
    infit: float | None
    outfit: float | None
    versions: int
    why: Reason | None = None


@dataclass(frozen=True, slots=True)
class Report:
    """Abilities and tasks of a fit.

    Attributes:
        contrasts: the covariance of the abilities that have an estimate, for comparing them with
            each other. The errors of the reference's mean and spread are not in it: the first
            shifts all abilities alike, the second multiplies all differences by one factor.
            Neither changes which of two is the larger, and a difference is in a unit that is
            taken as known.
    """

    abilities: list[Ability]
    tasks: list[TaskFit]
    contrasts: Matrix


@dataclass(frozen=True, slots=True)
class _Scale:
    """A scale: mean 0 and standard deviation 1 of some abilities.

    Attributes:
        by_centre, by_spread: derivatives of centre and spread by the abilities.
    """

    centre: float
    spread: float
    by_centre: Vector
    by_spread: Vector


def report(data: Data, state: State, reference: int) -> Report:
    """Put the estimates on the scale of the reference, with their uncertainty."""
    rows = len(data.groups)
    theta, covariance = state.parameters[:rows], state.covariance[:rows, :rows]
    scale = _scale(data, theta, covariance, data.groups == reference)
    scaled = (theta - scale.centre) / scale.spread
    slopes = (np.eye(rows) - scale.by_centre - np.outer(scaled, scale.by_spread)) / scale.spread
    errors = np.sqrt(np.clip(np.diag(slopes @ covariance @ slopes.T), 0.0, None))
    half = NormalDist().inv_cdf((1 + LEVEL) / 2)
    near = _near(data, covariance, scale)
    abilities = [
        Ability(float(t), float(se), (float(t - half * se), float(t + half * se)))
        if known
        else Ability(None, None, None, Reason.WEAK_LINK)
        for t, se, known in zip(scaled, errors, near, strict=True)
    ]
    around = (np.eye(rows) - 1 / rows) / scale.spread
    contrasts = (around @ covariance @ around.T)[np.ix_(near, near)]
    return Report(abilities, _tasks(data, state, scale), contrasts)


def pools(reference: Mask) -> bool:
    """Tell whether the unit comes from all periods, as the reference has too few versions."""
    return int(reference.sum()) < LEAST_FOR_A_UNIT


def form_of_unit(groups: Groups, reference: Mask) -> Matrix | None:
    """Return the form whose value at the abilities is the square of their spread.

    With few rows in the reference, whose spread may be next to nothing by chance, it is that of all
    rows around the means of their periods. None where no period has two rows.
    """
    same = groups[:, None] == groups[None, :]
    counted = same.sum(axis=1) > 1 if pools(reference) else reference
    if not counted.any():
        return None
    away = (np.eye(len(groups)) - same / same.sum(axis=1))[counted]
    return np.asarray(away.T @ away / counted.sum())


def _scale(data: Data, theta: Vector, covariance: Matrix, reference: Mask) -> _Scale:
    """Return the scale on which the abilities of the reference have mean 0 and spread 1.

    The spread is that of the abilities and not of their estimates: what their errors add to it is
    taken off, but never more than three quarters of the square.
    """
    centre, form = reference / reference.sum(), form_of_unit(data.groups, reference)
    if form is None:
        return _Scale(float(centre @ theta), 1.0, centre, np.zeros(len(theta)))
    square = float(theta @ form @ theta)
    spread = float(np.sqrt(max(square - float((form * covariance).sum()), square / 4)))
    return _Scale(float(centre @ theta), spread, centre, form @ theta / spread)


def _near(data: Data, covariance: Matrix, scale: _Scale) -> Mask:
    """Tell which rows are in a period whose place on the scale is known well enough.

    In logits and not in the unit, which is small where products are alike by chance.
    """
    known = np.ones(len(data.groups), dtype=bool)
    for group in np.unique(data.groups):
        mine = data.groups == group
        change = mine / mine.sum() - scale.by_centre
        known[mine] = float(change @ covariance @ change) <= MOST_LINK_ERROR**2
    return known


def _tasks(data: Data, state: State, scale: _Scale) -> list[TaskFit]:
    """Return the tasks on the scale: a' = a s, b' = (b − c) / s."""
    rows = len(data.groups)
    ln_a, b = _Posteriors.none(data, state), _Posteriors.none(data, state)
    for block in data.blocks:
        found, mean = at_nodes(data, block, state.parameters), rows + block.cohort
        ln_a.set(data, block, found, data.ln_a)
        b.set(data, block, found, found.b)
        # The nodes of b move with μ and σ themselves.
        b.slopes[block.columns, mean] += 1.0
        b.slopes[block.columns, -1] += b.means[block.columns] - state.parameters[mean]
    theta = (state.parameters[:rows] - scale.centre) / scale.spread
    a, b_scaled = np.exp(ln_a.means) * scale.spread, (b.means - scale.centre) / scale.spread
    ln_a.slopes[:, :rows] += scale.by_spread / scale.spread
    b.slopes[:, :rows] -= scale.by_centre + np.outer(b_scaled, scale.by_spread)
    se_a, se_b = a * ln_a.errors(state), b.errors(state) / scale.spread
    infit, outfit = _task_fit(data, theta, a, b_scaled)
    columns = (one.tolist() for one in (a, b_scaled, se_a, se_b, infit, outfit))
    versions = data.measured.sum(axis=0).tolist()
    return [TaskFit(*row) for row in zip(*columns, versions, strict=True)]


@dataclass(frozen=True, slots=True)
class _Posteriors:
    """Means and variances of ln a or b of each task, and how the means move with the parameters.

    Attributes:
        slopes: tasks x parameters.
    """

    means: Vector
    variances: Vector
    slopes: Matrix

    @classmethod
    def none(cls, data: Data, state: State) -> "_Posteriors":
        count = data.measured.shape[1]
        return cls(np.zeros(count), np.zeros(count), np.zeros((count, len(state.parameters))))

    def set(self, data: Data, block: Block, found: AtNodes, values: Vector) -> None:
        """Fill in the tasks of a block; a mean moves by its covariance with the scores."""
        at, rows = block.columns, len(data.groups)
        self.means[at] = found.posterior @ values
        away = values - self.means[at][:, None]
        self.variances[at] = (found.posterior * away**2).sum(axis=1)
        score = scores_with(data, block, found, away)
        sigma = scores_with(data, block, found, away * (found.mean - found.b)).sum(axis=1)
        self.slopes[np.ix_(at, block.rows)] = score
        self.slopes[at, rows + block.cohort] = -score.sum(axis=1)
        self.slopes[at, -1] = sigma

    def errors(self, state: State) -> Vector:
        added = ((self.slopes @ state.covariance) * self.slopes).sum(axis=1)
        return np.asarray(np.sqrt(np.clip(self.variances + added, 0.0, None)))


def _task_fit(data: Data, theta: Vector, a: Vector, b: Vector) -> tuple[Vector, Vector]:
    """Return infit and outfit of each task at the estimates."""
    p = np.clip(probability(theta, a, b), 1e-6, 1 - 1e-6)
    variance = p * (1 - p) * np.where(data.graded, data.dispersion, 1.0)
    residual = np.where(data.measured, data.scores - p, 0.0) ** 2
    expected = np.where(data.measured, variance, 0.0)
    infit = residual.sum(axis=0) / expected.sum(axis=0)
    outfit = (residual / variance).sum(axis=0) / data.measured.sum(axis=0)
    return infit, outfit
