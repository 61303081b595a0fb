"""The statistics of scores of whole reports, against worked figures and scipy."""

import math
import statistics

import pytest
from scipy import stats as scipy_stats

from judge.base.stats.numbers import Reason
from judge.base.stats.report_scores import (
    correlation,
    fifths,
    instability,
    rater_agreement,
    trimmed_mean,
)


@pytest.mark.parametrize(
    ("grades", "mean"),
    [
        ([5, 1, 3, 3, 4], 10 / 3),  # appendix I: the highest and the lowest of five are left out
        ([1, 5, 5, 5, 5], 5),
        ([2, 4, 4], 4),
        ([2, 4], 3),
        ([4], 4),
    ],
)
def test_the_highest_and_the_lowest_grade_are_left_out(grades, mean):
    assert trimmed_mean(grades) == pytest.approx(mean)
    assert trimmed_mean(grades[::-1]) == trimmed_mean(grades)


def test_no_grade_has_no_mean():
    with pytest.raises(ValueError, match="no grade"):
        trimmed_mean([])


ROWS = [(n // 3, (n * 7 % 10) / 10, (n * 7 % 10 + n % 4) / 14) for n in range(60)]


def test_both_correlations_are_those_of_scipy_and_lie_inside_their_intervals():
    found = correlation(ROWS, resamples=300)
    targets, scored = [row[1] for row in ROWS], [row[2] for row in ROWS]
    assert found.n == 60
    assert found.pearson == pytest.approx(scipy_stats.pearsonr(targets, scored).statistic)
    assert found.spearman == pytest.approx(scipy_stats.spearmanr(targets, scored).statistic)
    for value, (low, high) in (
        (found.pearson, found.pearson_ci95),
        (found.spearman, found.spearman_ci95),
    ):
        assert low < value < high
    assert found == correlation(ROWS[::-1], resamples=300), "the order of rows changes nothing"


@pytest.mark.parametrize(
    ("rows", "name", "reason"),
    [
        ([], "pearson", Reason.NO_SCORES),
        ([(1, 0.5, 0.5)], "pearson", Reason.ONE_RESPONSE),
        ([(n, n / 10, n / 10) for n in range(9)], "spearman_ci95", Reason.NO_SPREAD),
        ([(1, 0.5, 0.2), (2, 0.5, 0.4)], "spearman", Reason.CONSTANT),
        ([(n, n / 10, n % 3) for n in range(5)], "pearson_ci95", Reason.FEW_TASKS),
    ],
)
def test_what_cannot_be_computed_has_its_reason(rows, name, reason):
    found = correlation(rows)
    assert getattr(found, name) is None
    assert found.why[name] == reason


def test_experts_agree_by_the_mean_of_their_pairs():
    grades = {
        "a": {1: 0.0, 2: 0.5, 3: 1.0},
        "b": {1: 0.0, 2: 0.5, 3: 1.0},
        "c": {1: 1.0, 2: 0.5, 3: 0.0},
        "d": {9: 0.5},
    }
    found = rater_agreement(grades)
    assert (found.raters, found.pairs) == (4, 3)
    assert found.mean_pearson == pytest.approx((1 - 1 - 1) / 3)
    assert rater_agreement({"a": {1: 0.5}}).why == Reason.NO_OVERLAP


def test_fifths_hold_every_response_once_and_a_calibrated_judge_has_both_alike():
    rows = [(n, n / 23, n / 23) for n in range(23)]
    found = fifths(rows)
    assert sum(part.n for part in found) == 23
    assert all(math.isclose(part.score, part.target) for part in found)
    assert [part.score for part in found] == sorted(part.score for part in found)
    assert [part.n for part in fifths(rows[:2])] == [1, 1]


def test_instability_is_the_mean_spread_of_a_response_over_its_runs():
    runs = [{1: 0.2, 2: 0.6, 3: 1.0}, {1: 0.4, 2: 0.6}, {1: 0.6, 2: 0.6}]
    spread = statistics.stdev([0.2, 0.4, 0.6])
    assert instability(runs) == pytest.approx(spread / 2)
    assert instability(runs[:1]) is None
    assert instability([{1: 0.1}, {2: 0.1}]) is None
