"""Technology-market fit: products and demand on a performance-cost graph, in exact fractions.

After xbench (arXiv:2506.13651), section 5.2 and figure 9: what products offer and what the market
pays are two regions of the graph of cost and performance; where they intersect, technology has met
its market, and the area is the value of the agent per task. The paper prints no formula, so these
are our own definitions (docs/market_fit.md has the reasons):

- Performance q is a score from 0 to 100, cost c is US dollars per task; both scales are linear.
- Accessible: (q, c) where some product costs at most c and scores at least q. Its boundary, the
  frontier, are the products that no other one dominates.
- Acceptable: (q, c) where c is at most what the market pays for q. It pays nothing below the first
  point of demand, between points along a straight line, above the last point as much as there. Up
  to the score of a human it pays at most what the human costs.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import IntEnum, StrEnum
from fractions import Fraction
from typing import NamedTuple

TOP = Fraction(100)
NEARLY_ALL = Fraction(9, 10)  # of the tasks, for stage 3; the paper gives no number
FEWEST_TASKS = 20  # with fewer, nothing is said of "nearly all tasks"


class Stage(IntEnum):
    """The three stages of figure 9."""

    NO_FIT = 1
    COLLABORATING = 2
    SPECIALISED = 3


class Unknown(StrEnum):
    """Why a figure is None."""

    NO_SCORE = "no product has a score"
    NO_PRICE = "no product with a score has a price"
    NO_DEMAND = "neither demand nor human labour is known"
    NO_HUMAN_SCORE = "the human score is not known"
    NO_HUMAN_COST = "human labour is known for no task"
    FEW_TASKS = "too few tasks"


class Offer(NamedTuple):
    """A product: its mean score 0 to 100, and its price in US dollars per task, 0 if free."""

    product: str
    score: Fraction
    price: Fraction


class Point(NamedTuple):
    """The market pays at most `price` US dollars per task for a score of `score`."""

    score: Fraction
    price: Fraction


class Piece(NamedTuple):
    """Demand between two scores: a straight line from `left` to `right` dollars."""

    start: Fraction
    end: Fraction
    left: Fraction
    right: Fraction


@dataclass(frozen=True, slots=True)
class Demand:
    """What the market pays by score; nothing below `pieces[0].start`."""

    pieces: tuple[Piece, ...]

    @property
    def start(self) -> Fraction:
        return self.pieces[0].start

    def at(self, score: Fraction) -> Fraction | None:
        """Return the most the market pays for a score; None where it buys nothing.

        Where demand jumps, at the human score, the lower value counts.
        """
        for piece in self.pieces:
            if piece.start <= score <= piece.end:
                return _on(piece, score)
        return None


@dataclass(frozen=True, slots=True)
class Coverage:
    """On how many tasks a product reaches the human score for less than the human costs.

    Attributes:
        share: None with its reason in `why`.
        tasks: those whose human cost is known.
    """

    share: Fraction | None
    covered: int
    tasks: int
    why: Unknown | None


@dataclass(frozen=True, slots=True)
class Fit:
    """The stage of a domain and what it rests on; a None has its reason in `why`.

    Attributes:
        stage, area: None without an offer or without demand. The area is in dollars × points.
        meeting: the products that meet demand, cheapest first.
    """

    stage: Stage | None
    area: Fraction | None
    meeting: tuple[Offer, ...]
    frontier: tuple[Offer, ...]
    coverage: Coverage
    why: Unknown | None


def frontier(offers: Iterable[Offer]) -> tuple[Offer, ...]:
    """Return the offers that no other dominates, cheapest first."""
    found = list(offers)
    kept = [offer for offer in found if not dominators(offer, found)]
    return tuple(sorted(kept, key=lambda offer: (offer.price, offer.score, offer.product)))


def dominators(offer: Offer, offers: Iterable[Offer]) -> tuple[str, ...]:
    """Return the products that score no less and cost no more, and differ in one of the two."""
    return tuple(
        sorted(
            other.product
            for other in offers
            if other.score >= offer.score
            and other.price <= offer.price
            and (other.score, other.price) != (offer.score, offer.price)
        )
    )


def demand(
    points: Sequence[Point], *, human_score: Fraction | None, human_cost: Fraction | None
) -> Demand | None:
    """Return the demand curve; without points it is the human's cost from the human's score on.

    Args:
        points: by rising score; prices do not fall.
        human_score, human_cost: of a professional on these tasks; None where not known. Together
            they are the ceiling up to the human score.

    Returns:
        None without points, unless human score and human cost are both known.

    Raises:
        ValueError: scores do not rise, a price falls, or a value is out of range.
    """
    _check(points)
    if not points:
        if human_score is None or human_cost is None:
            return None
        return Demand((Piece(human_score, TOP, human_cost, human_cost),))
    pieces = [
        Piece(first.score, second.score, first.price, second.price)
        for first, second in zip(points, points[1:], strict=False)
    ]
    last = points[-1]
    pieces.append(Piece(last.score, TOP, last.price, last.price))
    if human_score is not None and human_cost is not None:
        pieces = [part for piece in pieces for part in _capped(piece, human_score, human_cost)]
    return Demand(tuple(pieces))


def area(offers: Iterable[Offer], curve: Demand) -> Fraction:
    """Return the area between frontier and demand where demand is above, in dollars × points.

    It is the integral over scores of max(0, demand − price of the cheapest product that scores as
    much), piece by piece and exact.
    """
    total = Fraction(0)
    below = Fraction(0)
    for offer in frontier(offers):
        for piece in curve.pieces:
            start, end = max(piece.start, below), min(piece.end, offer.score)
            if start < end:
                total += _positive(
                    end - start, _on(piece, start) - offer.price, _on(piece, end) - offer.price
                )
        below = max(below, offer.score)
    return total


def coverage(
    scores: Mapping[str, Mapping[str, Fraction]],
    prices: Mapping[str, Fraction],
    costs: Mapping[str, Fraction],
    human_score: Fraction | None,
) -> Coverage:
    """Count the tasks that some product does as well as a human and for less.

    Args:
        scores: product -> task -> score 0 to 100.
        prices: product -> dollars per task.
        costs: task -> dollars of human labour.
    """
    if not costs:
        return Coverage(None, 0, 0, Unknown.NO_HUMAN_COST)
    if human_score is None:
        return Coverage(None, 0, len(costs), Unknown.NO_HUMAN_SCORE)
    covered = sum(
        any(
            task in scores.get(product, {})
            and scores[product][task] >= human_score
            and price < cost
            for product, price in prices.items()
        )
        for task, cost in costs.items()
    )
    few = len(costs) < FEWEST_TASKS
    return Coverage(
        None if few else Fraction(covered, len(costs)),
        covered,
        len(costs),
        Unknown.FEW_TASKS if few else None,
    )


def fit(offers: Sequence[Offer], curve: Demand | None, covered: Coverage) -> Fit:
    """Return the stage of a domain.

    Stage 1: no product meets demand. Stage 2: one does. Stage 3: also `NEARLY_ALL` of the tasks
    are covered, at least `FEWEST_TASKS` of them being known.
    """
    edge = frontier(offers)
    if not offers or curve is None:
        why = Unknown.NO_DEMAND if offers else Unknown.NO_PRICE
        return Fit(None, None, (), edge, covered, why)
    meeting = tuple(
        offer
        for offer in edge
        if (paid := curve.at(offer.score)) is not None and offer.price <= paid
    )
    stage = Stage.NO_FIT
    if meeting:
        stage = Stage.COLLABORATING
        if covered.share is not None and covered.share >= NEARLY_ALL:
            stage = Stage.SPECIALISED
    return Fit(stage, area(offers, curve), meeting, edge, covered, None)


def _check(points: Sequence[Point]) -> None:
    if any(not 0 <= point.score <= TOP or point.price <= 0 for point in points):
        raise ValueError("a point of demand has a score of 0 to 100 and a price above 0")
    for first, second in zip(points, points[1:], strict=False):
        if second.score <= first.score or second.price < first.price:
            raise ValueError("scores of demand rise, and prices do not fall")


def _on(piece: Piece, score: Fraction) -> Fraction:
    if piece.end == piece.start:
        return piece.left
    return piece.left + (piece.right - piece.left) * (score - piece.start) / (
        piece.end - piece.start
    )


def _capped(piece: Piece, human_score: Fraction, human_cost: Fraction) -> list[Piece]:
    """Cut a piece at the human score, and lower what lies up to it to the human's cost."""
    if piece.start > human_score:
        return [piece]
    until = min(piece.end, human_score)
    low = _lowered(Piece(piece.start, until, piece.left, _on(piece, until)), human_cost)
    if until == piece.end:
        return low
    return [*low, Piece(until, piece.end, _on(piece, until), piece.right)]


def _lowered(piece: Piece, ceiling: Fraction) -> list[Piece]:
    if piece.right <= ceiling:
        return [piece]
    if piece.left >= ceiling:
        return [Piece(piece.start, piece.end, ceiling, ceiling)]
    cross = piece.start + (ceiling - piece.left) * (piece.end - piece.start) / (
        piece.right - piece.left
    )
    return [
        Piece(piece.start, cross, piece.left, ceiling),
        Piece(cross, piece.end, ceiling, ceiling),
    ]


def _positive(width: Fraction, left: Fraction, right: Fraction) -> Fraction:
    """Return the area above 0 under a straight line from `left` to `right`."""
    if left >= 0 and right >= 0:
        return width * (left + right) / 2
    if left <= 0 and right <= 0:
        return Fraction(0)
    above = max(left, right)
    return width * above * above / (2 * abs(right - left))
