"""The scores of JADE, in fractions: from answers and verified claims to S. Pure.

Source: JADE (arXiv 2602.06486), equations 7 to 12 and 17; equation 18 is in
`judge.methods.evidence.tiers.quality`. What the paper leaves open, and the two places where we read
it strictly, are in docs/decisions/0025-jade-scores.md.

Claims are the evidence items of a response. Items are those of the query's checklist and the
reasoning items of the response. What is unknown stays unknown: a claim that was not verified, or
an item that was not answered, never counts as anything.
"""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from fractions import Fraction
from math import log

TAU = Fraction(1, 2)  # a claim with a lower V closes the gate of what depends on it
CANNOT_BE_VERIFIED = Fraction(1, 4)  # V of a claim that no source decides
ANSWERS = (Fraction(0), Fraction(1, 2), Fraction(1))  # Eq. 7: no, partly, yes


class Verification(StrEnum):
    """What a verifier found about a claim; an outage is none of them."""

    SUPPORTED = "supported"
    REFUTED = "refuted"
    UNVERIFIABLE = "unverifiable"


class Why(StrEnum):
    """Why there is no score, or why it is 0; what only follows from another one is not named."""

    NOT_TAKEN_APART = "not_taken_apart"  # nobody knows which claims and items there are
    NO_EVIDENCE = "no_evidence"  # no claim that could be verified: the score is 0
    NO_OUTCOME = "no_outcome"  # a claim was not verified: the verifier failed, or was not asked
    NO_ANSWER = "no_answer"  # an item was not judged
    NO_POSITIVE_WEIGHT = "no_positive_weight"  # nothing could be earned


@dataclass(frozen=True, slots=True)
class Item:
    """A judged item of a checklist.

    Attributes:
        weight: above 0 for a requirement, below 0 for a critical flaw; never 0.
        answer: one of `ANSWERS`, of a flaw: whether the response has it; None if not judged.
        depends_on: ids of claims.
    """

    id: str
    weight: int | Fraction
    answer: Fraction | int | None
    depends_on: Collection[str] = ()


@dataclass(frozen=True, slots=True)
class Counted:
    """How an item counted.

    Attributes:
        gated_by: ids of the claims below the threshold, in the order of the ids.
        value: s of equation 9, None where it is unknown.
        points: weight times value.
    """

    id: str
    answer: Fraction | None
    gated_by: tuple[str, ...]
    value: Fraction | None
    points: Fraction | None


@dataclass(frozen=True, slots=True)
class Scores:
    """The scores of a response. What is None cannot be known, and `why` says why.

    Attributes:
        s: the overall score, from 0 to 1; 0 for a response without a claim.
        reason: S_reason, from -alpha to 1; `reason_clipped` is its part above 0.
        evidence: S_evid, from 0 to 1.
        alpha: the most that flaws can take away.
        items: in the order they were given.
        why: in the order of `Why`. A score has none, but for a 0 of a response without a claim.
    """

    s: Fraction | None
    reason: Fraction | None
    reason_clipped: Fraction | None
    evidence: Fraction | None
    alpha: Fraction | None
    items: tuple[Counted, ...]
    why: tuple[Why, ...]


def value_of(verification: Verification, confidence: Fraction | int) -> Fraction:
    """Return V of a claim (Eq. 6), from the verifier's verdict and its confidence.

    Supported: the confidence, but no less than a claim that no source decides. Refuted: 0, however
    unsure the verifier is. Cannot be verified: `CANNOT_BE_VERIFIED`, however sure it is of that.

    Args:
        confidence: of the verdict, from 0 to 1.

    Raises:
        TypeError: the confidence is a float.
        ValueError: it is out of range.
    """
    sure = _fraction(confidence)
    if not 0 <= sure <= 1:
        raise ValueError("a confidence is from 0 to 1")
    if verification == Verification.REFUTED:
        return Fraction(0)
    if verification == Verification.UNVERIFIABLE:
        return CANNOT_BE_VERIFIED
    return max(sure, CANNOT_BE_VERIFIED)


def score(
    claims: Mapping[str, Fraction | int | None] | None,
    items: Sequence[Item],
    *,
    tau: Fraction = TAU,
) -> Scores:
    """Score a response.

    Args:
        claims: id -> V, None for a claim without an outcome; None before the response was taken
            apart.
        items: all of the query's checklist, and the reasoning items of the response.
        tau: the threshold of the gate.

    Raises:
        TypeError: a number is a float.
        ValueError: an id is used twice or unknown, an answer is none of `ANSWERS`, a weight is 0,
            or V is out of range.
    """
    known = {claim: None if v is None else _fraction(v) for claim, v in (claims or {}).items()}
    _check(known, items)
    counted = tuple(_count(item, known, tau) for item in items)

    above = sum((_fraction(max(item.weight, 0)) for item in items), Fraction(0))
    below = sum((_fraction(-min(item.weight, 0)) for item in items), Fraction(0))
    points = [one.points for one in counted if one.points is not None]
    reason = sum(points, Fraction(0)) / above if above and len(points) == len(items) else None
    clipped = None if reason is None else max(reason, Fraction(0))  # Eq. 10, and its part above 0

    values = [v for v in known.values() if v is not None]
    complete = values and len(values) == len(known)
    evidence = sum(values, Fraction(0)) / len(values) if complete else None  # Eq. 11

    # Items are asked for when all claims have an outcome, and nothing is before it is taken apart.
    unanswered = any(
        item.answer is None for item, one in zip(items, counted, strict=True) if not one.gated_by
    )
    apart, verified = claims is not None, len(values) == len(known)
    holds = {
        Why.NOT_TAKEN_APART: not apart,
        Why.NO_EVIDENCE: apart and not known,
        Why.NO_OUTCOME: not verified,
        Why.NO_ANSWER: apart and verified and unanswered,
        Why.NO_POSITIVE_WEIGHT: apart and not above,
    }
    why = tuple(reason for reason, here in holds.items() if here)
    s = None if clipped is None or evidence is None or why else clipped * evidence  # Eq. 12
    if why == (Why.NO_EVIDENCE,):
        s = Fraction(0)
    return Scores(s, reason, clipped, evidence, below / above if above else None, counted, why)


def density(s: Fraction | None, tokens: int) -> float | None:
    """Return the knowledge density U = S / ln(tokens + 1) (Eq. 17).

    The paper writes "log" without a base; the figures of its table 2 fit the natural one alone.

    Args:
        tokens: of the response.

    Returns:
        None without a score or without tokens.

    Raises:
        ValueError: the number of tokens is negative.
    """
    if tokens < 0:
        raise ValueError("a response has no fewer than 0 tokens")
    return None if s is None or tokens == 0 else float(s) / log(tokens + 1)


def _count(item: Item, claims: Mapping[str, Fraction | None], tau: Fraction) -> Counted:
    """Return how an item counts (Eq. 9).

    A closed gate gives the worst value, so such an item needs no answer. While the gate may still
    close, because a claim has no outcome, the value is unknown.
    """
    on = {claim: claims[claim] for claim in item.depends_on}
    gated_by = tuple(sorted(claim for claim, v in on.items() if v is not None and v < tau))
    answer = None if item.answer is None else _fraction(item.answer)
    value: Fraction | None
    if gated_by:
        value = Fraction(0) if item.weight > 0 else Fraction(1)
    else:
        value = None if None in on.values() else answer
    points = None if value is None else _fraction(item.weight) * value
    return Counted(item.id, answer, gated_by, value, points)


def _check(claims: Mapping[str, Fraction | None], items: Sequence[Item]) -> None:
    ids = [item.id for item in items]
    if len(ids) != len(set(ids)) or not claims.keys().isdisjoint(ids):
        raise ValueError("an id is used twice")
    if not all(v is None or 0 <= v <= 1 for v in claims.values()):
        raise ValueError("V is from 0 to 1")
    for item in items:
        if unknown := sorted(set(item.depends_on) - claims.keys()):
            raise ValueError(f"{item.id} depends on an unknown claim: {', '.join(unknown)}")
        if item.answer is not None and _fraction(item.answer) not in ANSWERS:
            raise ValueError(f"{item.id} has an answer other than 0, 1/2 and 1")
        if not _fraction(item.weight):
            raise ValueError(f"{item.id} has no weight")


def _fraction(number: Fraction | int) -> Fraction:
    """Return a number as a fraction. Raises TypeError for a float, which would not be exact."""
    if not isinstance(number, int | Fraction):
        raise TypeError("scores are computed from fractions")
    return Fraction(number)
