"""Calibration against numbers worked by hand."""

from fractions import Fraction

import pytest

from judge.base.stats.calibration import calibration


def test_a_table_worked_by_hand():
    """Bin 80–90 %: 0.85 stated, 1/2 right, gap 0.35; bin 30–40 %: 0.3 stated, 1 right, gap 0.7."""
    found = calibration([(80, True), (90, False), (85, True), (85, False), (30, True)])
    bins = [(b.low, b.answers, b.confidence, b.accuracy) for b in found.bins]
    assert bins == [
        (30, 1, Fraction(3, 10), 1),
        (80, 3, Fraction(250, 300), Fraction(2, 3)),
        (90, 1, Fraction(9, 10), 0),
    ]
    gaps = Fraction(7, 10) + 3 * (Fraction(5, 6) - Fraction(2, 3)) + Fraction(9, 10)
    assert found.error == gaps / 5
    squares = [(80, 1), (90, 0), (85, 1), (85, 0), (30, 1)]
    assert found.brier == sum(Fraction(p - 100 * y, 100) ** 2 for p, y in squares) / 5


def test_answers_as_sure_as_they_are_right_have_no_error():
    answers = [(75, True)] * 3 + [(75, False)]
    found = calibration(answers)
    assert found.error == 0
    assert found.brier == Fraction(3, 16)


def test_a_hundred_percent_lies_in_the_last_bin():
    found = calibration([(100, True), (95, False)])
    assert [b.answers for b in found.bins] == [2]
    assert found.error == abs(Fraction(195, 200) - Fraction(1, 2))


def test_without_answers_nothing_is_known():
    found = calibration([])
    assert (found.error, found.brier, found.bins) == (None, None, ())


@pytest.mark.parametrize("percent", [-1, 101])
def test_a_confidence_beyond_its_range_is_refused(percent):
    with pytest.raises(ValueError, match="0 to 100"):
        calibration([(percent, True)])
