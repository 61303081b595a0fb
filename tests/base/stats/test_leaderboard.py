"""Places as ranges, brackets of candidates that cannot be told apart."""

import itertools

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from judge.base.stats.leaderboard import leaderboard
from judge.base.stats.numbers import Reason
from judge.base.stats.tests import holm


def programme(means, tasks=80, noise=0.1, seed=0):
    """Candidates of given true means on common tasks of very different difficulty."""
    random = np.random.default_rng(seed)
    difficulty = random.normal(scale=0.3, size=tasks)
    return {
        name: {
            f"task-{n}": float(mean + difficulty[n] + random.normal(scale=noise))
            for n in range(tasks)
        }
        for name, mean in means.items()
    }


def places(board):
    return {s.candidate: (s.best_place, s.worst_place) for s in board.standings}


def test_clearly_different_candidates_have_one_place_each():
    board = leaderboard(programme({"c": 0.2, "a": 0.8, "b": 0.5}))
    assert [s.candidate for s in board.standings] == ["a", "b", "c"]
    assert places(board) == {"a": (1, 1), "b": (2, 2), "c": (3, 3)}
    assert board.brackets == ()


def test_equal_candidates_share_all_places_and_a_bracket():
    scores = {n: n / 10 for n in range(10)}
    board = leaderboard({"b": scores, "a": dict(scores), "c": dict(scores)})
    assert [s.candidate for s in board.standings] == ["a", "b", "c"]  # by name where means tie
    assert set(places(board).values()) == {(1, 3)}
    assert board.brackets == (("a", "b", "c"),)
    assert {c.p_value for c in board.comparisons} == {1.0}


def test_pairing_finds_a_small_difference_that_single_intervals_hide():
    board = leaderboard(programme({"better": 0.53, "worse": 0.5}, noise=0.03))
    better, worse = board.standings
    assert better.ci95[0] < worse.ci95[1]  # the intervals overlap
    assert board.comparisons[0].better == "better"
    assert places(board) == {"better": (1, 1), "worse": (2, 2)}


def test_overlapping_brackets_join_neighbours():
    # a - b and b - c are within the noise, a - c is not.
    rows = {n: ((-1) ** n) * 0.1 for n in range(40)}
    board = leaderboard(
        {
            "a": {n: 0.54 + rows[n] for n in rows},
            "b": dict.fromkeys(rows, 0.52),
            "c": {n: 0.50 + rows[n] for n in rows},
        }
    )
    assert board.brackets == (("a", "b"), ("b", "c"))
    assert places(board) == {"a": (1, 2), "b": (1, 3), "c": (2, 3)}


def test_candidates_are_compared_on_the_tasks_both_completed():
    # The lazy one skipped the hard half, so its mean is higher, yet on the common tasks it loses.
    tasks = range(40)
    diligent = {n: (0.9 if n % 2 else 0.1) for n in tasks}
    lazy = {n: (0.8 if n % 2 else None) for n in tasks}
    board = leaderboard({"diligent": diligent, "lazy": lazy})
    comparison = board.comparisons[0]
    assert comparison.tasks == 20
    assert comparison.better == "diligent"
    assert [(s.candidate, s.tasks) for s in board.standings] == [("lazy", 20), ("diligent", 40)]
    assert places(board) == {"lazy": (2, 2), "diligent": (1, 1)}


def test_no_common_task_is_no_test():
    board = leaderboard({"a": {1: 0.9, 2: 0.9}, "b": {3: 0.1, 4: 0.1}})
    comparison = board.comparisons[0]
    assert (comparison.tasks, comparison.p_value, comparison.p_holm) == (0, None, None)
    assert comparison.better is None
    assert places(board) == {"a": (None, None), "b": (None, None)}
    assert comparison.why == {"ci95": Reason.NO_COMMON_TASKS}


def test_a_handful_of_tasks_decides_nothing_however_clear():
    five = {"a": dict.fromkeys(range(5), 0.9), "b": dict.fromkeys(range(5), 0.1)}
    assert leaderboard(five).comparisons[0].p_value == 0.0625  # 2 / 2**5
    assert leaderboard(five).comparisons[0].better is None
    six = {"a": dict.fromkeys(range(6), 0.9), "b": dict.fromkeys(range(6), 0.1)}
    assert leaderboard(six).comparisons[0].better == "a"


# By hand: 2**(1 - n) times the number of pairs is at most 5 %.
NEEDED = {1: 0, 2: 6, 3: 7, 4: 8, 5: 9, 8: 11, 10: 11, 20: 13, 30: 15}


@pytest.mark.parametrize(("candidates", "needed"), NEEDED.items())
def test_there_is_a_fewest_number_of_tasks_that_can_tell_so_many_candidates_apart(
    candidates, needed
):
    def of(tasks):
        names = [f"c{n:02}" for n in range(candidates)]
        rising = {
            name: {t: place / candidates + t / 1000 for t in range(tasks)}
            for place, name in enumerate(names)
        }
        return leaderboard(rising, resamples=200)

    enough = of(max(1, needed))
    assert (enough.tasks_needed, enough.decides) == (needed, True)
    assert all(found.better for found in enough.comparisons)
    if needed:
        few = of(needed - 1)
        assert (few.tasks_needed, few.tasks_compared, few.decides) == (needed, needed - 1, False)
        assert not any(found.better for found in few.comparisons)
        assert few.brackets == ()
        assert set(places(few).values()) == {(None, None)}
        assert {s.why["places"] for s in few.standings} == {Reason.FEW_TASKS_TO_RANK}


def test_comparisons_without_a_common_task_raise_no_number():
    tasks = range(8)
    pair = {"a": dict.fromkeys(tasks, 0.9), "b": dict.fromkeys(tasks, 0.1)}
    alone = {name: {f"{name}-task": 0.5} for name in "cdefgh"}
    board = leaderboard({**pair, **alone})
    assert (board.tasks_needed, board.tasks_compared) == (6, 8)
    assert board.comparisons[-1].p_value is None


@pytest.mark.parametrize(
    ("results", "standings"),
    [
        ({}, []),
        ({"a": {}}, [("a", 0, None, None, None)]),
        ({"a": {1: 0.5}}, [("a", 1, 0.5, 1, 1)]),
        ({"a": {1: None}, "b": {1: 1}}, [("b", 1, 1.0, 1, 1), ("a", 0, None, None, None)]),
    ],
)
def test_no_candidate_no_score_one_task(results, standings):
    board = leaderboard(results)
    assert [
        (s.candidate, s.tasks, s.mean, s.best_place, s.worst_place) for s in board.standings
    ] == standings
    assert all(s.ci95 is None and s.why for s in board.standings)
    assert board.brackets == ()


def test_reasons_stand_beside_what_is_missing():
    board = leaderboard({"a": {1: 0.5}, "b": {}})
    assert board.standings[0].why == {"ci95": Reason.FEW_TASKS}
    nothing = board.standings[1].as_dict()["why"]
    assert nothing == dict.fromkeys(("mean", "ci95", "places"), "no scores")


def test_many_candidates_can_still_be_told_apart():
    # 30 candidates are 435 pairs: with 1,000 resamples the smallest p-value would not survive
    # the correction, so more are taken.
    board = leaderboard(
        programme({f"c{n:02}": n / 10 for n in range(30)}, tasks=30, noise=0.02), resamples=1000
    )
    assert board.resamples == 34_800
    assert places(board)["c29"] == (1, 1)
    assert board.brackets == ()


def test_the_order_of_candidates_and_tasks_changes_nothing():
    results = programme({"a": 0.5, "b": 0.52, "c": 0.55}, tasks=25)
    turned = {name: dict(reversed(scores.items())) for name, scores in reversed(results.items())}
    assert leaderboard(results, seed=4).as_dict() == leaderboard(turned, seed=4).as_dict()


def test_intervals_follow_the_seed():
    results = programme({"a": 0.5, "b": 0.52}, tasks=25)
    assert leaderboard(results, seed=4) == leaderboard(results, seed=4)
    assert leaderboard(results, seed=4).standings != leaderboard(results, seed=5).standings


@pytest.mark.parametrize("tasks", [10, 40])
def test_equal_candidates_are_rarely_told_apart(tasks):
    # 200 boards of 4 candidates that differ by noise only: at 5 % about 10 boards err. Shares of
    # resamples alone err on 38 of them at ten tasks.
    wrong = 0
    for seed in range(200):
        equal = programme(dict.fromkeys("abcd", 0.5), tasks, seed=seed)
        board = leaderboard(equal, seed=seed, resamples=500)
        wrong += any(c.better for c in board.comparisons)
    assert wrong <= 16


def test_senseless_arguments_are_refused():
    with pytest.raises(ValueError, match="resample"):
        leaderboard({}, resamples=0)
    with pytest.raises(ValueError, match="alpha"):
        leaderboard({}, alpha=0)
    with pytest.raises(ValueError, match="finite"):
        leaderboard({"a": {1: float("nan")}})


@settings(max_examples=60, deadline=None)
@given(
    st.dictionaries(
        st.sampled_from("abcde"),
        st.dictionaries(st.integers(0, 9), st.none() | st.integers(0, 4).map(lambda n: n / 4)),
    )
)
def test_places_and_brackets_agree_with_the_comparisons(results):
    board = leaderboard(results, resamples=100)
    ranked = [s for s in board.standings if s.mean is not None]
    names = [s.candidate for s in ranked]
    clear = {frozenset((c.first, c.second)) for c in board.comparisons if c.better}
    if not board.decides:
        assert (board.brackets, clear) == ((), set())
        assert {s.best_place for s in ranked} == {None}
        return
    for s in ranked:
        assert 1 <= s.best_place <= s.worst_place <= len(ranked)
    for bracket in board.brackets:
        assert names[names.index(bracket[0]) :][: len(bracket)] == list(bracket)  # neighbours
        assert not any(frozenset(pair) in clear for pair in itertools.combinations(bracket, 2))
    for pair in itertools.pairwise(names):
        together = any(set(pair) <= set(bracket) for bracket in board.brackets)
        assert together == (frozenset(pair) not in clear)
    for one, two in itertools.permutations(board.brackets, 2):
        assert not set(one) <= set(two)  # maximal


def test_holm_by_hand():
    # Steps 3 * 0.01, 2 * 0.03, then not below the step before it.
    assert holm([0.04, 0.01, 0.03]) == pytest.approx([0.06, 0.03, 0.06])
    assert holm([]) == []
