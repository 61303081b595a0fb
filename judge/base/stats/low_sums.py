"""How often chance gives some members of a group so little together: an exact permutation test."""

import math
from collections.abc import Sequence


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
