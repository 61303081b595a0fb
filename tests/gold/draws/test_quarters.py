"""Quarters of the calendar."""

from datetime import date

from judge.gold.releases.edition_actions import next_quarter, quarter_of


def test_a_quarter_has_three_months():
    assert quarter_of(date(2026, 3, 31)) == (2026, 1)
    assert quarter_of(date(2026, 4, 1)) == (2026, 2)
    assert quarter_of(date(2026, 12, 31)) == (2026, 4)


def test_the_first_quarter_of_a_year_follows_the_fourth():
    assert next_quarter(2026, 3) == (2026, 4)
    assert next_quarter(2026, 4) == (2027, 1)
