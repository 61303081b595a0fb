"""Lines named as reversed among many: how often by chance, and whether the real ones are found."""

import random
from itertools import combinations
from math import comb

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from judge.base.stats.item_analysis import CHANCE, Concern, analyse_lines, analyse_tasks
from judge.base.stats.tests import p_of_low_sum

ANALYSES = 150
MOST = 0.1  # of them name anything; the stated 5 % plus three standard errors of 1.8 points


@settings(max_examples=100, deadline=None)
@given(st.lists(st.tuples(st.integers(0, 9), st.booleans()), min_size=2, max_size=9))
def test_the_chance_of_a_low_sum_is_that_of_every_possible_choice(members):
    points, chosen = zip(*members, strict=True)
    size = sum(chosen)
    observed = sum(p for p, one in members if one)
    low = sum(sum(some) <= observed for some in combinations(points, size))
    assert p_of_low_sum(points, chosen) == pytest.approx(low / comb(len(points), size), abs=1e-12)


def test_the_chance_of_a_low_sum_stays_exact_where_there_are_many_members():
    # One of a thousand has the fewest points: it is drawn once in a thousand.
    assert p_of_low_sum([3, *[7] * 999], [True, *[False] * 999]) == pytest.approx(0.001)


def independent(rng, tasks, lines, responses):
    """Verdicts in which no line has to do with another, some lines seldom met, some often."""
    found = {}
    for task in range(tasks):
        shares = [rng.uniform(0.1, 0.9) for _line in range(lines)]
        found[task] = (
            {line: rng.randint(1, 10) for line in range(lines)},
            [
                (f"c{n}", {line: rng.random() < share for line, share in enumerate(shares)})
                for n in range(responses)
            ],
        )
    return found


def with_broken_responses(rng, tasks, lines, responses):
    """Half the lines fall together in a broken response; the others are seldom met, by chance."""
    found = {}
    for task in range(tasks):
        rows = []
        for n in range(responses):
            broken = rng.random() < 0.08
            said = {
                line: rng.random() < 0.1 if line % 2 else not broken and rng.random() < 0.97
                for line in range(lines)
            }
            rows.append((f"c{n}", said))
        found[task] = ({line: rng.randint(1, 10) for line in range(lines)}, rows)
    return found


def reversed_lines(found):
    return [
        (task, line)
        for task, lines in found.items()
        for line, figures in lines.items()
        if Concern.REVERSED in figures.concerns
    ]


class TestWhereNothingIsToBeFound:
    @pytest.mark.parametrize(
        ("world", "size"),
        [
            (independent, (4, 15, 12)),
            (independent, (30, 3, 8)),  # where Student's t names some in one analysis of six
            (with_broken_responses, (10, 6, 20)),  # and here in three of ten
        ],
    )
    def test_few_analyses_name_any_line(self, world, size):
        rng = random.Random(7)
        named = sum(
            bool(reversed_lines(analyse_lines(world(rng, *size)))) for _n in range(ANALYSES)
        )
        assert named / ANALYSES <= MOST

    def test_without_the_correction_nearly_every_analysis_would_name_one(self):
        rng = random.Random(7)
        named = 0
        for _n in range(20):
            found = analyse_lines(independent(rng, 4, 15, 12))
            named += any(
                figures.p_reversed is not None and figures.p_reversed <= CHANCE
                for lines in found.values()
                for figures in lines.values()
            )
        assert named >= 15

    def test_few_analyses_name_any_task(self):
        rng = random.Random(7)
        named = 0
        for _n in range(ANALYSES):
            scores = {
                task: {f"c{n}": sum(rng.random() < 0.6 for _l in range(15)) / 15 for n in range(6)}
                for task in range(40)
            }
            found = analyse_tasks(scores).values()
            named += any(Concern.REVERSED in figures.concerns for figures in found)
        assert named / ANALYSES <= MOST


class TestWhatIsToBeFound:
    def test_a_line_that_really_is_reversed_is_found_among_hundreds(self):
        rng = random.Random(7)
        found = independent(rng, 19, 15, 30)
        # One task in which the stronger meet more of every line but the last, which they miss.
        rows = []
        for n in range(30):
            said = {line: rng.random() < n / 30 for line in range(14)}
            rows.append((f"c{n}", {**said, 14: n < 12}))
        found["real"] = (dict.fromkeys(range(15), 5), rows)
        assert ("real", 14) in reversed_lines(analyse_lines(found))

    def test_a_corrected_chance_is_never_below_the_plain_one(self):
        found = analyse_lines(independent(random.Random(7), 5, 15, 12))
        for lines in found.values():
            for figures in lines.values():
                if figures.p_reversed is not None:
                    assert figures.p_reversed <= figures.q_reversed <= 1
