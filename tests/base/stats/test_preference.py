"""CDR over preferences: who counts where, and what is undefined."""

from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from judge.base.stats.numbers import Reason
from judge.base.stats.preference import (
    PairCounts,
    VotedPair,
    count_pairs,
    count_votes,
    difference,
    preference,
    summarise,
)

VECTORS = [
    # experts, judge, (A, D, T, U, H0), CDR
    ([9, 6, 3], [80, 50, 20], (3, 0, 0, 0, 0), Fraction(1)),  # (3 - 0) / 3
    ([3, 2, 1], [1, 2, 3], (0, 3, 0, 0, 0), Fraction(-1)),  # (0 - 3) / 3
    ([2, 1], [5, 5], (0, 0, 1, 0, 0), Fraction(0)),  # (0 - 0) / 1
    ([2, 2], [5, 4], (0, 0, 0, 0, 1), None),  # no strict pair
    ([1, 2, 3], [7, 7, 7], (0, 0, 3, 0, 0), Fraction(0)),  # (0 - 0) / 3
    ([4, 3, 2, 1], [4, 2, 3, 1], (5, 1, 0, 0, 0), Fraction(2, 3)),  # (5 - 1) / 6
    ([5, 4, 4, 2], [3, 3, 2, 2], (3, 0, 2, 0, 1), Fraction(3, 5)),  # (3 - 0) / (3 + 2)
    ([3, 2, 1], [3, None, 1], (1, 0, 0, 2, 0), Fraction(1, 3)),  # (1 - 0) / (1 + 2)
    ([2, 1], [0.1 + 0.2, 0.3], (0, 0, 1, 0, 0), Fraction(0)),  # rounding noise is a tie
]


@pytest.mark.parametrize(("experts", "judge", "counts", "cdr"), VECTORS)
def test_hand_computed_counts_and_cdr(experts, judge, counts, cdr):
    report = preference({"t": list(zip(experts, judge, strict=True))})
    assert report.counts == PairCounts(*counts)
    assert report.cdr_micro == report.cdr_macro == cdr


def test_micro_pools_pairs_and_macro_averages_tasks():
    report = preference({1: [(n, n) for n in (5, 4, 3, 2, 1)], 2: [(2, 1), (1, 2)]})
    assert report.counts == PairCounts(agree=10, reversed=1)
    assert report.cdr_micro == Fraction(9, 11)  # (10 - 1) / 11
    assert report.cdr_macro == 0  # (10/10 - 1/1) / 2
    assert report.tasks == 2


def test_no_strict_pair_leaves_everything_undefined_with_the_reason():
    for tasks in ({}, {"t": []}, {"t": [(1, 1)]}, {"t": [(2, 1), (2, 5)]}):
        report = preference(tasks)
        assert (report.cdr_micro, report.cdr_macro, report.coverage, report.ci95) == (None,) * 4
        assert report.tasks == 0
        assert set(report.why.values()) == {Reason.NO_PAIRS}
        assert report.as_dict()["why"]["cdr_micro"] == "no strict pair"


def test_fewer_than_six_tasks_with_a_preference_have_no_interval():
    five = {f"t{n}": [(2, n % 2), (1, 0)] for n in range(5)}
    report = preference(five | {"tie": [(1, 1), (1, 2)]})
    assert report.ci95 is None
    assert report.why == {"ci95": Reason.FEW_TASKS, "macro_ci95": Reason.FEW_TASKS}
    report = preference(five | {"t5": [(2, 1), (1, 0)]})
    assert report.ci95[0] < report.ci95[1]


def test_a_judge_that_is_right_on_every_pair_still_has_an_interval_with_a_width():
    low, high = preference({n: [(2, 9), (1, 3)] for n in range(20)}).ci95
    assert (low, high) == (pytest.approx(1 - 2 * (1 - 0.025 ** (1 / 20))), 1.0)


def test_a_task_of_ties_does_not_turn_one_task_into_two():
    report = preference({"t": [(2, 1), (1, 0)], "ties": [(1, 0), (1, 5)]})
    assert report.tasks == 1
    assert report.ci95 is None


def test_coverage_is_the_share_of_strict_pairs_with_both_judge_scores():
    report = preference({"t": [(3, 3), (2, None), (1, 1)], "u": [(2, 2), (1, 1)]})
    assert report.coverage == Fraction(1, 2)  # (4 - 2) / 4


def test_report_has_the_names_of_the_command():
    report = preference({n: [(3, 0.5), (2, 0.25), (2, None)] for n in range(3)}).as_dict()
    assert list(report) == [
        *("cdr_micro", "cdr_macro", "accuracy", "ci95", "macro_ci95"),
        *("agree", "reversed", "judge_ties"),
        *("missing", "expert_ties", "coverage", "tasks", "why"),
    ]
    assert report["ci95"] is None
    assert report["why"]["ci95"] == "too few tasks for an interval"
    assert (report["agree"], report["missing"], report["expert_ties"]) == (3, 3, 3)
    assert report["accuracy"] == 0.5  # what the judge did not score is not right


def test_expert_means_as_fractions_are_compared_exactly():
    # Means of three sheets: 1/3 + 1/3 + 1/3 over 3 against 1/3 is a tie, a hair more is not.
    third, hair = Fraction(1, 3), Fraction(1, 3) + Fraction(1, 10**15)
    assert count_pairs([(third, 2), (Fraction(3, 9), 1)]).expert_ties == 1
    assert count_pairs([(hair, 2), (third, 1)]).agree == 1


def test_a_fraction_and_a_float_of_the_same_value_tie():
    assert count_pairs([(2, Fraction(1, 3)), (1, 1 / 3)]).judge_ties == 1


def test_scales_of_experts_and_judge_may_differ():
    assert count_pairs([(Fraction(1, 2), 61.5), (Fraction(1, 4), -3)]) == PairCounts(agree=1)


@pytest.mark.parametrize("value", [float("nan"), float("inf")])
def test_scores_that_are_not_finite_are_refused(value):
    with pytest.raises(ValueError, match="finite"):
        count_pairs([(1, value), (2, 1)])
    with pytest.raises(ValueError, match="finite"):
        count_pairs([(value, 1), (2, 1)])


def test_a_missing_expert_score_is_refused():
    with pytest.raises(ValueError, match="expert"):
        count_pairs([(None, 1), (2, 1)])


def test_votes_on_a_pair_share_a_weight_of_one():
    split = VotedPair(votes=[1, 1, -1, 0], first=9, second=3)
    assert count_votes([split]) == PairCounts(agree=Fraction(2, 3), reversed=Fraction(1, 3))
    turned = split._replace(first=3, second=9)
    assert count_votes([turned]) == PairCounts(agree=Fraction(1, 3), reversed=Fraction(2, 3))
    assert count_votes([split]).cdr == Fraction(1, 3)  # (2/3 - 1/3) / 1


def test_votes_that_tie_or_meet_a_tie_or_a_gap_are_counted_as_such():
    assert count_votes([VotedPair([0, 0], 1, 2)]) == PairCounts(expert_ties=1)
    assert count_votes([VotedPair([1, -1], 0.3, 0.1 + 0.2)]) == PairCounts(judge_ties=1)
    assert count_votes([VotedPair([1], None, 2)]) == PairCounts(missing=1)
    assert count_votes([VotedPair([], 1, 2)]) == PairCounts()
    with pytest.raises(ValueError, match="vote"):
        count_votes([VotedPair([2], 1, 2)])


def test_split_votes_are_plain_numbers_in_the_report():
    counts = {n: count_votes([VotedPair([1, 1, -1], 2, 1)] * 3) for n in "ab"}
    report = summarise(counts).as_dict()
    assert (report["agree"], report["reversed"]) == (4, 2)  # 2 * 3 * 2/3 and 2 * 3 * 1/3
    assert isinstance(report["agree"], int)


def test_difference_is_paired_by_task():
    # Both judges swing from task to task in the same way; the first is always one pair better.
    better = {n: PairCounts(agree=6 - n % 3, reversed=n % 3) for n in range(30)}
    worse = {n: PairCounts(agree=5 - n % 3, reversed=1 + n % 3) for n in range(30)}
    result = difference(summarise(better), summarise(worse))
    assert result.cdr_micro == Fraction(1, 3)  # one of six pairs turned: 2/6
    differ = 1 - 0.025 ** (1 / 30)  # tasks that may differ although none of thirty does
    ends = (1 / 3 - differ * (1 / 3 + 2), 1 / 3 + differ * (2 - 1 / 3))
    assert result.ci95 == pytest.approx(ends)
    assert result.tasks == 30


def test_difference_uses_common_tasks_only():
    first = summarise({1: PairCounts(agree=1), 2: PairCounts(agree=1), 3: PairCounts(reversed=5)})
    second = summarise({1: PairCounts(judge_ties=1), 2: PairCounts(reversed=1)})
    result = difference(first, second)
    assert result.cdr_micro == Fraction(3, 2)  # (1 + 1) / 2 - (0 - 1) / 2
    assert result.tasks == 2


def test_difference_without_common_tasks_names_the_reason():
    one, two = summarise({1: PairCounts(agree=1)}), summarise({2: PairCounts(agree=1)})
    result = difference(one, two)
    assert (result.cdr_micro, result.ci95) == (None, None)
    assert result.why["cdr_micro"] == Reason.NO_COMMON_TASKS


def test_difference_over_other_pairs_is_refused():
    one, two = summarise({1: PairCounts(agree=2)}), summarise({1: PairCounts(agree=3)})
    with pytest.raises(ValueError, match="same pairs of task 1"):
        difference(one, two)


scores = st.one_of(
    st.integers(0, 5), st.fractions(0, 1, max_denominator=6), st.sampled_from([0.1, 0.2, 0.3])
)
programmes = st.dictionaries(
    st.integers(0, 20),
    st.lists(st.tuples(scores, st.none() | scores), max_size=6),
    max_size=6,
)


@settings(max_examples=60, deadline=None)
@given(programmes, st.randoms())
def test_neither_the_order_of_responses_nor_of_tasks_changes_anything(tasks, random):
    shuffled = {
        task: random.sample(tasks[task], len(tasks[task]))
        for task in random.sample(sorted(tasks), len(tasks))
    }
    first, second = preference(tasks, resamples=200), preference(shuffled, resamples=200)
    assert first.as_dict() == second.as_dict()


@settings(max_examples=60, deadline=None)
@given(programmes)
def test_turning_the_judge_around_turns_the_sign(tasks):
    turned = {
        task: [(expert, None if judge is None else -judge) for expert, judge in responses]
        for task, responses in tasks.items()
    }
    first, second = preference(tasks, resamples=0), preference(turned, resamples=0)
    assert first.cdr_micro == (None if second.cdr_micro is None else -second.cdr_micro)
    assert first.counts.strict == second.counts.strict
    pairs = sum(len(r) * (len(r) - 1) // 2 for r in tasks.values())
    assert first.counts.strict + first.counts.expert_ties == pairs
