"""Stratified samples: quotas that add up, draws that anybody can repeat."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from judge.base.stats.sampling import Shortfall, ShortfallError, allocate, draw

POOL = {
    "law": [f"law-{n}" for n in range(60)],
    "finance": [f"finance-{n}" for n in range(30)],
    "education": [f"education-{n}" for n in range(10)],
}
SIZES = {name: len(tasks) for name, tasks in POOL.items()}


def test_proportional_quotas_go_by_largest_remainder():
    # 7 of 60, 30, 10: exact shares 4.2, 2.1, 0.7; the last seat goes to the largest remainder.
    assert allocate(SIZES, 7) == {"education": 1, "finance": 2, "law": 4}
    assert allocate(SIZES, 10) == {"education": 1, "finance": 3, "law": 6}


def test_equal_remainders_go_to_the_larger_pool_and_then_to_the_first_name():
    assert allocate({"b": 9, "a": 5, "c": 9}, 4, "equal") == {"a": 1, "b": 2, "c": 1}
    assert allocate({"b": 5, "a": 5}, 3) == {"a": 2, "b": 1}


def test_given_quotas_are_taken_as_they_are():
    quotas = {"law": 1, "education": 9}
    assert allocate(SIZES, 10, quotas) == {"education": 9, "finance": 0, "law": 1}


def test_a_stratum_that_cannot_fill_its_quota_is_named_with_numbers():
    with pytest.raises(ShortfallError, match="education: wanted 15, available 10") as error:
        allocate(SIZES, 45, "equal")
    assert error.value.strata == (Shortfall("education", 15, 10),)


def test_every_short_stratum_is_named():
    with pytest.raises(ShortfallError) as error:
        allocate(SIZES, 105, {"law": 61, "finance": 31, "education": 13})
    assert [short.stratum for short in error.value.strata] == ["education", "finance", "law"]


def test_redistribution_fills_from_strata_with_tasks_left():
    filled = allocate(SIZES, 45, "equal", redistribute=True)
    assert filled == {"education": 10, "finance": 17, "law": 18}  # 5 missing: 2 and 3
    quotas = {"education": 20, "finance": 0, "law": 0}
    # Nobody else has a quota, so the 10 missing come from what is left: 30 and 60.
    assert allocate(SIZES, 20, quotas, redistribute=True) == {
        "education": 10,
        "finance": 3,
        "law": 7,
    }


def test_redistribution_cannot_make_tasks():
    with pytest.raises(ShortfallError):
        allocate(SIZES, 101, redistribute=True)
    assert sum(allocate(SIZES, 100, "equal", redistribute=True).values()) == 100


@pytest.mark.parametrize("pools", [{}, {"law": 0}])
def test_an_empty_pool_gives_an_empty_sample_or_an_error(pools):
    assert sum(allocate(pools, 0).values()) == 0
    with pytest.raises(ShortfallError, match="wanted 1, available 0"):
        allocate(pools, 1)


def test_an_empty_stratum_is_short_where_it_owes_an_equal_part():
    assert allocate({"a": 4, "b": 0}, 4) == {"a": 4, "b": 0}
    with pytest.raises(ShortfallError, match="b: wanted 2, available 0"):
        allocate({"a": 4, "b": 0}, 4, "equal")


@pytest.mark.parametrize(
    ("n", "method"),
    [
        (-1, "equal"),
        (3, "random"),
        (3, {"law": 2}),
        (3, {"law": 3, "arts": 0}),
        (3, {"law": 4, "finance": -1}),
    ],
)
def test_senseless_requests_are_refused(n, method):
    with pytest.raises(ValueError, match="at least 0|unknown"):
        allocate(SIZES, n, method)


def test_the_draw_is_fixed_for_good():
    # Pinned: a published sample must come out the same in years, on any machine.
    sample = draw(POOL, 5, seed=2024)
    assert sample.strata == PINNED
    assert sample.tasks == tuple(task for tasks in PINNED.values() for task in tasks)


PINNED = {
    "education": (),
    "finance": ("finance-12", "finance-16"),
    "law": ("law-22", "law-24", "law-14"),
}


def test_another_seed_draws_other_tasks():
    assert draw(POOL, 10, seed=1) != draw(POOL, 10, seed=2)
    assert draw(POOL, 10, seed=1) == draw(POOL, 10, seed="1")


def test_a_larger_sample_contains_the_smaller():
    assert set(draw(POOL, 10, 3).tasks) <= set(draw(POOL, 20, 3).tasks)


def test_a_draw_that_falls_short_names_the_stratum():
    with pytest.raises(ShortfallError, match="education"):
        draw(POOL, 45, 1, "equal")
    assert len(draw(POOL, 45, 1, "equal", redistribute=True).tasks) == 45


def test_a_task_in_two_strata_is_refused():
    with pytest.raises(ValueError, match="once"):
        draw({"law": ["t"], "finance": ["t"]}, 1, 1)


def test_every_task_has_about_the_same_chance():
    drawn = dict.fromkeys(POOL["education"], 0)
    for seed in range(600):
        for task in draw({"education": POOL["education"]}, 3, seed).tasks:
            drawn[task] += 1
    assert all(abs(count - 180) < 50 for count in drawn.values())  # standard deviation 11


pools = st.dictionaries(st.sampled_from("abcdef"), st.integers(0, 12), min_size=1)


@given(pools, st.integers(0, 40), st.sampled_from(["proportional", "equal"]), st.booleans())
def test_quotas_add_up_and_fit_or_the_shortfall_is_named(sizes, n, method, redistribute):
    quotas, short = None, ()
    try:
        quotas = allocate(sizes, n, method, redistribute=redistribute)
    except ShortfallError as error:
        short = error.strata
    if quotas is None:
        assert short
        assert all(stratum.wanted > stratum.available for stratum in short)
        assert n > sum(sizes.values()) or (method == "equal" and not redistribute)
    else:
        assert sum(quotas.values()) == n
        assert all(quotas[name] <= sizes[name] for name in sizes)


@given(pools, st.integers(0, 30), st.integers(0, 5), st.randoms())
def test_the_order_of_strata_and_tasks_changes_nothing(sizes, n, seed, random):
    pool = {name: [f"{name}{i}" for i in range(size)] for name, size in sizes.items()}
    n = min(n, sum(sizes.values()))
    shuffled = {
        name: random.sample(pool[name], len(pool[name]))
        for name in random.sample(sorted(pool), len(pool))
    }
    one = draw(pool, n, seed, "equal", redistribute=True)
    two = draw(shuffled, n, seed, "equal", redistribute=True)
    assert one == two
    assert one.tasks == two.tasks
