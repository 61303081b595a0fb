"""Two judges on the same lines: by hand, against plain resampling, and change by change."""

import random
from fractions import Fraction

import numpy as np
import pytest

from judge.base.stats.numbers import Reason
from judge.base.stats.paired import PairedCell, compare_lines
from judge.base.stats.paired_figures import ChangeKind, Outcome, kind_of_change


def cells(task, experts, first, second):
    given = {"1": 1, "0": 0, "-": None}
    return [
        PairedCell(task, given[e], given[a], given[b])
        for e, a, b in zip(experts, first, second, strict=True)
    ]


def test_both_figures_by_hand():
    found = compare_lines(
        [*cells("t1", "1100", "1010", "1100"), *cells("t2", "1000", "1100", "1-00")]
    )
    # First: 2 and 3 of 4 right; second: 4 and 3 (a line without a verdict agrees with nobody).
    assert (found.cells, found.agreement.tasks) == (8, 2)
    assert (found.agreement.first, found.agreement.second) == (Fraction(5, 8), Fraction(7, 8))
    assert found.agreement.difference == Fraction(1, 4)
    # J of the first: TPR 2/3, FPR 2/5. Of the second: TPR 3/3, FPR 0/4.
    assert found.j.first == Fraction(2, 3) - Fraction(2, 5)
    assert found.j.second == 1
    assert found.j.difference == 1 - Fraction(4, 15)


def test_the_interval_is_that_of_resampling_tasks_with_the_same_draws():
    draw = random.Random(4)
    data = [
        PairedCell(f"t{t:02}", draw.randint(0, 1), draw.randint(0, 1), draw.choice((0, 1, None)))
        for t in range(30)
        for _ in range(12)
    ]
    found = compare_lines(data, resamples=4000)
    gaps = []
    by_task = {}
    for cell in data:
        by_task.setdefault(cell.task, []).append(
            (cell.second == cell.expert) - (cell.first == cell.expert)
        )
    rng = np.random.default_rng(1)
    sums = np.array([sum(by_task[t]) for t in sorted(by_task)])
    for _ in range(4000):
        gaps.append(sums[rng.integers(0, 30, 30)].sum() / (30 * 12))
    low, high = np.quantile(gaps, [0.025, 0.975])
    # Ours is a little wider with 30 tasks (see bootstrap.percentile_interval).
    assert found.agreement.ci95[0] == pytest.approx(low, abs=0.02)
    assert found.agreement.ci95[1] == pytest.approx(high, abs=0.02)
    assert found == compare_lines(data[::-1], resamples=4000)


def test_better_worse_the_same_and_unknown():
    right, wrong = "1100110011", "0011001100"
    good = [c for t in range(8) for c in cells(f"t{t}", right, wrong, right)]
    assert compare_lines(good).agreement.outcome is Outcome.BETTER
    assert compare_lines(good).j.outcome is Outcome.BETTER
    swapped = [PairedCell(c.task, c.expert, c.second, c.first) for c in good]
    assert compare_lines(swapped).agreement.outcome is Outcome.WORSE
    same = [PairedCell(c.task, c.expert, c.first, c.first) for c in good]
    assert compare_lines(same).agreement.outcome is Outcome.SAME
    one_up = [*cells("t0", "10", "11", "10"), *cells("t1", "10", "10", "11")]
    assert compare_lines(one_up).agreement.outcome is Outcome.UNKNOWN


def test_what_is_undefined_has_its_reason():
    assert compare_lines([]).agreement.why["difference"] is Reason.NO_CELLS
    one = compare_lines(cells("t", "10", "11", "10"))
    assert (one.agreement.ci95, one.agreement.why["ci95"]) == (None, Reason.FEW_TASKS)
    assert one.agreement.outcome is Outcome.UNKNOWN
    met = compare_lines(cells("t", "11", "10", "11"))
    assert (met.j.difference, met.j.why["difference"]) == (None, Reason.ONE_CLASS)
    silent = compare_lines(cells("t", "10", "--", "10"))
    assert silent.j.why["first"] is Reason.NONE_JUDGED
    assert silent.agreement.difference == 1
    assert silent.agreement.as_dict()["ci95"] is None
    with pytest.raises(ValueError, match="verdict"):
        compare_lines([PairedCell("t", 2, 0, 1)])


@pytest.mark.parametrize(
    ("expert", "first", "second", "kind"),
    [
        (True, False, True, ChangeKind.FIXED),
        (True, None, True, ChangeKind.FIXED),
        (False, False, True, ChangeKind.BROKEN),
        (False, False, None, ChangeKind.BROKEN),
        (True, False, None, ChangeKind.NEITHER),
        (True, None, False, ChangeKind.NEITHER),
        (None, False, True, ChangeKind.NEITHER),
    ],
)
def test_a_change_is_measured_by_the_experts(expert, first, second, kind):
    assert kind_of_change(expert, first, second) is kind


def test_what_did_not_change_is_no_change():
    with pytest.raises(ValueError, match="same"):
        kind_of_change(True, None, None)
