"""A paper is drawn by its blueprint, and a bank that cannot fill it is told row by row."""

import random
from collections import Counter
from types import SimpleNamespace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from curation.qualifying.exams.paper import BankQuestion, draw, shortfalls


def card(pk: int, topic: str = "Bonds", difficulty: int = 2, *, size: int = 4) -> BankQuestion:
    return BankQuestion(pk, topic, difficulty, ordering=False, size=size)


def row(topic: str, count: int, difficulty: int | None = None) -> Any:
    return SimpleNamespace(topic=topic, count=count, difficulty=difficulty)


cards = st.lists(
    st.builds(card, st.integers(), st.sampled_from("AB"), st.integers(1, 3)),
    unique_by=lambda c: c.pk,
    max_size=20,
)
rows = st.lists(
    st.builds(
        row, st.sampled_from("AB"), st.integers(1, 4), st.one_of(st.none(), st.integers(1, 3))
    ),
    unique_by=lambda r: (r.topic, r.difficulty),
    max_size=5,
)


@given(cards, rows, st.integers())
def test_a_draw_fills_every_row_or_says_which_it_cannot(
    bank: list[BankQuestion], blueprint: list[Any], seed: int
) -> None:
    rng = random.Random(seed)
    if shortfalls(bank, blueprint):
        with pytest.raises(ValueError):
            draw(bank, blueprint, rng=rng, shuffle=True)
        return
    paper = [pk for pk, _order in draw(bank, blueprint, rng=rng, shuffle=True)]
    assert len(set(paper)) == len(paper)
    if not blueprint:
        assert sorted(paper) == sorted(c.pk for c in bank)
        return
    by_pk = {c.pk: c for c in bank}
    drawn = Counter((by_pk[pk].topic, by_pk[pk].difficulty) for pk in paper)
    for topic in "AB":
        wanted = sum(r.count for r in blueprint if r.topic == topic)
        assert sum(n for (t, _d), n in drawn.items() if t == topic) == wanted
        for r in blueprint:
            if r.topic == topic and r.difficulty:
                assert drawn[topic, r.difficulty] >= r.count


def test_a_row_for_any_difficulty_needs_its_number_beside_the_others() -> None:
    bank = [card(1, difficulty=1), card(2, difficulty=1), card(3, difficulty=3)]
    assert shortfalls(bank, [row("Bonds", 2, 1), row("Bonds", 1)]) == []
    short = shortfalls(bank, [row("Bonds", 2, 1), row("Bonds", 2)])
    assert [(s.difficulty, s.count, s.have) for s in short] == [(None, 2, 1)]
    short = shortfalls(bank, [row("Bonds", 1, 2), row("Loans", 1)])
    assert [(s.topic, s.difficulty, s.have) for s in short] == [("Bonds", 2, 0), ("Loans", None, 0)]


def test_without_shuffling_the_banks_order_stays_except_inside_an_order() -> None:
    bank = [card(3), BankQuestion(1, "Bonds", 2, ordering=True, size=9), card(2)]
    paper = draw(bank, [], rng=random.Random(1), shuffle=False)
    assert [pk for pk, _order in paper] == [3, 1, 2]
    orders = dict(paper)
    assert orders[3] == [0, 1, 2, 3]
    assert sorted(orders[1]) == list(range(9)) != orders[1]


def test_what_an_earlier_attempt_asked_comes_only_where_nothing_else_is_left() -> None:
    bank = [card(pk) for pk in range(1, 6)]
    for seed in range(20):
        paper = draw(bank, [row("Bonds", 3)], rng=random.Random(seed), shuffle=True, seen={1, 2, 3})
        drawn = {pk for pk, _order in paper}
        assert {4, 5} < drawn
