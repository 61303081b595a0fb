"""Intervals hold the truth as often as they claim, in programmes whose truth is known.

The full measurement is `python -m benchmarks.coverage`; this is a part of it, always the same.
"""

import numpy as np
import pytest

from benchmarks.coverage import FIGURES, World, intervals_of, pairs, truth_of
from judge.base.stats.preference import count_pairs

PROGRAMMES, TASKS = 500, 20  # the fewest tasks the default thresholds accept
LEAST, MOST = 0.93, 0.97  # 95 % of 500 has a standard error of 1 point


@pytest.fixture(scope="module")
def simulated():
    """The truth, and for each programme its intervals and what was drawn."""
    world = World()
    truth = truth_of(*world.tasks(20_000, np.random.default_rng(1)))
    programmes = [world.tasks(TASKS, np.random.default_rng([TASKS, n])) for n in range(PROGRAMMES)]
    found = [
        intervals_of(*programme, seed=n, resamples=1000) for n, programme in enumerate(programmes)
    ]
    return {name: value for name, (value, _error) in truth.items()}, programmes, found


@pytest.mark.parametrize("figure", FIGURES)
def test_the_intervals_hold_the_truth_about_as_often_as_they_claim(simulated, figure):
    truth, _programmes, found = simulated
    covered = [low <= truth[figure] <= high for low, high in (row[figure] for row in found)]
    assert LEAST <= np.mean(covered) <= MOST


def test_the_bound_can_fail_pairs_resampled_instead_of_tasks_claim_too_much(simulated):
    truth, programmes, _found = simulated
    covered = []
    for n, (one, _two) in enumerate(programmes):
        agree, turned, ties, _expert_ties = one.sum(axis=0)
        pairs = agree + turned + ties
        drawn = np.random.default_rng(n).multinomial(
            pairs, np.array([agree, turned, ties]) / pairs, size=1000
        )
        low, high = np.quantile((drawn[:, 0] - drawn[:, 1]) / pairs, [0.025, 0.975])
        covered.append(low <= truth["cdr_micro"] <= high)
    assert np.mean(covered) < LEAST


def test_the_simulation_counts_pairs_as_the_product_does():
    rng = np.random.default_rng(3)
    experts, judges = rng.integers(0, 6, size=(2, 40, 5))
    for row, e, j in zip(pairs(experts, judges), experts, judges, strict=True):
        counts = count_pairs(list(zip(e.tolist(), j.tolist(), strict=True)))
        assert row.tolist() == [
            counts.agree, counts.reversed, counts.judge_ties, counts.expert_ties
        ]  # fmt: skip
