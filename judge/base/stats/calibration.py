"""How well stated confidences fit how often answers are right.

The expected calibration error bins the confidences in [0, 1] into equal bins and averages the gap
between mean confidence and share of right answers, weighted by the bins' sizes (Naeini, Cooper and
Hauskrecht 2015, section "Calibration metrics"; Guo et al. 2017, equation 3). The Brier score is the
mean squared difference of confidence and outcome (Brier 1950). Exact arithmetic on whole percents.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction

BINS = 10


@dataclass(frozen=True, slots=True)
class Bin:
    """Answers with a confidence from `low` to below `high` percent; the last bin holds 100 too."""

    low: int
    high: int
    answers: int
    confidence: Fraction  # mean, 0 to 1
    accuracy: Fraction  # share of right answers


@dataclass(frozen=True, slots=True)
class Calibration:
    """Calibration of some answers.

    `error` and `brier` are None without an answer; `bins` leaves empty bins out.
    """

    answers: int
    error: Fraction | None
    brier: Fraction | None
    bins: tuple[Bin, ...] = ()


def calibration(answers: Iterable[tuple[int, bool]], *, bins: int = BINS) -> Calibration:
    """Measure answers given as (confidence in whole percent, whether right).

    Raises ValueError for a confidence outside of 0 to 100, or fewer than one bin.
    """
    pairs = list(answers)
    if bins < 1 or any(not 0 <= percent <= 100 for percent, _right in pairs):
        raise ValueError("a confidence is from 0 to 100 percent, and there is at least one bin")
    if not pairs:
        return Calibration(0, None, None)
    filled = [_bin(pairs, n, bins) for n in range(bins)]
    held = tuple(one for one in filled if one is not None)
    total = len(pairs)
    gaps = (abs(one.confidence - one.accuracy) * one.answers for one in held)
    squares = (Fraction(percent - 100 * right, 100) ** 2 for percent, right in pairs)
    return Calibration(
        total, sum(gaps, Fraction(0)) / total, sum(squares, Fraction(0)) / total, held
    )


def _bin(pairs: Sequence[tuple[int, bool]], n: int, bins: int) -> Bin | None:
    inside = [pair for pair in pairs if min(pair[0] * bins // 100, bins - 1) == n]
    if not inside:
        return None
    return Bin(
        low=100 * n // bins,
        high=100 * (n + 1) // bins,
        answers=len(inside),
        confidence=Fraction(sum(percent for percent, _right in inside), 100 * len(inside)),
        accuracy=Fraction(sum(right for _percent, right in inside), len(inside)),
    )
