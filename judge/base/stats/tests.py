"""Tests of significance: Student's t, exact permutations, and corrections for many p-values."""

import functools
import math
from collections.abc import Sequence
from statistics import NormalDist


def holm(p_values: Sequence[float]) -> list[float]:
    """Return the p-values adjusted by Holm's step-down procedure, in the order given.

    Naming those below a level names any wrong one at most as often as the level says (S. Holm,
    Scandinavian Journal of Statistics 6, 1979).
    """
    adjusted = [0.0] * len(p_values)
    running = 0.0
    for step, index in enumerate(_ascending(p_values)):
        running = max(running, (len(p_values) - step) * p_values[index])
        adjusted[index] = min(1.0, running)
    return adjusted


def fewest_tasks(tests: int, alpha: float) -> int:
    """Return the fewest tasks from which one of many tests can reach the level after `holm`.

    Without further assumptions a paired comparison of n tasks has no p-value below 2**(1 - n): all
    differences have the same sign by chance that often (the sign test; J. Arbuthnot, Philosophical
    Transactions 27, 1710). Holm's smallest is multiplied by the number of tests.

    Args:
        tests: comparisons made together; 0 needs no task.
        alpha: the level, between 0 and 1.
    """
    tasks = 0
    while tests * 2.0 ** (1 - tasks) > alpha:
        tasks += 1
    return tasks


def benjamini_hochberg(p_values: Sequence[float]) -> list[float]:
    """Return the p-values adjusted for the rate of false discoveries, in the order given.

    Of those below a level, the share that is wrong is on average at most the level; where nothing
    is to be found, any is named at most as often as the level says. For independent p-values and
    for those that rise together (Y. Benjamini and Y. Hochberg, Journal of the Royal Statistical
    Society B 57, 1995, section 3.1).
    """
    adjusted = [0.0] * len(p_values)
    running = 1.0
    order = _ascending(p_values)
    for rank in range(len(order), 0, -1):
        index = order[rank - 1]
        running = min(running, p_values[index] * len(order) / rank)
        adjusted[index] = running
    return adjusted


def _ascending(p_values: Sequence[float]) -> list[int]:
    return sorted(range(len(p_values)), key=lambda index: p_values[index])


def p_of_low_sum(points: Sequence[int], chosen: Sequence[bool]) -> float:
    """Return the probability that as many members, drawn at random, have no more points together.

    The one-sided permutation test of E. J. G. Pitman (Supplement to the Journal of the Royal
    Statistical Society 4, 1937), exact for every size and any points. The draws of `k` members are
    counted by their sum, one member after the other (M. Pagano and D. Tritchler, Journal of the
    American Statistical Association 78, 1983); only sums up to the observed one matter. Time and
    memory grow with `k` times that sum.

    Args:
        points: of each member, whole numbers.
        chosen: which members are observed to belong together.
    """
    # Imported here because every process loads this module, and numpy takes 10 MB.
    import numpy as np

    least = min(points)
    step = math.gcd(*(value - least for value in points)) or 1
    values = [(value - least) // step for value in points]
    size = sum(chosen)
    # Few points of the chosen are many points of the others: count whichever are fewer, by what
    # they have above the least, or below the most.
    if 2 * size > len(values):
        most = max(values)
        values = [most - value for value in values]
        chosen = [not one for one in chosen]
        size = len(values) - size
    observed = sum(value for value, one in zip(values, chosen, strict=True) if one)
    ways = np.zeros((size + 1, observed + 1))
    ways[0, 0] = 1.0
    for value in sorted(values):
        if value > observed:
            break
        ways[1:, value:] += ways[:-1, : observed + 1 - value]
    return min(1.0, float(ways[size].sum()) / math.comb(len(values), size))


# Implemented here because importing scipy for one quantile takes longer than a whole report.


_NORMAL = NormalDist()
_NORMAL_FROM = 2_000  # degrees of freedom from which t and the normal differ by less than 0.001


def central_probability(t: float, freedom: int) -> float:
    """Return P(|T| <= t). M. Abramowitz and I. A. Stegun (1964), 26.7.3 and 26.7.4.

    Raises:
        ValueError: there is less than one degree of freedom.
    """
    if freedom < 1:
        raise ValueError("Student's t has at least one degree of freedom")
    angle = math.atan(t / math.sqrt(freedom))
    cosine = math.cos(angle)
    odd = freedom % 2
    total, term = 0.0, cosine if odd else 1.0
    for step in range(3 if odd else 2, freedom + 1, 2):
        total += term
        term *= cosine * cosine * (step - 1) / step
    if odd:
        return 2 / math.pi * (angle + math.sin(angle) * total)
    return math.sin(angle) * total


@functools.lru_cache(maxsize=4096)
def quantile(level: float, freedom: int) -> float:
    """Return the t with P(|T| <= t) = level, by bisection; 0 < level < 1."""
    if freedom >= _NORMAL_FROM:
        return _NORMAL.inv_cdf((1 + level) / 2)
    low, high = 0.0, 1.0
    while central_probability(high, freedom) < level:
        high *= 2
    while high - low > 1e-12 * high:
        middle = (low + high) / 2
        if central_probability(middle, freedom) < level:
            low = middle
        else:
            high = middle
    return high


@functools.lru_cache(maxsize=4096)
def tail(level: float, tasks: int) -> float:
    """Return the share of resamples to cut at each end of an interval from that many tasks.

    The plain share, (1 - level) / 2, is right for a normal distribution with a known spread. A
    resample of n tasks is too narrow by sqrt((n - 1) / n), and its spread is estimated, so the
    share is Phi(-sqrt(n / (n - 1)) t), with t of n - 1 degrees of freedom: the expanded
    percentile interval of T. C. Hesterberg, The American Statistician 69 (2015), 4.

    Raises:
        ValueError: there are fewer than two tasks.
    """
    if tasks < 2:
        raise ValueError("an interval needs at least two tasks")
    t = quantile(level, tasks - 1)
    return _NORMAL.cdf(-math.sqrt(tasks / (tasks - 1)) * t)
