"""The comparison of a scorer with known verdicts, against statsmodels."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as some
from statsmodels.stats.inter_rater import cohens_kappa
from statsmodels.stats.proportion import proportion_confint

from judge.base.stats.drift import compare, last_lines
from judge.base.stats.numbers import Reason

PAIRS = some.lists(some.tuples(some.booleans(), some.booleans()), min_size=1, max_size=80)


def test_by_hand():
    found = compare([(True, True)] * 6 + [(True, False)] * 2 + [(False, True)] + [(False, False)])
    assert (found.lines, found.agreed, found.lenient, found.strict) == (10, 7, 2, 1)
    assert float(found.agreement) == 0.7
    assert float(found.bias) == 0.1
    assert found.reaches(70)
    assert not found.reaches(71)


def test_without_a_line_nothing_is_known():
    found = compare([])
    assert (found.agreement, found.interval, found.bias, found.kappa) == (None, None, None, None)
    assert found.why_no_kappa is not None
    assert not found.reaches(0)


def test_one_class_has_no_kappa_and_says_so():
    found = compare([(True, True)] * 5)
    assert found.kappa is None
    assert found.why_no_kappa == Reason.ONE_CLASS


@given(PAIRS)
def test_interval_and_kappa_are_those_of_statsmodels(pairs):
    found = compare(pairs)
    low, high = proportion_confint(found.agreed, found.lines, method="wilson")
    assert found.interval == pytest.approx((max(0, low), min(1, high)), abs=1e-12)
    both = [sum(p == (a, b) for p in pairs) for a in (True, False) for b in (True, False)]
    if found.kappa is not None:
        table = np.array(both).reshape(2, 2)
        assert float(found.kappa) == pytest.approx(cohens_kappa(table, return_results=False)[0]
            if isinstance(cohens_kappa(table, return_results=False), tuple)
            else cohens_kappa(table, return_results=False))  # fmt: skip


@given(some.lists(PAIRS, max_size=5), some.integers(1, 60))
def test_the_last_lines_are_the_end_of_all_lines(sheets, n):
    everything = [pair for sheet in sheets for pair in sheet]
    assert last_lines(sheets, n) == compare(everything[-n:])
