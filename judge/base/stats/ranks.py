"""Ranks of values, ties included."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray


def mean_ranks(values: Sequence[float] | NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the rank of each value from 1, in the order given; tied values share their mean rank.

    Pearson's correlation of two such columns is Spearman's rho with ties (M. G. Kendall, Rank
    Correlation Methods, 1948, chapter 3).
    """
    _distinct, places, counts = np.unique(
        np.asarray(values, dtype=np.float64), return_inverse=True, return_counts=True
    )
    return (counts.cumsum() - (counts - 1) / 2)[places]
