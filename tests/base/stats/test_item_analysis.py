"""Tasks and lines over the candidates, by hand and against scipy."""

import random
from fractions import Fraction
from itertools import combinations

import pytest
import scipy.stats

from judge.base.stats import item_analysis
from judge.base.stats.idle_lines import decides_nothing
from judge.base.stats.item_analysis import (
    Concern,
    Limits,
    analyse_tasks,
    correlation,
    mean_score,
    p_of_negative,
)
from judge.base.stats.numbers import Reason

WHO = ("A", "B", "C", "D", "E")
FEW = Limits(candidates=3, responses=3)


def analyse_lines(weights, rows, limits=None):
    """The lines of one task, analysed alone."""
    return item_analysis.analyse_lines({"t": (weights, rows)}, limits)["t"]


def said(*met: int | None) -> dict[str, bool | None]:
    return {f"l{n}": None if one is None else bool(one) for n, one in enumerate(met, start=1)}


class TestTasks:
    SCORES = {
        "t1": dict(zip(WHO, (0.2, 0.4, 0.6, 0.8, 1.0), strict=True)),
        "t2": dict(zip(WHO, (0.1, 0.3, 0.2, 0.6, 0.8), strict=True)),
        "t3": dict(zip(WHO, (0.9, 0.7, 0.5, 0.3, 0.1), strict=True)),
    }

    def test_difficulty_is_one_minus_the_mean_and_the_spread_is_the_standard_deviation(self):
        found = analyse_tasks(self.SCORES)["t1"]
        assert (found.candidates, found.mean) == (5, pytest.approx(0.6))
        assert found.difficulty == pytest.approx(0.4)
        assert found.spread == pytest.approx(0.1**0.5)  # (.16 + .04 + 0 + .04 + .16) / 4

    def test_a_task_is_not_compared_with_itself(self):
        found = analyse_tasks(self.SCORES)
        # The rest of t1 is the mean of t2 and t3: .5 .5 .35 .45 .45. From the means, x is
        # −.4 −.2 0 .2 .4 and the rest .05 .05 −.1 0 0: the products sum to −.02 − .01 = −.03, the
        # squares to .4 and .015.
        assert found["t1"].discrimination == pytest.approx(-0.03 / (0.4 * 0.015) ** 0.5)
        assert found["t3"].discrimination == pytest.approx(
            correlation([0.9, 0.7, 0.5, 0.3, 0.1], [0.15, 0.35, 0.4, 0.7, 0.9])
        )
        assert found["t3"].concerns == (Concern.REVERSED,)

    def test_who_answered_only_hard_tasks_is_not_taken_for_weak(self):
        easy = dict(zip(WHO, (0.7, 0.75, 0.8, 0.85, 0.9), strict=True))
        hard = {"A": 0.0, "B": 0.05, "C": 0.1, "E": 0.2}
        task = dict(zip(WHO, (0.1, 0.2, 0.3, 0.4, 0.5), strict=True))
        # D has no answer to the hard task. Its plain mean of the others (.85) would be the best.
        found = analyse_tasks({"easy": easy, "hard": hard, "task": task}, FEW)["task"]
        rests = [
            ((0.7 - 0.8) + (0.0 - 0.0875)) / 2,
            ((0.75 - 0.8) + (0.05 - 0.0875)) / 2,
            ((0.8 - 0.8) + (0.1 - 0.0875)) / 2,
            0.85 - 0.8,
            ((0.9 - 0.8) + (0.2 - 0.0875)) / 2,
        ]
        r = scipy.stats.pearsonr([0.1, 0.2, 0.3, 0.4, 0.5], rests).statistic
        assert found.discrimination == pytest.approx(r)
        assert r > 0.99

    def test_what_cannot_be_said_has_its_reason(self):
        assert analyse_tasks({"t": {}})["t"].why["mean"] is Reason.NO_SCORES
        alone = analyse_tasks({"t": self.SCORES["t1"]})["t"]
        assert (alone.discrimination, alone.why["discrimination"]) == (None, Reason.ONE_TASK)
        two = {key: {w: row[w] for w in "AB"} for key, row in self.SCORES.items()}
        assert analyse_tasks(two)["t1"].why["discrimination"] is Reason.FEW_CANDIDATES
        same = {**self.SCORES, "t1": dict.fromkeys(WHO, 0.5)}
        assert analyse_tasks(same)["t1"].why["discrimination"] is Reason.CONSTANT
        level = {"t1": self.SCORES["t1"], "t2": dict.fromkeys(WHO, 0.5)}
        assert analyse_tasks(level)["t1"].why["discrimination"] is Reason.NO_SPREAD_IN_THE_REST

    def test_a_task_is_saturated_if_every_candidate_reaches_the_limit(self):
        rows = {
            "full": dict.fromkeys(WHO, Fraction(19, 20)),
            "nearly": {**dict.fromkeys(WHO, Fraction(1)), "E": Fraction(94, 100)},
            "none": dict.fromkeys(WHO, Fraction(0)),
        }
        found = analyse_tasks(rows)
        assert found["full"].concerns == (Concern.SATURATED,)
        assert (found["nearly"].saturated, found["nearly"].concerns) == (4, ())
        assert (found["none"].no_points, found["none"].concerns) == (5, (Concern.NO_POINTS,))
        assert analyse_tasks(rows, Limits(candidates=6))["full"].concerns == ()


class TestLines:
    WEIGHTS = {"l1": 4, "l2": 3, "l3": 2, "l4": 1}

    def test_share_and_correlation_with_the_rest_of_the_task(self):
        rows = [("A", said(1, 1, 1, 1)), ("B", said(1, 1, 0, 0)), ("C", said(0, 0, 1, 1))]
        found = analyse_lines(self.WEIGHTS, rows, FEW)
        one = found["l1"]
        assert (one.responses, one.met, one.share) == (3, 2, 2 / 3)
        # Rest of l1: 6/6, 3/6, 3/6.
        assert one.discrimination == pytest.approx(correlation([1, 1, 0], [1, 0.5, 0.5]))
        assert one.discrimination == pytest.approx(0.5)

    def test_a_response_without_a_verdict_counts_on_the_lines_it_has(self):
        rows = [("A", said(1, None, 1, 1)), ("B", said(1, 1, 0, 0)), ("C", said(0, 0, 1, 1))]
        found = analyse_lines(self.WEIGHTS, rows, FEW)
        assert (found["l1"].responses, found["l2"].responses) == (3, 2)
        assert found["l1"].complete == 2
        assert found["l1"].why["discrimination"] is Reason.FEW_RESPONSES

    def test_always_and_never_met_need_enough_responses(self):
        rows = [(f"A{n}", said(1, 0, n % 2, n % 3 == 0)) for n in range(8)]
        found = analyse_lines(self.WEIGHTS, rows)
        assert found["l1"].concerns == (Concern.ALWAYS_MET,)
        assert found["l2"].concerns == (Concern.NEVER_MET,)
        assert analyse_lines(self.WEIGHTS, rows[:7])["l1"].concerns == ()

    def test_lines_are_redundant_if_the_same_responses_meet_them(self):
        rows = [(f"A{n}", said(n < 4, n < 4, n % 2, n < 1)) for n in range(8)]
        found = analyse_lines(self.WEIGHTS, rows)
        assert (found["l1"].twins, found["l2"].twins) == (("l2",), ("l1",))
        assert found["l3"].twins == ()
        # Met by one response alone is soon alike by chance.
        lone = [(f"A{n}", said(n < 1, n < 1, n % 2, n < 4)) for n in range(8)]
        assert analyse_lines(self.WEIGHTS, lone)["l1"].twins == ()

    def test_a_line_met_by_the_weak_and_missed_by_the_strong_is_reversed(self):
        rows = [(f"A{n}", said(n < 5, n >= 5, n >= 4, n >= 6)) for n in range(10)]
        found = analyse_lines(self.WEIGHTS, rows)["l1"]
        assert found.discrimination is not None
        assert found.discrimination < -0.9
        assert Concern.REVERSED in found.concerns

    def test_the_only_line_of_a_task_has_no_rest(self):
        rows = [(f"A{n}", said(n % 2)) for n in range(8)]
        found = analyse_lines({"l1": 5}, rows)["l1"]
        assert found.why["discrimination"] is Reason.ONE_LINE


class TestDecidesNothing:
    def test_by_hand(self):
        # A has 10 points of the other lines and misses the last; B has none and meets it. Even at
        # weight 10 the last line would make a tie, which is another order: it decides something.
        weights = {"l1": 10, "l2": 1}
        assert decides_nothing(weights, [("A", said(1, 0)), ("B", said(0, 1))])["l2"] is False
        # With 11 points ahead no weight up to 10 catches up.
        weights = {"l1": 10, "l2": 1, "l3": 1}
        rows = [("A", said(1, 1, 0)), ("B", said(0, 0, 1))]
        assert decides_nothing(weights, rows) == {"l1": False, "l2": True, "l3": True}

    def test_a_line_that_breaks_a_tie_decides(self):
        rows = [("A", said(1, 0, 1)), ("B", said(1, 0, 0))]
        assert decides_nothing({"l1": 3, "l2": 3, "l3": 1}, rows) == {
            "l1": True,
            "l2": True,
            "l3": False,
        }

    def test_several_responses_of_a_candidate_count_by_their_mean(self):
        weights = {"l1": 10, "l2": 10, "l3": 1}
        rows = [("A", said(1, 1, 0)), ("A", said(1, 0, 0)), ("B", said(0, 0, 1))]
        # A is 15 points ahead without l3.
        assert decides_nothing(weights, rows)["l3"] is True
        rows[1] = ("A", said(0, 0, 0))  # now 10
        assert decides_nothing(weights, rows)["l3"] is False

    def test_one_candidate_has_nobody_to_be_compared_with(self):
        assert decides_nothing({"l1": 1}, [("A", said(1))]) == {}
        found = analyse_lines({"l1": 1}, [("A", said(1))])["l1"]
        assert (found.idle, found.why["idle"]) == (None, Reason.FEW_CANDIDATES)

    def test_it_is_what_trying_every_weight_finds(self):
        draw = random.Random(5)
        for _ in range(60):
            lines = [f"l{n}" for n in range(1, 6)]
            weights = {line: draw.randint(1, 14) for line in lines}
            rows = [
                (who, {line: draw.random() < 0.6 for line in lines})
                for who in draw.choices("ABCD", k=6)
            ]
            if len({who for who, _ in rows}) > 1:
                assert decides_nothing(weights, rows) == {
                    line: tried(line, weights, rows) for line in lines
                }


def tried(line, weights, rows) -> bool:
    """Whether no weight from 0 to 10 (or the present one) changes an order, by trying each."""

    def orders(weight):
        changed = {**weights, line: weight}
        below = sum(changed.values())
        means = {
            who: Fraction(
                sum(changed[k] for w, s in rows if w == who for k, x in s.items() if x),
                below * sum(w == who for w, _ in rows),
            )
            for who, _ in rows
        }
        return [(a > b) - (a < b) for a, b in combinations([means[w] for w in sorted(means)], 2)]

    now = orders(weights[line])
    return all(orders(w) == now for w in range(max(10, weights[line]) + 1))


def test_the_chance_of_a_negative_correlation_is_that_of_scipy():
    draw = random.Random(1)
    for n in (3, 5, 14):
        xs, ys = [draw.random() for _ in range(n)], [draw.random() for _ in range(n)]
        known = scipy.stats.pearsonr(xs, ys, alternative="less")
        r = correlation(xs, ys)
        assert r == pytest.approx(known.statistic)
        assert p_of_negative(r, n) == pytest.approx(known.pvalue)
    assert p_of_negative(-1.0, 5) == 0
    assert p_of_negative(-0.9, 2) == 1


def test_the_mean_score_is_exact():
    assert mean_score({"l1": 3, "l2": 4}, [said(1, 0), said(0, 1)]) == Fraction(1, 2)
    assert mean_score({"l1": 3}, []) is None
