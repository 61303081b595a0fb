"""Agreement among experts, by hand and against scikit-learn."""

import math
import warnings
from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.metrics import cohen_kappa_score

from judge.base.stats.agreement import agreement
from judge.base.stats.numbers import Reason


def two(first, second):
    return [{"ann": int(a), "bo": int(b)} for a, b in zip(first, second, strict=True)]


def test_two_raters_by_hand():
    report = agreement(two("1111110000", "1111101000"))
    assert report.percent == Fraction(4, 5)
    assert report.kappa == Fraction(7, 12)  # (8/10 - 52/100) / (48/100)
    # 20 values, 12 ones and 8 zeros: expected 2*12*8/(20*19) = 48/95, observed 4/20
    assert report.alpha == Fraction(29, 48)  # 1 - (1/5) / (48/95) = 1 - 19/48
    assert (report.units, report.raters, report.why) == (10, 2, {})


def test_alpha_with_missing_labels_by_hand():
    units = [
        {"a": 1, "b": 1, "c": 0},  # 4 of 6 ordered pairs differ, each weighs 1/2: 2
        {"a": 0, "b": None, "c": 0},
        {"a": None, "b": 1, "c": None},  # only one label: takes no part
        {"a": 1, "b": 1},
    ]
    report = agreement(units)
    # 7 values: four 1, three 0. Observed 2/7; expected 2*4*3/(7*6) = 4/7.
    assert report.alpha == Fraction(1, 2)
    assert report.percent == Fraction(3, 5)  # pairs: 1 of 3, 1 of 1, 1 of 1
    assert (report.units, report.raters) == (3, 3)
    assert report.kappa is None
    assert report.why == {"kappa": Reason.NOT_TWO_RATERS}


def test_full_disagreement_and_full_agreement():
    assert agreement(two("10", "01")).kappa == -1
    # 4 values, two of each: observed 1, expected 2*2*2/(4*3) = 2/3
    assert agreement(two("10", "01")).alpha == Fraction(-1, 2)
    same = agreement(two("1100", "1100"))
    assert (same.percent, same.kappa, same.alpha) == (1, 1, 1)


def test_one_label_throughout_has_a_percentage_only():
    report = agreement(two("111", "111"))
    assert (report.percent, report.kappa, report.alpha) == (1, None, None)
    assert report.why == {"kappa": Reason.ONE_CLASS, "alpha": Reason.ONE_CLASS}


@pytest.mark.parametrize("units", [[], [{}], [{"a": 1}], [{"a": 1, "b": None}], [{"a": 0}] * 5])
def test_one_scorer_or_none_is_undefined_with_the_reason(units):
    report = agreement(units)
    assert (report.percent, report.kappa, report.alpha) == (None, None, None)
    assert set(report.why.values()) == {Reason.NO_OVERLAP}
    assert report.as_dict()["percent"] is None


labels = st.sampled_from([0, 1, None])
programmes = st.lists(
    st.dictionaries(st.sampled_from(["ann", "bo", "chi", "dee"]), labels), max_size=12
)


@settings(max_examples=80, deadline=None)
@given(st.lists(st.tuples(st.integers(0, 1), st.integers(0, 1)), min_size=1, max_size=30))
def test_kappa_is_that_of_scikit_learn(rows):
    first, second = zip(*rows, strict=True)
    report = agreement({"ann": a, "bo": b} for a, b in rows)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        expected = cohen_kappa_score(first, second, labels=[0, 1])
    if report.kappa is None:
        assert math.isnan(expected)
    else:
        assert float(report.kappa) == pytest.approx(expected, abs=1e-12)


@settings(max_examples=80, deadline=None)
@given(programmes, st.randoms())
def test_neither_the_order_of_scorers_nor_of_units_changes_anything(units, random):
    shuffled = [
        {rater: unit[rater] for rater in random.sample(sorted(unit), len(unit))}
        for unit in random.sample(units, len(units))
    ]
    assert agreement(shuffled) == agreement(units)


@settings(max_examples=80, deadline=None)
@given(programmes)
def test_alpha_is_that_of_its_coincidence_matrix(units):
    """The textbook construction: coincidences of ordered pairs, each weighing 1 / (m - 1)."""
    coincidences = {(a, b): Fraction(0) for a in (0, 1) for b in (0, 1)}
    for unit in units:
        values = [value for value in unit.values() if value is not None]
        for i, a in enumerate(values):
            for k, b in enumerate(values):
                if i != k:
                    coincidences[a, b] += Fraction(1, len(values) - 1)
    zeros = coincidences[0, 0] + coincidences[0, 1]
    ones = coincidences[1, 1] + coincidences[0, 1]
    report = agreement(units)
    if zeros * ones == 0:
        assert report.alpha is None
    else:
        n = zeros + ones
        assert report.alpha == 1 - (n - 1) * coincidences[0, 1] / (zeros * ones)
