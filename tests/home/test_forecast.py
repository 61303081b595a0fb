"""When a number of tasks will be approved, against numbers worked out by hand."""

from datetime import date

import pytest

from curation.staff.pipeline.forecast import FEWEST_WEEKS, WIDTHS, forecast, next_goal
from curation.staff.pipeline.throughput import WEEKS
from judge.base.stats.tests import central_probability

TODAY = date(2026, 3, 2)


def test_the_day_and_its_interval_follow_from_the_mean_of_the_weeks():
    # mean 6; standard deviation 2.309, error 1.638 × 2.309 / 2 = 1.891
    found = forecast(goal=100, ready=70, weekly=[4, 8, 8, 4], today=TODAY)
    assert found.per_week == 6
    assert found.likely == date(2026, 4, 6)  # 7 × 30 / 6 = 35 days
    assert found.earliest == date(2026, 3, 29)  # 210 / 7.891 = 26.61, so 27 days
    assert found.latest == date(2026, 4, 23)  # 210 / 4.109 = 51.11, so 52 days
    assert (found.missing, found.weeks, found.why) == (30, 4, "")


def test_the_interval_holds_eight_of_ten_means_of_as_many_weeks():
    for weeks, width in WIDTHS.items():
        assert central_probability(width, weeks - 1) == pytest.approx(0.8, abs=0.001), weeks
    assert min(WIDTHS) == FEWEST_WEEKS
    assert max(WIDTHS) == WEEKS


def test_weeks_before_the_first_approval_do_not_slow_it_down():
    found = forecast(goal=100, ready=70, weekly=[0, 0, 0, 4, 8, 8, 4], today=TODAY)
    assert (found.weeks, found.per_week) == (4, 6)


def test_too_little_history_gives_no_day_and_the_reason():
    for weekly in ([], [0, 0, 0, 0], [9, 9, 9], [1, 1, 1, 1], [0, 0, 0, 0, 0, 9, 9, 9]):
        found = forecast(goal=100, ready=70, weekly=weekly, today=TODAY)
        assert (found.likely, found.per_week, found.why) == (None, None, "history"), weekly


def test_a_goal_that_is_reached_needs_no_day():
    found = forecast(goal=70, ready=70, weekly=[4, 8, 8, 4], today=TODAY)
    assert (found.likely, found.why, found.missing) == (None, "reached", 0)


def test_what_would_take_more_than_ten_years_is_no_forecast():
    found = forecast(goal=100_000, ready=0, weekly=[4, 8, 8, 4], today=TODAY)
    assert (found.likely, found.why) == (None, "far")


def test_a_pace_that_may_be_nothing_has_no_latest_day():
    found = forecast(goal=30, ready=20, weekly=[10, 0, 0, 0], today=TODAY)
    assert found.likely is not None
    assert found.latest is None


def test_the_next_goal_is_the_next_round_number():
    assert [next_goal(n) for n in (0, 9, 10, 499, 1346, 20_000)] == [10, 10, 25, 500, 1500, 30_000]
