"""A fitted model on the scale of the reference: abilities and tasks with their uncertainty.

The information on all tasks' parameters together is the observed one (T. A. Louis, Journal of the
Royal Statistical Society B 44, 1982). The variance of an ability is that of its posterior plus that
which the tasks' parameters and the scale itself add (delta method).
"""

from dataclasses import dataclass
from statistics import NormalDist

import numpy as np

from judge.stats.irt_model import (
    SPREAD_OF_B,
    SPREAD_OF_LN_A,
    Data,
    Matrix,
    State,
    Vector,
    probability,
)
from judge.stats.reasons import Reason

LEVEL = 0.95


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
        contrasts: the covariance of the abilities for comparing them with each other. The errors
            of the reference's mean and spread are not in it: they move all abilities alike, and
            with few versions in the reference they would hide which of two is the larger.
    """

    abilities: list[Ability]
    tasks: list[TaskFit]
    contrasts: Matrix


@dataclass(frozen=True, slots=True)
class _Scale:
    """A scale with its derivatives: mean 0 and standard deviation 1 of some abilities.

    The spread is that of the abilities and not of their estimates: the mean posterior variance is
    part of it.

    Attributes:
        by_rows_centre, by_rows_spread: derivatives of centre and spread by the abilities.
        by_centre, by_spread: derivatives by the tasks' parameters.
    """

    centre: float
    spread: float
    by_rows_centre: Vector
    by_rows_spread: Vector
    by_centre: Vector
    by_spread: Vector


@dataclass(frozen=True, slots=True)
class _Posterior:
    """Mean and variance of each ability, and what they owe to the tasks' parameters."""

    theta: Vector
    variance: Vector
    by_theta: Matrix  # derivatives of E θ by the parameters, rows x parameters
    by_square: Matrix  # of E θ²
    parameters: Matrix  # their covariance


def report(data: Data, state: State) -> Report:
    """Put the estimates on the scale of the reference, with their uncertainty."""
    theta = state.posterior @ data.nodes
    variance = state.posterior @ data.nodes**2 - theta**2
    information, by_theta, by_square = _information(data, state, theta)
    found = _Posterior(
        theta, variance, by_theta, by_square, np.asarray(np.linalg.inv(information), dtype=float)
    )
    reference = data.reference / data.reference.sum()
    if data.one_in_reference:
        scale = _scale(found, reference, _in_pairs(data), _means_of_groups(data, theta))
    else:
        scale = _scale(found, reference, reference, np.full(len(theta), reference @ theta))
    every = np.full(len(theta), 1 / len(theta))
    overall = _scale(found, every, every, np.full(len(theta), theta.mean()))
    small = _small_sample(data)
    errors = np.sqrt(np.clip(np.diag(_covariance(found, scale)) * small, 0.0, None))
    contrasts = _covariance(found, overall) * small * (overall.spread / scale.spread) ** 2
    half = NormalDist().inv_cdf((1 + LEVEL) / 2)
    abilities = [
        Ability(float(t), float(se), (float(t - half * se), float(t + half * se)))
        for t, se in zip((theta - scale.centre) / scale.spread, errors, strict=True)
    ]
    return Report(abilities, _tasks(data, state, found, scale), contrasts)


def _scale(found: _Posterior, centred: Vector, counted: Vector, means: Vector) -> _Scale:
    """Return the scale on which some abilities have mean 0 and some standard deviation 1.

    Args:
        centred: the share of each row in the mean.
        counted: the share of each row in the squared spread; all 0 leaves the spread at 1.
        means: what the spread of each row is taken around.
    """
    centre = float(centred @ found.theta)
    away = found.theta - means
    square = float(counted @ (away**2 + found.variance))
    by_centre = centred @ found.by_theta
    if square <= 0:
        nothing = np.zeros(len(found.theta))
        return _Scale(centre, 1.0, centred, nothing, by_centre, np.zeros_like(by_centre))
    spread = float(np.sqrt(square))
    by_square = counted @ (found.by_square - 2 * means[:, None] * found.by_theta)
    return _Scale(
        centre, spread, centred, counted * away / spread, by_centre, by_square / (2 * spread)
    )


def _covariance(found: _Posterior, scale: _Scale) -> Matrix:
    """Return the covariance of the errors of the abilities on a scale."""
    scaled = ((found.theta - scale.centre) / scale.spread)[:, None]
    slopes = (found.by_theta - scale.by_centre - scaled * scale.by_spread) / scale.spread
    noise = np.eye(len(scaled)) - scale.by_rows_centre - scaled * scale.by_rows_spread
    noise /= scale.spread
    return np.asarray((noise * found.variance) @ noise.T + slopes @ found.parameters @ slopes.T)


def _tasks(data: Data, state: State, found: _Posterior, scale: _Scale) -> list[TaskFit]:
    """Return the tasks on the scale: a' = a s, b' = (b − c) / s."""
    count = len(state.b)
    # Parameters stand in the order: ln a of all tasks, b of all tasks.
    eye, nothing = np.eye(count), np.zeros((count, count))
    a, b = state.a * scale.spread, (state.b - scale.centre) / scale.spread
    d_ln_a = np.hstack([eye, nothing]) + scale.by_spread / scale.spread
    d_b = (
        np.hstack([nothing, eye]) - scale.by_centre - b[:, None] * scale.by_spread
    ) / scale.spread
    se_a, se_b = (
        np.sqrt(np.clip(((by @ found.parameters) * by).sum(axis=1), 0.0, None))
        for by in (d_ln_a, d_b)
    )
    infit, outfit = _task_fit(data, state, found.theta)
    return [
        TaskFit(
            a=float(a[n]),
            b=float(b[n]),
            se_a=float(a[n] * se_a[n]),
            se_b=float(se_b[n]),
            infit=float(infit[n]),
            outfit=float(outfit[n]),
            versions=int(versions),
        )
        for n, versions in enumerate(data.measured.sum(axis=0))
    ]


def _small_sample(data: Data) -> float:
    """Return the factor on variances for the parameters spent: cells / (cells − parameters).

    The expansion above is of first order, and the residuals of a fit are too small by this factor.
    Simulations (`benchmarks/index.py`) show intervals of the stated level with it. The dispersion
    of graded tasks counts the parameters already.
    """
    cells = int(data.measured.sum())
    left = cells - 2 * data.measured.shape[1] - len(data.groups)
    plain = data.measured[:, ~data.graded].sum() / cells
    return float(1 + (cells / max(left, cells / 4) - 1) * plain)


def _means_of_groups(data: Data, theta: Vector) -> Vector:
    """Return for each row the mean ability of its period."""
    sums = np.bincount(data.groups, weights=theta)
    return np.asarray((sums / np.maximum(np.bincount(data.groups), 1))[data.groups])


def _in_pairs(data: Data) -> Vector:
    """Return equal shares for the rows whose period has another row."""
    counted = np.bincount(data.groups)[data.groups] > 1
    return np.asarray(counted / max(int(counted.sum()), 1), dtype=float)


def _information(data: Data, state: State, theta: Vector) -> tuple[Matrix, Matrix, Matrix]:
    """Return the observed information of all tasks' parameters, priors included.

    Also the posterior covariances of θ and of θ² with the score of the parameters, rows x
    parameters: the derivatives of E θ and E θ² by the parameters.
    """
    a, count = state.a, len(state.b)
    p = probability(data.nodes, a, state.b)  # nodes x tasks
    z = a[None, :] * (data.nodes[:, None] - state.b[None, :])
    asked = (data.weights.T @ state.posterior).T
    residual = (data.points.T @ state.posterior).T - asked * p
    curve = asked * p * (1 - p)
    whole = np.zeros((2 * count, 2 * count))
    at = np.arange(count)
    # Second derivatives of the complete log likelihood by ln a and b.
    whole[at, at] = (curve * z * z - residual * z).sum(axis=0) + 1 / SPREAD_OF_LN_A**2
    whole[at + count, at + count] = (curve * a**2).sum(axis=0) + 1 / SPREAD_OF_B**2
    mixed = (curve * z * -a + residual * a).sum(axis=0)
    whole[at, at + count] = whole[at + count, at] = mixed
    cov_theta = np.zeros((len(theta), 2 * count))
    cov_square = np.zeros_like(cov_theta)
    for row, weights in enumerate(state.posterior):
        near = weights > 1e-9
        share = weights[near] / weights[near].sum()
        left = data.points[row] - data.weights[row] * p[near]
        score = np.hstack([left * z[near], left * -a])
        score -= share @ score
        weighted = score * share[:, None]
        whole -= score.T @ weighted
        nodes = data.nodes[near]
        cov_theta[row] = (nodes - theta[row]) @ weighted
        cov_square[row] = nodes**2 @ weighted
    return whole, cov_theta, cov_square


def _task_fit(data: Data, state: State, theta: Vector) -> tuple[Vector, Vector]:
    """Return infit and outfit of each task at the estimated abilities."""
    p = np.clip(probability(theta, state.a, state.b), 1e-6, 1 - 1e-6)
    variance = p * (1 - p) * np.where(data.graded, data.dispersion, 1.0)
    residual = np.where(data.measured, data.scores - p, 0.0) ** 2
    expected = np.where(data.measured, variance, 0.0)
    infit = residual.sum(axis=0) / expected.sum(axis=0)
    outfit = (residual / variance).sum(axis=0) / data.measured.sum(axis=0)
    return infit, outfit
