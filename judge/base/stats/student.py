"""Student's t distribution for whole degrees of freedom.

Implemented here because importing scipy for one quantile takes longer than a whole report.
"""

import functools
import math
from statistics import NormalDist

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
