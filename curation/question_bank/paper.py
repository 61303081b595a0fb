"""Drawing an exam's paper from the bank by its blueprint. Pure; a key is never asked for."""

import random
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import Protocol


@dataclass(frozen=True)
class Card:
    """A question of the bank, as far as a draw must know it.

    Attributes:
        size: number of its options; 0 where nothing can be shuffled.
    """

    pk: int
    topic: str
    difficulty: int
    ordering: bool
    size: int


class Row(Protocol):
    """A row of a blueprint: so many questions of a topic, of one difficulty or of any."""

    topic: str
    difficulty: int | None
    count: int


@dataclass(frozen=True)
class Shortfall:
    """A row the bank cannot fill."""

    topic: str
    difficulty: int | None
    count: int
    have: int


def _stacks(
    bank: Sequence[Card], blueprint: Sequence[Row]
) -> tuple[list[tuple[Row, list[Card]]], list[Shortfall]]:
    """For each row the cards it may take from, and the rows that have too few.

    Rows that name a difficulty come first. They never compete with each other, so what they leave
    is certain, whichever cards they take: a row for any difficulty of the topic needs its own
    number beside theirs.
    """
    stacks, short = [], []
    for row in sorted(blueprint, key=lambda r: (r.difficulty is None, r.topic, r.difficulty or 0)):
        fits = [
            card
            for card in bank
            if card.topic == row.topic and row.difficulty in (None, card.difficulty)
        ]
        have = len(fits)
        if row.difficulty is None:
            have -= sum(
                min(r.count, sum(c.topic == r.topic and c.difficulty == r.difficulty for c in bank))
                for r in blueprint
                if r.topic == row.topic and r.difficulty is not None
            )
        if have < row.count:
            short.append(Shortfall(row.topic, row.difficulty, row.count, max(0, have)))
        stacks.append((row, fits))
    return stacks, short


def shortfalls(bank: Sequence[Card], blueprint: Sequence[Row]) -> list[Shortfall]:
    """The rows of the blueprint that the bank cannot fill, with what there is for them."""
    return _stacks(bank, blueprint)[1]


def draw(
    bank: Sequence[Card],
    blueprint: Sequence[Row],
    *,
    rng: random.Random,
    shuffle: bool,
    seen: Collection[int] = (),
) -> list[tuple[int, list[int]]]:
    """A paper: (question, order of its options) in the order of asking.

    Without a blueprint every card is asked. Cards in `seen` (an earlier attempt) come only where
    the bank has no others. The options of an order are always shuffled, because the bank may hold
    them in the right one.

    Args:
        bank: the active questions, in the bank's order.
        rng: `secrets.SystemRandom()` in the product, a seeded one in tests.
        shuffle: questions and options anew; otherwise the bank's order.

    Returns:
        for each question its number and, for each shown place of an option, its place in the bank.

    Raises:
        ValueError: a row cannot be filled; ask `shortfalls` first.
    """
    taken: set[int] = set()
    stacks, short = _stacks(bank, blueprint)
    if short:
        raise ValueError("The bank cannot fill the blueprint.")
    for row, fits in stacks:
        left = [card for card in fits if card.pk not in taken]
        rng.shuffle(left)
        left.sort(key=lambda card: card.pk in seen)  # stable: chance decides among equals
        taken |= {card.pk for card in left[: row.count]}
    paper = [card for card in bank if card.pk in taken or not blueprint]
    if shuffle:
        rng.shuffle(paper)
    return [(card.pk, _order(card, rng, shuffle)) for card in paper]


def _order(card: Card, rng: random.Random, shuffle: bool) -> list[int]:
    order = list(range(card.size))
    if shuffle or card.ordering:
        rng.shuffle(order)
    return order
