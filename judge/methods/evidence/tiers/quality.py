"""How good the sources of a response are together: Q, its grade, what to do. Pure.

Source: JADE (arXiv 2602.06486), appendix G: scores of tiers in table 14, Q in equation 18, the
grades A and F in G.3. The thresholds of B, C and D are ours: equal steps between the paper's two
(docs/decisions/0025-jade-scores.md).
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from fractions import Fraction

SCORES: Mapping[int, Fraction] = {
    1: Fraction(1), 2: Fraction(3, 4), 3: Fraction(1, 2), 4: Fraction(1, 4),
}  # fmt: skip
BEST, LEAST = Fraction(3, 4), Fraction(3, 10)  # A needs the first, D the second
FROM: Sequence[tuple[str, Fraction]] = (
    ("A", BEST), ("B", Fraction(6, 10)), ("C", Fraction(45, 100)), ("D", LEAST),
)  # fmt: skip
GRADES = ("A", "B", "C", "D", "F")


class Advice(StrEnum):
    """What would make the sources of a response better."""

    OFFICIAL = "official"  # no source of tier 1
    ORDER = "order"  # a source stands behind a worse one
    WEAK = "weak"  # at least half of the sources are of the tiers 3 and 4
    FEW = "few"  # one source alone


@dataclass(frozen=True, slots=True)
class Quality:
    """Q of the sources, from 1/4 to 1, with its grade and what to do; no advice for A and B."""

    q: Fraction
    grade: str
    advice: tuple[Advice, ...]


def quality(tiers: Sequence[int]) -> Quality | None:
    """Return Q (Eq. 18) and the grade of a response's sources.

    The paper's second rule for F, all sources unknown, follows from the first: Q is 1/4 then.

    Args:
        tiers: of its sources in the order they are cited, each source once.

    Returns:
        None without sources.

    Raises:
        ValueError: there is no such tier.
    """
    if not set(tiers) <= SCORES.keys():
        raise ValueError("a source has a tier from 1 to 4")
    if not tiers:
        return None
    weights = [Fraction(1, place) for place in range(1, len(tiers) + 1)]
    above = sum((SCORES[tier] * w for tier, w in zip(tiers, weights, strict=True)), Fraction(0))
    q = above / sum(weights, Fraction(0))
    grade = _grade(q, official=1 in tiers)
    return Quality(q, grade, _advice(tiers) if grade not in ("A", "B") else ())


def _grade(q: Fraction, *, official: bool) -> str:
    for grade, least in FROM:
        if q >= least and (grade != "A" or official):
            return grade
    return "F"


def _advice(tiers: Sequence[int]) -> tuple[Advice, ...]:
    holds = {
        Advice.OFFICIAL: 1 not in tiers,
        Advice.ORDER: list(tiers) != sorted(tiers),
        Advice.WEAK: 2 * sum(tier > 2 for tier in tiers) >= len(tiers),
        Advice.FEW: len(tiers) == 1,
    }
    return tuple(advice for advice, here in holds.items() if here)
