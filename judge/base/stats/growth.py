"""How fast a product's ability grows, and which of its steps stand out. No Django."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from statistics import NormalDist

import numpy as np
import numpy.typing as npt

from judge.base.stats.numbers import Reason

Matrix = npt.NDArray[np.float64]
LEVEL = 0.95
LEAST_STEP = 0.5  # of a breakthrough, in standard deviations of the reference's abilities
_NORMAL = NormalDist()


@dataclass(frozen=True, slots=True)
class Velocity:
    """Change of ability per month with its 95 % interval; None where `why` says the reason."""

    per_month: float | None
    ci95: tuple[float, float] | None
    why: Reason | None = None


def velocity(
    months: Sequence[float | None], thetas: Sequence[float], covariance: Matrix
) -> Velocity:
    """Fit a line through abilities over time by least squares.

    The abilities of a version are pooled already, and weighting by their errors would mainly fit
    the small differences between them. So all have equal weight, and the errors enter only the
    interval. Where the abilities scatter more around the line than their errors explain, it is
    widened by the square root of the ratio.

    Args:
        months: when each ability was measured; None where nobody knows.
        thetas: the abilities.
        covariance: of the errors of `thetas`.
    """
    if any(month is None for month in months):
        return Velocity(None, None, Reason.NO_DATE)
    when = np.array(months, dtype=float)
    if len(set(when.tolist())) < 2:
        return Velocity(None, None, Reason.ONE_DATE)
    design = np.column_stack([np.ones(len(when)), when - when.mean()])
    line = np.linalg.pinv(design)
    values = np.array(thetas)
    slope = float(line[1] @ values)
    rest = np.eye(len(when)) - design @ line
    scatter = float(((rest @ values) ** 2).sum())
    explained = float((rest * (rest @ covariance)).sum())
    excess = scatter / explained if explained > 1e-12 else 1.0
    error = math.sqrt(max(float(line[1] @ covariance @ line[1]), 0.0) * max(1.0, excess))
    half = _NORMAL.inv_cdf((1 + LEVEL) / 2) * error
    return Velocity(slope, (slope - half, slope + half))


@dataclass(frozen=True, slots=True)
class Step:
    """The change from one version to the next, with the interval that holds for all steps at once.

    Attributes:
        breakthrough: whether the interval lies above 0 and the gain is at least `LEAST_STEP`.
    """

    gain: float
    ci: tuple[float, float]
    breakthrough: bool


def steps(changes: Sequence[tuple[float, float]]) -> list[Step]:
    """Judge steps between consecutive versions of all products together.

    The intervals are simultaneous: each has the level 1 − 0.05 / (number of steps) (C. E.
    Bonferroni, 1936), so that the chance of any false breakthrough is at most 5 %.

    Args:
        changes: gain and standard error of each step.
    """
    if not changes:
        return []
    factor = _NORMAL.inv_cdf(1 - (1 - LEVEL) / len(changes) / 2)
    found = []
    for gain, error in changes:
        low, high = gain - factor * error, gain + factor * error
        found.append(Step(gain, (low, high), low > 0 and gain >= LEAST_STEP))
    return found
