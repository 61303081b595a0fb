"""The two-parameter logistic model of abilities and tasks, by marginal likelihood. No Django.

A version of ability θ solves a task of difficulty b and discrimination a with probability
p = 1 / (1 + exp(−a (θ − b))) (A. Birnbaum in F. M. Lord and M. R. Novick, Statistical Theories of
Mental Test Scores, 1968). The larger a is, the steeper p rises around b.

Estimation: R. D. Bock and M. Aitkin, Psychometrika 46 (1981), by EM, with the priors of R. J.
Mislevy, Psychometrika 51 (1986): ln a ~ N(0, 0.5²), b ~ N(0, 2²). The abilities of the reference
period come from N(0, 1), those of every other period from N(m, 1) with an m of its own (R. D. Bock
and M. F. Zimowski in Handbook of Modern Item Response Theory, 1997), which keeps growth from being
shrunk away where periods share few tasks.

Integration is by evenly spaced nodes and not by Gauss–Hermite: the posterior of a version with
hundreds of tasks is narrower than the gaps between Hermite's nodes, while the trapezoidal rule
converges geometrically here (L. N. Trefethen and J. A. C. Weideman, SIAM Review 56, 2014).

A score between 0 and 1 enters as quasi-likelihood, s ln p + (1 − s) ln(1 − p) (R. W. M. Wedderburn,
Biometrika 61, 1974; L. E. Papke and J. M. Wooldridge, Journal of Applied Econometrics 11, 1996),
divided by the dispersion of such tasks: graded scores scatter less than a coin, and intervals would
be too wide without it.
"""

from dataclasses import dataclass, field
from statistics import NormalDist

import numpy as np
import numpy.typing as npt

from judge.stats.irt_cells import Mask, Matrix, usable
from judge.stats.reasons import Reason

Vector = npt.NDArray[np.float64]
Groups = npt.NDArray[np.int64]

SPREAD_OF_LN_A = 0.5
SPREAD_OF_B = 2.0
SPREAD_OF_MEANS = 3.0  # of the periods' means around the reference
REACH = 7.5  # of the nodes on either side of the reference's mean
WIDEST, NARROWEST = 0.125, 0.03  # between two nodes
MOST_STEPS, SETTLED = 1_000, 1e-4
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
class Fit:
    """A fitted index.

    Attributes:
        log_likelihood: marginal, without the priors; None if nothing could be fitted.
        dispersion: of graded scores; 1.0 where all scores are 0 or 1.
        one_in_reference: whether the spread 1 is that of all periods around their means, because
            the reference has one version alone.
        covariance: of the abilities' estimates that exist, in their order.
    """

    abilities: list[Ability]
    tasks: list[TaskFit]
    log_likelihood: float | None
    cells_used: int
    dispersion: float
    one_in_reference: bool
    steps: int
    covariance: Matrix = field(default_factory=lambda: np.zeros((0, 0)))


@dataclass(slots=True)
class _State:
    """What EM changes: parameters of tasks, means of periods, and the posterior of each row."""

    ln_a: Vector
    b: Vector
    means: Vector
    posterior: Matrix
    log_likelihood: float = 0.0
    objective: float = -np.inf  # the log likelihood with the priors at the last long step

    @property
    def a(self) -> Vector:
        return np.asarray(np.exp(self.ln_a))

    def parameters(self) -> Vector:
        return np.concatenate([self.ln_a, self.b, self.means])

    def take(self, parameters: Vector) -> None:
        count = len(self.b)
        self.ln_a = np.clip(parameters[:count], -4.0, 4.0)
        self.b = np.clip(parameters[count : 2 * count], -20.0, 20.0)
        self.means = parameters[2 * count :]


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
    data = _Data(scores[np.ix_(rows, columns)], groups[rows], reference)
    state, steps = _estimate(data)
    if data.graded.any():
        for _again in range(2):
            data.disperse(state)
            state, more = _estimate(data, state)
            steps += more
    told = _report(data, state)
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
        told.covariance,
    )


class _Data:
    """The cells of a fit, with the weight of each: 1, or 1 / dispersion for graded tasks."""

    def __init__(self, scores: Matrix, groups: Groups, reference: int) -> None:
        self.measured = ~np.isnan(scores)
        self.scores = np.where(self.measured, scores, 0.0)
        present = sorted(set(groups.tolist()) - {reference})
        number = {reference: 0} | {group: n for n, group in enumerate(present, start=1)}
        self.groups = np.array([number[group] for group in groups.tolist()], dtype=np.int64)
        self.graded = ((self.scores > 0) & (self.scores < 1)).any(axis=0)
        self.dispersion = 1.0
        self.weigh()

    @property
    def reference(self) -> Mask:
        return np.asarray(self.groups == 0)

    @property
    def one_in_reference(self) -> bool:
        return int(self.reference.sum()) < 2

    def weigh(self) -> None:
        """Set weights and weighted scores of the cells from the dispersion."""
        each = np.where(self.graded, 1.0 / self.dispersion, 1.0)
        self.weights = self.measured * each
        self.points = self.scores * each
        # No wider apart than the posterior of the version with most tasks is, roughly.
        apart = np.clip(2.0 / np.sqrt(self.weights.sum(axis=1).max()), NARROWEST, WIDEST)
        half = int(np.ceil(REACH / apart))
        self.nodes = np.arange(-half, half + 1) * apart

    def disperse(self, state: _State) -> None:
        """Estimate the dispersion of graded tasks from the residuals at the abilities."""
        theta = state.posterior @ self.nodes
        p = probability(theta, state.a, state.b)[:, self.graded]
        here = self.measured[:, self.graded]
        residual = np.where(here, self.scores[:, self.graded] - p, 0.0)
        variance = np.where(here, p * (1 - p), 0.0)
        spent = 2 * self.graded.sum() + len(self.groups) * here.sum() / self.measured.sum()
        left = max(here.sum() - spent, 0.1 * here.sum())
        found = (residual**2).sum() / variance.sum() * here.sum() / left
        self.dispersion = float(np.clip(found, 0.005, 1.0))
        self.weigh()


def probability(theta: Vector, a: Vector, b: Vector) -> Matrix:
    """Return p of each ability on each task, abilities x tasks."""
    z = np.clip(a[None, :] * (theta[:, None] - b[None, :]), -40.0, 40.0)
    return np.asarray(1.0 / (1.0 + np.exp(-z)))


# -- estimation ------------------------------------------------------------------------------------


def _estimate(data: _Data, start: _State | None = None) -> tuple[_State, int]:
    """Run EM, accelerated, until no parameter moves; return the state and the number of steps.

    Two steps of EM give a direction, along which a longer one is tried: scheme SqS3 of R. Varadhan
    and C. Roland, Scandinavian Journal of Statistics 35 (2008).
    """
    state = start or _first_guess(data)
    steps = 0
    while steps < MOST_STEPS:
        before = state.parameters()
        _step(data, state)
        first = state.parameters() - before
        _step(data, state)
        second = state.parameters() - before - first
        steps += 2
        if np.abs(second).max() < SETTLED:
            break
        bend = second - first
        length = max(1.0, float(np.linalg.norm(first) / (np.linalg.norm(bend) or 1.0)))
        safe = state.parameters()
        state.take(before + 2 * length * first + length**2 * bend)
        reached = _step(data, state)
        steps += 1
        if not np.isfinite(reached) or reached < state.objective - 1e-9:
            state.take(safe)
        else:
            state.objective = reached
    _expect(data, state)
    return state, steps


def _first_guess(data: _Data) -> _State:
    share = (data.scores.sum(axis=0) + 0.5) / (data.measured.sum(axis=0) + 1.0)
    periods = int(data.groups.max()) + 1
    return _State(
        ln_a=np.zeros(len(share)),
        b=-np.log(share / (1 - share)),
        means=np.zeros(periods),
        posterior=np.zeros((0, 0)),
    )


def _step(data: _Data, state: _State) -> float:
    """Do one step of EM; return the log likelihood with the priors before it."""
    p = _expect(data, state)
    reached = (
        state.log_likelihood
        - 0.5 * float((state.ln_a**2).sum()) / SPREAD_OF_LN_A**2
        - 0.5 * float((state.b**2).sum()) / SPREAD_OF_B**2
        - 0.5 * float((state.means**2).sum()) / SPREAD_OF_MEANS**2
    )
    _maximise(data, state, p)
    return reached


def _expect(data: _Data, state: _State) -> Matrix:
    """Set the log likelihood and each row's posterior over the nodes; return p, tasks x nodes."""
    z = state.a[:, None] * (data.nodes[None, :] - state.b[:, None])
    small = np.exp(-np.abs(z))
    # ln p = z + ln (1 − p), and ln (1 − p) = −ln (1 + exp z).
    at_nodes = data.points @ z - data.weights @ (np.maximum(z, 0.0) + np.log(1.0 + small))
    distance = data.nodes[None, :] - state.means[data.groups][:, None]
    prior = -0.5 * distance**2
    prior -= np.log(np.exp(prior).sum(axis=1, keepdims=True))
    joint = at_nodes + prior
    top = joint.max(axis=1, keepdims=True)
    dense = np.exp(joint - top)
    whole = dense.sum(axis=1, keepdims=True)
    state.posterior = dense / whole
    state.log_likelihood = float((top + np.log(whole)).sum())
    return np.asarray(np.where(z >= 0, 1.0, small) / (1.0 + small))


def _maximise(data: _Data, state: _State, p: Matrix) -> None:
    """Move each task towards its best parameters by Fisher scoring, and set each period's mean."""
    asked = data.weights.T @ state.posterior  # tasks x nodes
    won = data.points.T @ state.posterior
    a = state.a
    away = data.nodes[None, :] - state.b[:, None]
    residual, information = won - asked * p, asked * p * (1 - p)
    up = a * (residual * away).sum(axis=1) - state.ln_a / SPREAD_OF_LN_A**2
    across = -a * residual.sum(axis=1) - state.b / SPREAD_OF_B**2
    curve = information * away
    uu = a**2 * (curve * away).sum(axis=1) + 1 / SPREAD_OF_LN_A**2
    bb = a**2 * information.sum(axis=1) + 1 / SPREAD_OF_B**2
    ub = -(a**2) * curve.sum(axis=1)
    determinant = uu * bb - ub * ub
    state.ln_a = state.ln_a + np.clip((bb * up - ub * across) / determinant, -0.5, 0.5)
    state.b = state.b + np.clip((uu * across - ub * up) / determinant, -1.0, 1.0)
    means = state.posterior @ data.nodes
    for group in range(1, len(state.means)):
        mine = means[data.groups == group]
        state.means[group] = mine.sum() / (len(mine) + 1 / SPREAD_OF_MEANS**2)


# -- what is reported ------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class _Report:
    abilities: list[Ability]
    tasks: list[TaskFit]
    covariance: Matrix


def _report(data: _Data, state: _State) -> _Report:
    """Put the estimates on the scale of the reference, with their uncertainty.

    The information on all tasks' parameters together is the observed one (T. A. Louis, Journal of
    the Royal Statistical Society B 44, 1982). The variance of an ability is that of its posterior
    plus that which the tasks' parameters and the scale itself add (delta method).
    """
    theta = state.posterior @ data.nodes
    variance = state.posterior @ data.nodes**2 - theta**2
    centre, spread, d_centre, d_spread = _scale(data, theta, variance)
    information, cov_theta, cov_square = _information(data, state, theta)
    parameters = np.linalg.inv(information)
    # Derivatives of centre and spread by the tasks' parameters, through abilities and variances.
    by_centre = d_centre @ cov_theta
    d_square = _square_share(data)
    by_square = d_square @ (cov_square - 2 * _means_of(data, theta)[:, None] * cov_theta)
    by_spread = by_square / (2 * spread)
    scaled = (theta - centre) / spread
    slopes = (cov_theta - by_centre[None, :] - scaled[:, None] * by_spread[None, :]) / spread
    noise = (np.eye(len(theta)) - d_centre[None, :] - scaled[:, None] * d_spread[None, :]) / spread
    covariance = (noise * variance[None, :]) @ noise.T + slopes @ parameters @ slopes.T
    covariance *= _small_sample(data)
    errors = np.sqrt(np.clip(np.diag(covariance), 0.0, None))
    half = NormalDist().inv_cdf((1 + LEVEL) / 2)
    abilities = [
        Ability(float(t), float(se), (float(t - half * se), float(t + half * se)))
        for t, se in zip(scaled, errors, strict=True)
    ]
    count = len(state.b)
    # a' = a s, b' = (b − c) / s, with parameters in the order (ln a of all, b of all).
    eye = np.eye(count)
    nothing = np.zeros((count, count))
    d_ln_a = np.hstack([eye, nothing]) + by_spread[None, :] / spread
    scaled_b = (state.b - centre) / spread
    d_b = (
        np.hstack([nothing, eye]) - by_centre[None, :] - scaled_b[:, None] * by_spread[None, :]
    ) / spread
    scaled_a = state.a * spread
    se_a = scaled_a * np.sqrt(np.clip(((d_ln_a @ parameters) * d_ln_a).sum(axis=1), 0.0, None))
    se_b = np.sqrt(np.clip(((d_b @ parameters) * d_b).sum(axis=1), 0.0, None))
    infit, outfit = _task_fit(data, state, theta)
    tasks = [
        TaskFit(*(float(v[n]) for v in (scaled_a, scaled_b, se_a, se_b, infit, outfit)), int(m))
        for n, m in enumerate(data.measured.sum(axis=0))
    ]
    return _Report(abilities, tasks, covariance)


def _small_sample(data: _Data) -> float:
    """Return the factor on variances for the parameters spent: cells / (cells − parameters).

    The expansion above is of first order, and the residuals of a fit are too small by this factor.
    Simulations (`benchmarks/index.py`) show intervals of the stated level with it. The dispersion
    of graded tasks counts the parameters already.
    """
    cells = int(data.measured.sum())
    left = cells - 2 * data.measured.shape[1] - len(data.groups)
    plain = data.measured[:, ~data.graded].sum() / cells
    return float(1 + (cells / max(left, cells / 4) - 1) * plain)


def _means_of(data: _Data, theta: Vector) -> Vector:
    """Return for each row the mean around which the spread of the scale is taken."""
    if not data.one_in_reference:
        return np.full(len(theta), theta[data.reference].mean())
    found = np.zeros(len(theta))
    for group in range(int(data.groups.max()) + 1):
        mine = data.groups == group
        found[mine] = theta[mine].mean()
    return found


def _square_share(data: _Data) -> Vector:
    """Return the share of each row in the squared spread of the scale."""
    counted = data.reference if not data.one_in_reference else _in_pairs(data)
    total = counted.sum()
    return counted / total if total else np.zeros(len(counted))


def _in_pairs(data: _Data) -> Mask:
    """Return the rows whose period has another row."""
    return np.asarray(np.bincount(data.groups)[data.groups] > 1)


def _scale(data: _Data, theta: Vector, variance: Vector) -> tuple[float, float, Vector, Vector]:
    """Return centre and spread of the scale, and their derivatives by the abilities.

    The spread is that of the abilities and not of their estimates: the mean posterior variance is
    part of it.
    """
    reference = data.reference
    d_centre = reference / reference.sum()
    centre = float(d_centre @ theta)
    share = _square_share(data)
    away = theta - _means_of(data, theta)
    square = float(share @ (away**2 + variance))
    if not share.any() or square <= 0:
        return centre, 1.0, d_centre, np.zeros(len(theta))
    spread = float(np.sqrt(square))
    return centre, spread, d_centre, share * away / spread


def _information(data: _Data, state: _State, theta: Vector) -> tuple[Matrix, Matrix, Matrix]:
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


def _task_fit(data: _Data, state: _State, theta: Vector) -> tuple[Vector, Vector]:
    """Return infit and outfit of each task at the estimated abilities."""
    p = np.clip(probability(theta, state.a, state.b), 1e-6, 1 - 1e-6)
    variance = p * (1 - p) * np.where(data.graded, data.dispersion, 1.0)
    residual = np.where(data.measured, data.scores - p, 0.0) ** 2
    expected = np.where(data.measured, variance, 0.0)
    infit = residual.sum(axis=0) / expected.sum(axis=0)
    outfit = (residual / variance).sum(axis=0) / data.measured.sum(axis=0)
    return infit, outfit
