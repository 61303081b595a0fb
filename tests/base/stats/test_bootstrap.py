"""Intervals: the same for a seed, whatever the order, and about as wide as they say."""

import numpy as np
import pytest
import scipy.stats

from judge.base.stats import bootstrap
from judge.base.stats.numbers import Reason, comparable, plain


def table(tasks, seed=1):
    random = np.random.default_rng(seed)
    return {f"task-{n}": (float(random.integers(-3, 7)), 6.0) for n in range(tasks)}


def ratio_interval(rows, **options):
    (found,) = bootstrap.ratio_intervals({task: [row] for task, row in rows.items()}, **options)
    return found


def test_a_seed_gives_the_same_interval_and_another_seed_another():
    first = ratio_interval(table(30), seed=5)
    assert ratio_interval(table(30), seed=5) == first
    assert ratio_interval(table(30), seed=6) != first


def test_the_order_of_tasks_does_not_change_the_interval():
    forward = table(40)
    backward = dict(reversed(forward.items()))
    assert ratio_interval(forward) == ratio_interval(backward)


def test_draws_are_fixed_for_good():
    # A published interval must come out again: these are the draws of seed 7, whatever numpy.
    sums = bootstrap.resampled_sums({1: [1], 2: [10], 3: [100], 4: [1000]}, seed=7, resamples=4)
    again = bootstrap.resampled_sums({4: [1000], 3: [100], 2: [10], 1: [1]}, seed=7, resamples=4)
    assert sums.tolist() == again.tolist()
    assert sums[:, 0].tolist() == [2200, 2101, 1021, 2011]


def test_every_task_is_drawn_about_once_per_resample():
    rows = {n: [float(n == k) for k in range(7)] for n in range(7)}
    counts = bootstrap.resampled_sums(rows, resamples=20_000)
    assert (counts.sum(axis=1) == 7).all()
    assert np.abs(counts.mean(axis=0) - 1).max() < 0.04  # standard error 0.0065
    assert np.abs(counts.var(axis=0) - 6 / 7).max() < 0.1  # binomial: 7 * 1/7 * 6/7


def test_large_tables_are_drawn_in_blocks_without_changing_the_draws(monkeypatch):
    small = bootstrap.resampled_sums(table(50), seed=2, resamples=500)
    monkeypatch.setattr(bootstrap, "_KEEP", 0)
    assert bootstrap.resampled_sums(table(50), seed=2, resamples=500).tolist() == small.tolist()


def test_resamples_without_a_denominator_do_not_count():
    values = np.array([0.0, np.nan, 1.0, np.nan])
    assert bootstrap.percentile_interval(values) == pytest.approx((0.025, 0.975))
    assert bootstrap.percentile_interval(np.array([np.nan])) is None


@pytest.mark.parametrize(
    ("rows", "resamples", "reason"),
    [
        (table(5), 10, Reason.FEW_TASKS),
        (table(5) | {"none": (0.0, 0.0)}, 10, Reason.FEW_TASKS),  # it has nothing to divide by
        (table(6), 0, Reason.NO_RESAMPLES),
        (dict.fromkeys(range(6), (1.0, 2.0)), 10, Reason.NO_SPREAD),
        ({n: ((n + 1) / 10, (n + 1) / 5) for n in range(9)}, 50, Reason.NO_SPREAD),  # but for noise
    ],
)
def test_no_interval_is_made_of_too_few_tasks_or_of_tasks_without_spread(rows, resamples, reason):
    assert ratio_interval(rows, resamples=resamples) == (None, reason)


def test_six_tasks_that_differ_have_an_interval():
    (low, high), reason = ratio_interval(table(6))
    assert low < high
    assert reason is None


@pytest.mark.parametrize(("tasks", "low"), [(6, 0.5407), (20, 0.8316), (245, 0.9851)])
def test_all_tasks_right_leave_open_what_the_exact_interval_of_a_share_leaves_open(tasks, low):
    rows = dict.fromkeys(range(tasks), (2.0, 2.0))
    found, reason = ratio_interval(rows, span=(0.0, 1.0))
    assert (found, reason) == (pytest.approx((low, 1.0), abs=1e-4), None)
    theirs = scipy.stats.binomtest(tasks, tasks).proportion_ci(0.95, method="exact")
    assert found == pytest.approx((theirs.low, theirs.high))


def test_tasks_that_are_all_alike_leave_open_both_sides():
    rows = dict.fromkeys(range(6), (1.0, 2.0))
    found, _reason = ratio_interval(rows, span=(0.0, 1.0))
    assert found == pytest.approx((0.5 - 0.4593 / 2, 0.5 + 0.4593 / 2), abs=1e-4)


def test_negative_seeds_and_counts_are_refused():
    with pytest.raises(ValueError, match="at least 0"):
        ratio_interval(table(5), seed=-1)
    with pytest.raises(ValueError, match="at least 0"):
        ratio_interval(table(5), resamples=-1)


def test_a_paired_difference_is_narrower_than_the_two_intervals():
    random = np.random.default_rng(0)
    shared = random.normal(size=60)
    first = {n: (float(shared[n]) + 0.3, 1.0) for n in range(60)}
    second = {n: (float(shared[n] + random.normal(scale=0.1)), 1.0) for n in range(60)}
    (low, high), _reason = bootstrap.difference_interval(first, second, most=9.0)
    alone, _reason = ratio_interval(first)
    assert low > 0
    assert (high - low) < (alone[1] - alone[0]) / 4


def test_the_interval_narrows_with_the_root_of_the_number_of_tasks():
    def width(tasks):
        (low, high), _reason = ratio_interval(table(tasks))
        return high - low

    assert width(100) / width(400) == pytest.approx(2, rel=0.2)


def test_few_tasks_widen_the_interval_and_many_leave_the_plain_percentiles():
    values = np.linspace(0, 1, 10_001)
    assert bootstrap.percentile_interval(values) == pytest.approx((0.025, 0.975))
    low, high = bootstrap.percentile_interval(values, 20)  # t of 19 degrees: 2.093
    assert (low, high) == pytest.approx((0.0159, 0.9841), abs=1e-4)
    assert bootstrap.percentile_interval(values, 2) == pytest.approx((0, 1))
    assert bootstrap.percentile_interval(values, 5000) == pytest.approx((0.025, 0.975), abs=1e-4)


def test_floats_are_compared_without_their_rounding_noise_and_other_numbers_exactly():
    assert comparable([0.1 + 0.2, None]) == comparable([0.3, None])
    assert comparable([10**20, 10**20 + 1]) == [10**20, 10**20 + 1]
    assert plain(None) is None
