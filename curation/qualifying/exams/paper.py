"""Drawing a paper from an exam's bank by its blueprint. Pure functions that need no keys."""

import random
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import Protocol


@dataclass(frozen=True)
class BankQuestion:
    """A question of the bank, reduced to what a draw needs.

    Attributes:
        size: number of its options; 0 if it has none.
    """

    pk: int
    topic: str
    difficulty: int
    ordering: bool
    size: int


class Row(Protocol):
    """A row of a blueprint: the number of questions of a topic, of one difficulty or of any."""

    topic: str
    difficulty: int | None
    count: int


@dataclass(frozen=True)
class Shortfall:
    """A row of the blueprint that the bank cannot fill."""

    topic: str
    difficulty: int | None
    count: int
    have: int


def _candidates_by_row(
    bank: Sequence[BankQuestion], blueprint: Sequence[Row]
) -> tuple[list[tuple[Row, list[BankQuestion]]], list[Shortfall]]:
    """Return the questions that each row may draw from, and the rows that have too few.

    Rows that name a difficulty come first. They never compete with each other, so the number of
    questions they leave is certain, whichever they draw: a row for any difficulty of the topic
    needs its own number in addition to theirs.
    """
    candidates, short = [], []
    for row in sorted(blueprint, key=lambda r: (r.difficulty is None, r.topic, r.difficulty or 0)):
        fits = [
            question
            for question in bank
            if question.topic == row.topic and row.difficulty in (None, question.difficulty)
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
        candidates.append((row, fits))
    return candidates, short


def shortfalls(bank: Sequence[BankQuestion], blueprint: Sequence[Row]) -> list[Shortfall]:
    """Return the rows of the blueprint that the bank cannot fill."""
    return _candidates_by_row(bank, blueprint)[1]


def draw(
    bank: Sequence[BankQuestion],
    blueprint: Sequence[Row],
    *,
    rng: random.Random,
    shuffle: bool,
    seen: Collection[int] = (),
) -> list[tuple[int, list[int]]]:
    """Draw a paper: (question, order of its options), in the order of asking.

    Without a blueprint every question is drawn. Questions in `seen` (of earlier attempts) are
    drawn only if the bank has no others. The options of an ordering are always shuffled, because
    the bank may hold them in the right order.

    Args:
        bank: the active questions, in the bank's order.
        rng: `secrets.SystemRandom()` in the product, a seeded one in tests.
        shuffle: shuffle questions and options; otherwise they keep the bank's order.

    Returns:
        (primary key of the question, index in the bank for each shown option).

    Raises:
        ValueError: a row cannot be filled; call `shortfalls` first.
    """
    taken: set[int] = set()
    candidates, short = _candidates_by_row(bank, blueprint)
    if short:
        raise ValueError("The bank cannot fill the blueprint.")
    for row, fits in candidates:
        left = [question for question in fits if question.pk not in taken]
        rng.shuffle(left)
        left.sort(key=lambda question: question.pk in seen)  # stable: keeps the shuffle
        taken |= {question.pk for question in left[: row.count]}
    paper = [question for question in bank if question.pk in taken or not blueprint]
    if shuffle:
        rng.shuffle(paper)
    return [(question.pk, _order(question, rng, shuffle)) for question in paper]


def _order(question: BankQuestion, rng: random.Random, shuffle: bool) -> list[int]:
    order = list(range(question.size))
    if shuffle or question.ordering:
        rng.shuffle(order)
    return order
