"""What would break under two hands: the same step taken by several at once."""

import threading
from collections import Counter
from collections.abc import Callable
from typing import Any

import pytest
from django.db import connection
from django.test import Client

from curation.base.process.lifecycle import Stage
from curation.base.web.refusals import Conflict
from curation.joining.people import User
from curation.tasks.task.models import Seat, Task
from review.rounds.actions import finish_round
from review.rounds.assignment_actions import assign
from review.rounds.assignment_models import Review
from review.spot_checks.actions import reopen
from tests.review.steps import approve_all, finish

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def task(in_review: Callable[..., Task]) -> Task:
    return in_review()


def test_a_task_reopened_by_many_at_once_is_reopened_once(
    task: Task, review: Review, desk: Client, staff: User
) -> None:
    approve_all(desk, review)
    finish(desk, review)
    outcomes: Counter[str] = Counter()
    start = threading.Barrier(6)

    def run() -> None:
        mine = Task.objects.get(pk=task.pk)
        connection.close()
        try:
            start.wait(timeout=20)
            reopen(actor=staff, task=mine, reason="A figure is wrong.")
            outcome = "done"
        except Conflict as refused:
            outcome = refused.code
        except Exception as broken:  # shown by the assertion
            outcome = repr(broken)
        finally:
            connection.close()
        outcomes[outcome] += 1

    threads = [threading.Thread(target=run) for _ in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(timeout=60)
    assert outcomes == {"done": 1, "wrong_stage": 5}


def at_once(people: list[Any], step: Callable[[Any], object]) -> Counter[str]:
    """What comes of a step that each of these people takes at the same moment."""
    outcomes: Counter[str] = Counter()
    start = threading.Barrier(len(people))

    def run(who: Any) -> None:
        try:
            start.wait(timeout=20)
            step(who)
            outcome = "done"
        except Conflict as refused:
            outcome = refused.code
        except Exception as broken:  # shown by the assertion
            outcome = repr(broken)
        finally:
            connection.close()
        outcomes[outcome] += 1

    connection.close()
    threads = [threading.Thread(target=run, args=[who]) for who in people]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(timeout=60)
    return outcomes


def test_two_places_that_six_people_take_at_once_go_to_two_of_them(
    rules: Any, in_review: Callable[..., Task], person: Any, finance: Any
) -> None:
    rules(draw=False, reviewers=2, quorum=2)
    task = in_review()
    people = [person(f"p{n}", finance) for n in range(6)]
    taken = at_once(
        people, lambda who: assign(task=Task.objects.get(pk=task.pk), reviewer=who, actor=who)
    )
    assert taken == {"done": 2, "enough_reviewers": 4}
    assert Review.objects.filter(task=task, state="assigned").count() == 2
    assert Seat.objects.filter(task=task, role="reviewer").count() == 2
    assert sorted(Review.objects.values_list("number", flat=True)) == [1, 2]


def test_the_last_two_reviewers_who_finish_at_once_move_the_task_once(
    rules: Any, in_review: Callable[..., Task], reviewer: User, senior: User, sign_in: Any
) -> None:
    rules(reviewers=2, quorum=2)
    task = in_review()
    reviews = list(Review.objects.filter(task=task))
    for review in reviews:
        approve_all(sign_in(review.reviewer), review)
    rounds = [review.rounds.select_related("review__reviewer").get() for review in reviews]
    finished = at_once(rounds, lambda one: finish_round(actor=one.review.reviewer, round=one))
    assert finished == {"done": 2}
    task.refresh_from_db()
    assert task.stage == Stage.APPROVED
    assert task.history.filter(to_stage=Stage.APPROVED).count() == 1
