"""Item statistics are those of the textbook, and are silent where they would not mean anything."""

import random

import pytest
from scipy import stats

from curation.qualifying.exams.item_statistics import (
    Answered,
    Item,
    analyse,
    concern,
    correlation,
)


def papers(n: int, seed: int, *, questions: int = 8) -> list[Answered]:
    """Candidates of different strength; question 0 is worth one point, the others two."""
    rng = random.Random(seed)
    found = []
    for paper in range(n):
        strength = rng.random()
        for question in range(questions):
            right = rng.random() < 0.2 + 0.6 * strength
            possible = 2 if question else 1
            found.append(
                Answered(paper, question, possible if right else 0, possible, 10 + question)
            )
    return found


@pytest.mark.parametrize("seed", range(8))
def test_discrimination_is_the_point_biserial_with_the_rest(seed: int) -> None:
    rows = papers(60, seed)
    items = analyse(rows)
    for question, item in items.items():
        own = [row for row in rows if row.question == question]
        right = [row.points > 0 for row in own]
        rest = []
        for row in own:
            others = [r for r in rows if r.paper == row.paper and r.question != question]
            rest.append(sum(r.points for r in others) / sum(r.possible for r in others))
        expected = stats.pointbiserialr(right, rest)
        assert item.discrimination == pytest.approx(expected.statistic, abs=1e-12)
        assert item.difficulty == pytest.approx(sum(right) / len(right))
        assert item.seconds == 10 + question
        assert item.n == 60


def test_the_correlation_is_pearsons_for_partial_points_too() -> None:
    rng = random.Random(4)
    xs = [rng.choice([0, 1 / 3, 2 / 3, 1]) for _n in range(40)]
    ys = [x + rng.random() for x in xs]
    assert correlation(xs, ys) == pytest.approx(stats.pearsonr(xs, ys).statistic, abs=1e-12)
    assert correlation([1, 1, 1], [1, 2, 3]) is None


def test_nothing_is_said_about_few_answers_or_where_nothing_varies() -> None:
    few = analyse(papers(9, 1))[1]
    assert (few.discrimination, few.reason) == (None, "few")
    same = analyse([Answered(p, q, 1 if q == 0 else p % 2, 1) for p in range(12) for q in (0, 1)])
    assert (same[0].discrimination, same[0].reason) == (None, "same")
    assert (same[1].discrimination, same[1].reason) == (None, "rest")  # the rest never varies
    alone = analyse([Answered(p, 0, p % 2, 1) for p in range(12)])[0]
    assert (alone.discrimination, alone.reason) == (None, "few")  # there is no rest at all


def test_options_are_counted_with_the_strength_of_those_who_chose_them() -> None:
    rows = []
    for paper in range(12):
        strong = paper % 2
        rows.append(Answered(paper, 1, strong, 1))
        rows.append(Answered(paper, 0, 0 if strong else 1, 1, answer=[2 if strong else 0]))
    rows.append(Answered(99, 0, 0, 1, answer=None))
    item = analyse(rows)[0]
    assert item.chosen == {0: 6, 2: 6}
    assert item.empty == 1
    assert item.strong == {0: 0.0, 2: 1.0}
    assert item.seconds is None
    assert item.discrimination == pytest.approx(-1)


@pytest.mark.parametrize(
    ("item", "name"),
    [
        (Item(1, n=3, difficulty=0.5), "few"),
        (Item(1), "few"),
        (Item(1, n=20, difficulty=0.5, discrimination=-0.1), "reversed"),
        (Item(1, n=20, difficulty=0.5, discrimination=0.05, chosen={0: 10, 1: 10}), "weak"),
        (Item(1, n=20, difficulty=0.1, discrimination=0.3, chosen={0: 2, 1: 18}), "hard"),
        (Item(1, n=20, difficulty=0.97, discrimination=0.3, chosen={0: 19, 1: 1}), "easy"),
        (Item(1, n=20, difficulty=0.6, discrimination=0.3, chosen={0: 20}), "idle_option"),
        (
            Item(
                1,
                n=20,
                difficulty=0.6,
                discrimination=0.2,
                chosen={0: 12, 1: 8},
                strong={0: 0.5, 1: 0.6},
            ),
            "strong_distractor",
        ),
        (Item(1, n=20, difficulty=0.6, discrimination=0.3, chosen={0: 12, 1: 8}), ""),
    ],
)
def test_the_first_thing_to_look_at_is_named(item: Item, name: str) -> None:
    assert concern(item, options=2, key=[0])[1] == name


def test_what_is_worse_is_more_urgent() -> None:
    reversed_key = Item(1, n=20, difficulty=0.5, discrimination=-0.3)
    easy = Item(1, n=20, difficulty=0.99, discrimination=0.3)
    assert concern(reversed_key)[0] > concern(easy)[0] > concern(Item(1))[0]
