"""What a professional's work on a task costs at least, worked out by hand."""

from decimal import Decimal
from fractions import Fraction

from judge.results.market_fit.human_cost import least_cost


def test_it_is_minutes_at_the_lower_end_of_the_rate():
    assert least_cost(50, "100_200") == Fraction(250, 3)
    assert least_cost(30, "over_400") == 200


def test_an_exact_rate_goes_before_the_band():
    assert least_cost(20, "100_200", Decimal("37.50")) == Fraction(25, 2)


def test_the_lowest_band_has_no_lower_end_so_it_is_not_known():
    assert least_cost(60, "under_50") is None
    assert least_cost(None, "50_100") is None
    assert least_cost(60, "") is None
