"""Random people take random steps; whatever they try, the record stays whole.

Each walk starts from the same world and is rolled back. A walk that breaks something is shortened
to the few steps that matter. To walk further:

    PROPERTY_WALKS=100 PROPERTY_SEED=7 pytest -s tests/properties/test_random_walks.py
"""

import json
import os
from collections import Counter

import pytest

from review.rounds import actions as rounds
from tests.properties.walking import RIGHTLY, Step, Walker, shortened, steps_of
from tests.properties.world import World

WALKS = int(os.environ.get("PROPERTY_WALKS", "2"))
STEPS = int(os.environ.get("PROPERTY_STEPS", "60"))
SEED = int(os.environ.get("PROPERTY_SEED", "4"))


def test_random_people_and_random_steps_never_break_the_record(world: World) -> None:
    walkers = {number: Walker(world, number) for number in (1, 2)}  # reviewers at once
    for seed in range(SEED, SEED + WALKS):
        reviewers, steps = 1 + seed % 2, steps_of(seed, STEPS)
        if walkers[reviewers].walk(steps) is not None:
            fewest, broken = shortened(world, steps, reviewers)
            listed = "\n".join(f"  {step}" for step in fewest)
            raise AssertionError(f"seed {seed}, reviewers {reviewers}: {broken}\n{listed}")
    taken = sum((walker.taken for walker in walkers.values()), Counter())
    refused = sum((walker.refused for walker in walkers.values()), Counter())
    if "PROPERTY_WALKS" in os.environ:
        told = {"taken": dict(taken), "refused": dict(refused)}
        print(json.dumps(told, indent=1, sort_keys=True))  # noqa: T201
    assert taken["review-finish"] > 1, "the walks came nowhere"
    assert {400, 404, 409} <= refused.keys()


# A story with every turn a review can take; the noise around it is left to the random walks.
TURNS = [
    Step("edit", RIGHTLY, 0, 1),
    Step("set_aside", RIGHTLY, 0, 1),
    Step("argue", RIGHTLY, 0, 4),  # to a senior, though nobody has given way
    Step("one_more_round", RIGHTLY, 0, 1),
    Step("argue", RIGHTLY, 0, 2),
    Step("take_decision", "senior", 0, 0),
    Step("decide_line", "senior", 0, 0),
    Step("release_spot_check", RIGHTLY, 0, 1),
    Step("decide", RIGHTLY, 0, 1),
    Step("check_a_rubric", RIGHTLY, 0, 0),
    Step("answer_and_send", RIGHTLY, 1, 0),
    Step("suspend_or_reinstate", RIGHTLY, 0, 3),
    Step("suspend_or_reinstate", RIGHTLY, 0, 1),
    Step("read_a_round", RIGHTLY, 0, 0),
]
# Where places are taken and not drawn, nobody follows at once, and who was late may go on.
LATE = [
    Step("answer_and_send", RIGHTLY, 0, 0),
    Step("take_review", RIGHTLY, 0, 0),
    Step("approve", RIGHTLY, 0, 0),
    Step("time_passes", RIGHTLY, 0, 0),
    Step("approve", RIGHTLY, 0, 1),
    Step("resume", RIGHTLY, 0, 0),
    Step("time_passes", RIGHTLY, 0, 0),
    Step("take_review", RIGHTLY, 0, 1),
    Step("resume", RIGHTLY, 0, 0),  # too late: a colleague has the place
    Step("read_a_round", RIGHTLY, 0, 0),
]


def test_a_review_that_was_late_goes_on_where_its_place_is_free(world: World) -> None:
    walker = Walker(world, draw=False)
    broken = walker.walk(LATE)
    assert broken is None, broken
    assert walker.taken["review-resume"] == 1
    assert walker.taken["review-take"] == 2
    assert walker.taken["review-finish"] == 1


@pytest.mark.parametrize("reviewers", [1, 2])
def test_a_review_that_takes_every_turn_keeps_its_record(world: World, reviewers: int) -> None:
    walker = Walker(world, reviewers)
    broken = walker.walk(TURNS)
    assert broken is None, broken
    turns = {
        "decision-close",
        "rubric-line-mark",
        "rubric-suggestion-take",
        "staff-one-more-round",
        "staff-spot-check-release",
        "staff-standing",
    }
    assert turns <= walker.taken.keys(), sorted(turns - walker.taken.keys())


def test_a_broken_truth_is_noticed_and_the_walk_to_it_shortened(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The walker can fail: with the check of open lines taken out, it says what broke and how."""
    monkeypatch.setattr(rounds, "lines_without_verdict", lambda round: [])
    sent, ended = Step("answer_and_send", RIGHTLY, 0, 0), Step("finish", RIGHTLY, 0, 0)
    noise = Step("add", "stranger", 0, 0)
    fewest, broken = shortened(world, [sent, noise, ended])
    assert "a round was closed with an open line" in str(broken)
    assert fewest == [sent, ended]
