"""Correlations and bias of scores, against scipy and by hand."""

import warnings
from fractions import Fraction

import pytest
import scipy.stats
from hypothesis import given, settings
from hypothesis import strategies as st

from judge.base.stats.numbers import Reason
from judge.base.stats.scores import mean_ranks, scores

CORRELATIONS = ("pearson", "spearman", "kendall")


def test_bias_and_error_are_in_points_of_100_and_kindness_is_positive():
    report = scores([(Fraction(1, 2), Fraction(3, 5)), (Fraction(1, 4), Fraction(1, 5)), (1, 1)])
    assert report.mean_bias == pytest.approx(5 / 3)  # (10 - 5 + 0) / 3
    assert report.mae == pytest.approx(5)  # (10 + 5 + 0) / 3


def test_equal_columns_correlate_fully():
    report = scores([(n / 7, n / 7) for n in range(7)])
    assert [getattr(report, name) for name in CORRELATIONS] == pytest.approx([1, 1, 1])
    assert (report.kendall, report.mean_bias, report.mae) == (1, 0, 0)
    turned = scores([(n / 7, 1 - n / 7) for n in range(7)])
    assert [getattr(turned, name) for name in CORRELATIONS] == pytest.approx([-1, -1, -1])


def test_a_missing_judge_score_takes_no_part_and_is_counted():
    report = scores([(0.5, 0.6), (0.1, None), (0.2, 0.3), (0.9, 0.9)])
    assert (report.responses, report.missing) == (3, 1)


@pytest.mark.parametrize(
    ("pairs", "reason"),
    [
        ([(0.5, 0.6)], Reason.ONE_RESPONSE),
        ([(0.5, 0.6), (0.5, 0.7)], Reason.CONSTANT),
        ([(0.4, 0.3), (0.5, 0.1 + 0.2)], Reason.CONSTANT),
    ],
)
def test_one_response_or_a_constant_column_has_a_bias_but_no_correlation(pairs, reason):
    report = scores(pairs)
    assert [getattr(report, name) for name in CORRELATIONS] == [None] * 3
    assert report.why == dict.fromkeys(CORRELATIONS, reason)
    assert report.mean_bias is not None


def test_nothing_to_compare_is_undefined_with_the_reason():
    assert set(scores([]).why.values()) == {Reason.NO_SCORES}
    silent = scores([(0.5, None)])
    assert (silent.mean_bias, silent.mae) == (None, None)
    assert set(silent.why.values()) == {Reason.NONE_JUDGED}
    assert silent.as_dict()["why"]["mae"] == "nothing judged"


def test_tiny_scores_do_not_vanish():
    assert scores([(n * 1e-200, n * 1e-200) for n in range(4)]).pearson == pytest.approx(1)


def test_scores_that_are_not_finite_or_lack_the_expert_are_refused():
    with pytest.raises(ValueError, match="finite"):
        scores([(0.5, float("nan"))])
    with pytest.raises(ValueError, match="expert"):
        scores([(None, 0.5)])


def test_report_has_the_names_of_the_command():
    assert {*CORRELATIONS, "mean_bias", "mae", "responses"} <= set(scores([]).as_dict())


value = st.one_of(
    st.integers(0, 8).map(lambda n: n / 8), st.floats(0, 1).map(lambda x: round(x, 6))
)
pairs = st.lists(st.tuples(value, value), min_size=2, max_size=40)


@settings(max_examples=80, deadline=None)
@given(pairs)
def test_correlations_are_those_of_scipy(rows):
    report = scores(rows)
    if report.why:
        return
    experts, judges = zip(*rows, strict=True)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        expected = [
            float(scipy.stats.pearsonr(experts, judges).statistic),
            float(scipy.stats.spearmanr(experts, judges).statistic),
            float(scipy.stats.kendalltau(experts, judges).statistic),
        ]
    found = [getattr(report, name) for name in CORRELATIONS]
    assert found == pytest.approx(expected, abs=1e-7)


@settings(max_examples=80, deadline=None)
@given(st.lists(value, max_size=40))
def test_tied_values_share_their_mean_rank_as_in_scipy(values):
    assert mean_ranks(values).tolist() == scipy.stats.rankdata(values).tolist()


@settings(max_examples=60, deadline=None)
@given(pairs, st.randoms())
def test_the_order_of_responses_changes_nothing(rows, random):
    assert scores(random.sample(rows, len(rows))) == scores(rows)
