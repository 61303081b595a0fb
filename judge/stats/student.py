"""Student's t, for whole degrees of freedom: how far an estimate from few tasks can be off.

Written here because importing a library for one quantile takes longer than a whole report.
"""

import functools
import math
from statistics import NormalDist

_NORMAL = NormalDist()
_ALIKE = 2_000  # degrees of freedom from which t and the normal differ by less than 0.001


def inside(t: float, freedom: int) -> float:
    """Probability that |T| <= t. M. Abramowitz and I. A. Stegun (1964), 26.7.3 and 26.7.4.

    Raises ValueError for fewer than one degree of freedom.
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
    """The t with P(|T| <= t) = level, by halving; 0 < level < 1."""
    if freedom >= _ALIKE:
        return _NORMAL.inv_cdf((1 + level) / 2)
    low, high = 0.0, 1.0
    while inside(high, freedom) < level:
        high *= 2
    while high - low > 1e-12 * high:
        middle = (low + high) / 2
        if inside(middle, freedom) < level:
            low = middle
        else:
            high = middle
    return high


@functools.lru_cache(maxsize=4096)
def tail(level: float, tasks: int) -> float:
    """Share of resamples to leave out at each end for an interval from that many tasks.

    The plain share, (1 - level) / 2, belongs to the normal distribution with a known spread. A
    resample of n tasks is too narrow by sqrt((n - 1) / n), and the spread is itself estimated:
    so the share is Phi(-sqrt(n / (n - 1)) t), with t of n - 1 degrees of freedom. Called the
    expanded percentile interval by T. C. Hesterberg, The American Statistician 69 (2015), 4.
    """
    if tasks < 2:
        raise ValueError("an interval needs at least two tasks")
    t = quantile(level, tasks - 1)
    return _NORMAL.cdf(-math.sqrt(tasks / (tasks - 1)) * t)
