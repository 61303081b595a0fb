"""The two-parameter logistic model of abilities and tasks, and its estimation. No Django.

A version of ability θ solves a task of difficulty b and discrimination a with probability
p = 1 / (1 + exp(−a (θ − b))) (A. Birnbaum in F. M. Lord and M. R. Novick, Statistical Theories of
Mental Test Scores, 1968). The larger a is, the steeper p rises around b.

Products are few and tasks many, so tasks are random and integrated out, and abilities are fixed
(P. De Boeck, Psychometrika 73, 2008): the mirror image of R. D. Bock and M. Aitkin, Psychometrika
46 (1981). ln a ~ N(0, 0.5²). b ~ N(μ, σ²) with a μ for each cohort, the tasks that were first
measured in one period, so that tasks which get harder do not eat the growth of those who solve
them; σ is common. A version in several periods has an ability in each, which deviates from the
version's by N(0, τ²): a small τ lets versions link periods, a large one shows that they drift.

Estimation is by Newton's method with the observed information (T. A. Louis, Journal of the Royal
Statistical Society B 44, 1982). τ is weighed on a grid by its marginal likelihood, with the
abilities integrated out at their normal approximation (R. Schall, Biometrika 78, 1991).

Integration is by evenly spaced nodes and not by Gauss–Hermite: the posterior of a task with many
versions is narrower than the gaps between Hermite's nodes, while the trapezoidal rule converges
geometrically here (L. N. Trefethen and J. A. C. Weideman, SIAM Review 56, 2014).

A score between 0 and 1 enters as quasi-likelihood, s ln p + (1 − s) ln(1 − p) (R. W. M. Wedderburn,
Biometrika 61, 1974; L. E. Papke and J. M. Wooldridge, Journal of Applied Econometrics 11, 1996),
divided by the dispersion of such tasks: graded scores scatter less than a coin, and intervals would
be too wide without it.
"""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from judge.base.stats.irt_cells import Matrix

Vector = npt.NDArray[np.float64]
Groups = npt.NDArray[np.int64]

SPREAD_OF_LN_A = 0.5
SPREAD_OF_MEANS = 10.0  # of the cohorts' μ around 0: says next to nothing
SPREAD_OF_LN_SIGMA = 1.0
SPREAD_OF_TAU = 0.5  # half normal
TAUS = np.exp(np.linspace(np.log(0.01), np.log(2.0), 40))
REACH_OF_B, REACH_OF_LN_A = 4.5, 3.0  # of the nodes, in standard deviations
APART = 1.5  # two nodes at most, in standard deviations of the narrowest posterior
NODES_AT_ONCE = 2_000_000  # tasks x nodes of a block: 16 MB a matrix
MOST_STEPS, SETTLED, LONGEST_STEP = 60, 1e-3, 1.0


@dataclass(frozen=True, slots=True)
class Block:
    """Tasks of one cohort with the rows that were measured on any of them.

    Attributes:
        columns: the tasks; `rows` and `cohort` by their numbers.
        points, weights: weighted scores and weights, rows x tasks.
    """

    cohort: int
    rows: Groups
    columns: Groups
    points: Matrix
    weights: Matrix


@dataclass(frozen=True, slots=True)
class AtNodes:
    """A block at the nodes: what is shared by its tasks, and each task's posterior.

    Attributes:
        p: rows x nodes.
        b: of each node, on the scale of the abilities; `mean` that of the cohort.
        posterior: tasks x nodes.
    """

    p: Matrix
    mean: float
    b: Vector
    posterior: Matrix
    log_likelihood: float


@dataclass(frozen=True, slots=True)
class State:
    """Estimates: abilities of the rows, μ of the cohorts and ln σ, in this order.

    Attributes:
        covariance: of the errors of `parameters`.
        log_likelihood: marginal, without the priors.
    """

    parameters: Vector
    covariance: Matrix
    log_likelihood: float


class Data:
    """The cells of a fit, with the weight of each: 1, or 1 / dispersion for graded tasks.

    Args:
        scores: rows x tasks, NaN where not measured; every task and row has a cell.
        groups: the period of each row, numbered in order of time.
        versions: the number of the version of each row.
    """

    def __init__(self, scores: Matrix, groups: Groups, versions: Groups) -> None:
        self.measured = ~np.isnan(scores)
        self.scores = np.where(self.measured, scores, 0.0)
        self.groups, self.versions = groups, versions
        first = np.where(self.measured, groups[:, None], groups.max() + 1).min(axis=0)
        present, self.cohorts = np.unique(first, return_inverse=True)
        self.count = len(present)
        self.graded = ((self.scores > 0) & (self.scores < 1)).any(axis=0)
        # θ' M θ is the sum of squared deviations from the means of versions.
        same = (versions[:, None] == versions[None, :]).astype(float)
        self.deviations = np.eye(len(groups)) - same / same.sum(axis=1)
        self.weigh(1.0)

    def weigh(self, dispersion: float) -> None:
        """Set the dispersion of graded tasks, and weights, nodes and blocks from it."""
        self.dispersion = dispersion
        weights = self.measured * np.where(self.graded, 1.0 / self.dispersion, 1.0)
        # The information on b / σ and ln a of the task with most weight, roughly at its most.
        root = np.sqrt(weights.sum(axis=0).max())
        x = _evenly(REACH_OF_B, float(np.clip(APART / (0.9 * root), 0.05, 0.5)))
        ln_a = _evenly(REACH_OF_LN_A, float(np.clip(APART / (0.33 * root), 0.1, 0.8)))
        self.x = np.tile(x, len(ln_a))
        self.ln_a = np.repeat(ln_a * SPREAD_OF_LN_A, len(x))
        prior = np.add.outer(-0.5 * ln_a**2, -0.5 * x**2).ravel()
        self.ln_prior = prior - np.log(np.exp(prior).sum())
        self.blocks = list(self._blocks(weights, max(NODES_AT_ONCE // len(self.x), 1)))

    def _blocks(self, weights: Matrix, size: int) -> Iterator[Block]:
        for cohort in range(self.count):
            mine = np.flatnonzero(self.cohorts == cohort)
            for start in range(0, len(mine), size):
                columns = mine[start : start + size]
                rows = np.flatnonzero(self.measured[:, columns].any(axis=1))
                at = np.ix_(rows, columns)
                yield Block(cohort, rows, columns, self.scores[at] * weights[at], weights[at])


def _evenly(reach: float, apart: float) -> Vector:
    half = int(np.ceil(reach / apart))
    return np.arange(-half, half + 1, dtype=np.float64) * apart


def probability(theta: Vector, a: Vector, b: Vector) -> Matrix:
    """Return p of each ability on each task, abilities x tasks."""
    z = np.clip(a[None, :] * (theta[:, None] - b[None, :]), -40.0, 40.0)
    return np.asarray(1.0 / (1.0 + np.exp(-z)))


def at_nodes(data: Data, block: Block, parameters: Vector) -> AtNodes:
    """Integrate over the tasks of a block."""
    theta, mean = parameters[block.rows], parameters[len(data.groups) + block.cohort]
    b = mean + np.exp(parameters[-1]) * data.x
    z = np.exp(data.ln_a) * (theta[:, None] - b)
    small = np.exp(-np.abs(z))
    # ln p = z + ln (1 − p), and ln (1 − p) = −ln (1 + exp z).
    joint = block.points.T @ z - block.weights.T @ (np.maximum(z, 0.0) + np.log1p(small))
    joint += data.ln_prior
    top = joint.max(axis=1, keepdims=True)
    dense = np.exp(joint - top)
    whole = dense.sum(axis=1, keepdims=True)
    return AtNodes(
        p=np.asarray(np.where(z >= 0, 1.0, small) / (1.0 + small)),
        mean=float(mean),
        b=b,
        posterior=dense / whole,
        log_likelihood=float((top + np.log(whole)).sum()),
    )


def scores_with(data: Data, block: Block, found: AtNodes, factor: Matrix | Vector) -> Matrix:
    """Return the posterior means of `factor` x the score of each ability, tasks x rows.

    The score of an ability is the derivative of the log likelihood of a task by it, a (s − p) with
    the cell's weight.

    Args:
        factor: of each node, or tasks x nodes.
    """
    a, weighted = np.exp(data.ln_a), found.posterior * factor
    won, expected = weighted @ a, weighted @ (a * found.p).T
    return np.asarray(block.points.T * won[:, None] - block.weights.T * expected)


# -- estimation ------------------------------------------------------------------------------------


def estimate(data: Data) -> tuple[State, int]:
    """Maximise the penalised likelihood; return the estimates and the number of steps.

    τ and the dispersion are set anew before each step, τ from the quadratic approximation around
    the present estimates.
    """
    parameters = _first_guess(data)
    tau, steps = 0.0, 0
    while True:
        before = np.array([tau, data.dispersion])
        if data.graded.any():
            data.weigh(_dispersion(data, parameters))
        reached, gradient, information = evaluate(data, parameters)
        tau = _tau(data, parameters, gradient, information)
        penalty = _penalty(data, tau)
        whole = _definite(information + penalty)
        direction = np.linalg.solve(whole, gradient - penalty @ parameters).astype(np.float64)
        longest = float(np.abs(direction).max())
        settled = np.allclose(before, [tau, data.dispersion], rtol=0.01, atol=0.0)
        if (settled and longest < SETTLED) or steps == MOST_STEPS:
            covariance = np.asarray(np.linalg.inv(whole), dtype=float)
            return State(parameters, covariance, reached), steps
        direction *= min(1.0, LONGEST_STEP / longest) if longest else 0.0
        parameters = _climbed(data, parameters, direction, penalty, reached)
        steps += 1


def _dispersion(data: Data, parameters: Vector) -> float:
    """Return the mean square of the residuals of graded tasks over that of coins, p (1 − p).

    Over the posterior of the tasks, so that the tasks use up no degrees of freedom.
    """
    square = variance = cells = 0.0
    for block in data.blocks:
        found = at_nodes(data, block, parameters)
        graded = np.asarray(data.graded)[block.columns]
        here = block.weights[:, graded] > 0
        scores = data.scores[np.ix_(block.rows, block.columns)][:, graded]
        p, p_square = (power @ found.posterior[graded].T for power in (found.p, found.p**2))
        square += float((here * (scores**2 - 2 * scores * p + p_square)).sum())
        variance += float((here * (p - p_square)).sum())
        cells += float(here.sum())
    spent = len(data.groups) * cells / data.measured.sum()
    share = square / variance * cells / max(cells - spent, 0.1 * cells)
    return float(np.clip(share, 0.005, 1.0))


def _first_guess(data: Data) -> Vector:
    share = (data.scores.sum(axis=1) + 0.5) / (data.measured.sum(axis=1) + 1.0)
    return np.concatenate([np.log(share / (1 - share)), np.zeros(data.count + 1)])


def _penalty(data: Data, tau: float) -> Matrix:
    """Return the information of the priors, whose means are 0; τ = inf leaves the versions out."""
    rows = len(data.groups)
    found = np.diag(
        np.repeat(
            [0.0, SPREAD_OF_MEANS**-2, SPREAD_OF_LN_SIGMA**-2], [rows, data.count, 1]
        )
    )  # fmt: skip
    found[:rows, :rows] += data.deviations / tau**2
    return found


def _definite(information: Matrix) -> Matrix:
    """Return a matrix, or the nearest positive definite one to it."""
    values, vectors = np.linalg.eigh(information)
    if values[0] > 0:
        return information
    return np.asarray((vectors * np.maximum(values, 1e-3)) @ vectors.T)


def _climbed(
    data: Data, parameters: Vector, direction: Vector, penalty: Matrix, reached: float
) -> Vector:
    """Go along a direction, half as far each time until the penalised likelihood is no lower.

    The eighth step is taken in any case.
    """
    least = reached - 0.5 * float(parameters @ penalty @ parameters) - 1e-6
    for halvings in range(8):
        there = parameters + direction / 2**halvings
        value = sum(at_nodes(data, block, there).log_likelihood for block in data.blocks)
        if value - 0.5 * float(there @ penalty @ there) >= least:
            break
    return there


def _tau(data: Data, parameters: Vector, gradient: Vector, information: Matrix) -> float:
    """Return the posterior mean of τ on its grid, with all parameters integrated out.

    The log likelihood is taken as v'x − x'Ix / 2 in the parameters x. In coordinates in which the
    information with the other priors is the unit matrix, M is diagonal, d, and the integral is
    τ^−q Π (1 + d / τ²)^−½ exp(Σ v² / (1 + d / τ²) / 2) with q the rank of M.
    """
    rows = len(data.groups)
    rank = round(float(np.trace(data.deviations)))
    if not rank:
        return SPREAD_OF_TAU
    lower = np.linalg.cholesky(_definite(information + _penalty(data, np.inf)))
    whitened = np.linalg.inv(lower)
    square = whitened[:, :rows] @ data.deviations @ whitened[:, :rows].T
    d, turned = np.linalg.eigh(square)
    v = turned.T @ (whitened @ (gradient + information @ parameters))
    held = 1.0 + np.maximum(d, 0.0) / TAUS[:, None] ** 2
    log = -rank * np.log(TAUS) - 0.5 * np.log(held).sum(axis=1) + 0.5 * (v**2 / held).sum(axis=1)
    # The grid is even in ln τ, hence the factor τ.
    log += np.log(TAUS) - 0.5 * (TAUS / SPREAD_OF_TAU) ** 2
    weights = np.exp(log - log.max())
    return float(weights @ TAUS / weights.sum())


def evaluate(data: Data, parameters: Vector) -> tuple[float, Vector, Matrix]:
    """Return the marginal log likelihood with its gradient and the observed information.

    The information is that of the complete data less the covariance of its scores over the nodes
    (Louis). A shift of μ is one of all abilities back, so the rows of μ are sums of theirs.
    """
    rows, a = len(data.groups), np.exp(data.ln_a)
    reached, gradient = 0.0, np.zeros(len(parameters))
    information = np.zeros((len(parameters), len(parameters)))
    for block in data.blocks:
        found = at_nodes(data, block, parameters)
        reached += found.log_likelihood
        p, posterior, at = found.p, found.posterior, block.rows
        mean = rows + block.cohort
        score = scores_with(data, block, found, np.ones(len(a)))
        by_sigma = -np.exp(parameters[-1]) * data.x  # dz / d ln σ, over a
        score_sigma = (block.points.sum(axis=0)[:, None] - block.weights.T @ p) * (a * by_sigma)
        sigma = (posterior * score_sigma).sum(axis=1)
        total = score.sum(axis=0)
        gradient[at] += total
        gradient[mean] -= total.sum()
        gradient[-1] += sigma.sum()

        curve = (block.weights @ posterior) * (a**2 * p * (1 - p))
        abilities = np.diag(curve.sum(axis=1)) - _squares(block, found, a) + score.T @ score
        mixed = (curve * by_sigma).sum(axis=1) + score.T @ sigma
        mixed -= scores_with(data, block, found, score_sigma).sum(axis=0)
        information[np.ix_(at, at)] += abilities
        information[at, mean] -= abilities.sum(axis=0)
        information[mean, at] -= abilities.sum(axis=0)
        information[mean, mean] += abilities.sum()
        information[at, -1] += mixed
        information[-1, at] += mixed
        information[mean, -1] -= mixed.sum()
        information[-1, mean] -= mixed.sum()
        information[-1, -1] += (curve * by_sigma**2).sum() - sigma.sum() + sigma @ sigma
        information[-1, -1] -= (posterior * score_sigma**2).sum()
    return reached, gradient, information


def _squares(block: Block, found: AtNodes, a: Vector) -> Matrix:
    """Return Σ over tasks of the posterior means of score x score, rows x rows."""
    points, weights, posterior = block.points, block.weights, found.posterior
    a_p = a * found.p
    crossed = points @ (weights.T * (posterior @ (a * a_p).T))
    square = (points * (posterior @ a**2)) @ points.T - crossed - crossed.T
    for row in range(len(points)):
        both = (weights[row:] * weights[row]) @ posterior
        products = (both * a_p[row] * a_p[row:]).sum(axis=1)
        square[row, row:] += products
        square[row + 1 :, row] += products[1:]
    return np.asarray(square)
