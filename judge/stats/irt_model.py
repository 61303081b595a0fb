"""The two-parameter logistic model of abilities and tasks, and its estimation. No Django.

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

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from judge.stats.irt_cells import Mask, Matrix

Vector = npt.NDArray[np.float64]
Groups = npt.NDArray[np.int64]

SPREAD_OF_LN_A = 0.5
SPREAD_OF_B = 2.0
SPREAD_OF_MEANS = 3.0  # of the periods' means around the reference
REACH = 7.5  # of the nodes on either side of the reference's mean
WIDEST, NARROWEST = 0.125, 0.03  # between two nodes
MOST_STEPS, SETTLED = 1_000, 1e-4


@dataclass(slots=True)
class State:
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


class Data:
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

    def disperse(self, state: State) -> None:
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


def estimate(data: Data, start: State | None = None) -> tuple[State, int]:
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


def _first_guess(data: Data) -> State:
    share = (data.scores.sum(axis=0) + 0.5) / (data.measured.sum(axis=0) + 1.0)
    periods = int(data.groups.max()) + 1
    return State(
        ln_a=np.zeros(len(share)),
        b=-np.log(share / (1 - share)),
        means=np.zeros(periods),
        posterior=np.zeros((0, 0)),
    )


def _step(data: Data, state: State) -> float:
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


def _expect(data: Data, state: State) -> Matrix:
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


def _maximise(data: Data, state: State, p: Matrix) -> None:
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
