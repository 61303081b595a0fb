"""What would leave a task waiting for ever, tell a colleague too much, or break under two hands."""

import threading
from collections import Counter
from collections.abc import Callable
from typing import Any

import pytest
from django.db import connection
from django.test import Client
from django.urls import reverse

from curation.people.models import Qualification, User
from curation.process.lifecycle import Stage
from curation.tasks.models import Origin, Seat, Task
from curation.web.refusals import Conflict
from review.assignment.actions import assign
from review.assignment.models import Review
from review.assignment.queries import pool
from review.rounds.actions import finish_round
from review.spot_checks.actions import reopen
from rubrics.versions.actions import import_version
from tests.review.steps import approve_all, finish
from tests.rubrics.walk import drafted_lines


@pytest.fixture
def gone(task: Task, reviewer: User, review: Review) -> Review:
    """The only reviewer is suspended in the middle of their round."""
    Qualification.objects.filter(user=reviewer).update(active=False)
    return review


@pytest.mark.django_db
def test_the_place_of_a_suspended_reviewer_is_free_at_once(
    task: Task, gone: Review, senior: User, sign_in: Any
) -> None:
    assert list(pool(senior)) == [task]
    browser = sign_in(senior)
    assert browser.post(reverse("review-take", args=[task.pk])).status_code == 302
    gone.refresh_from_db()
    assert gone.state == "declined"
    assert not gone.rounds.filter(finished_at__isnull=True).exists()
    mine = Review.objects.get(task=task, reviewer=senior)
    approve_all(browser, mine)
    finish(browser, mine)
    task.refresh_from_db()
    assert task.stage == Stage.APPROVED


@pytest.mark.django_db
def test_staff_replace_a_suspended_reviewer_by_hand(
    task: Task, gone: Review, senior: User, staff: User, sign_in: Any
) -> None:
    address = reverse("staff-review-assign", args=[task.pk])
    assert sign_in(staff).post(address, {"reviewer": senior.pk}).status_code == 302
    assert Review.objects.get(task=task, state="assigned").reviewer == senior


@pytest.mark.django_db
def test_nobody_learns_from_a_refusal_whose_task_it_is(
    task: Task, author: User, senior: User, sign_in: Any
) -> None:
    """ "You are tied to the author" tells a colleague of the same house who the author is."""
    User.objects.filter(pk__in=[author.pk, senior.pk]).update(affiliation="Same Bank")
    missing = sign_in(senior).post(reverse("review-take", args=[task.pk + 999]))
    for name in ("review-take", "spot-check-take"):
        tied = sign_in(senior).post(reverse(name, args=[task.pk]))
        assert tied.status_code == missing.status_code == 404


@pytest.fixture
def foreign(finance: Any) -> Task:
    """A task of another benchmark in a domain of ours."""
    task = Task.objects.create(
        key="x-1", origin=Origin.EXTERNAL, domain=finance, stage="approved", requirements="Answer."
    )
    lines = [{**line, "key": f"c{n}"} for n, line in enumerate(drafted_lines(2))]
    import_version(task=task, lines=lines)
    return task


@pytest.mark.django_db
def test_the_task_of_another_benchmark_can_be_neither_taken_nor_assigned(
    foreign: Task, senior: User, staff: User, sign_in: Any
) -> None:
    for name in ("review-take", "spot-check-take"):
        assert sign_in(senior).post(reverse(name, args=[foreign.pk])).status_code == 409
    assign = reverse("staff-review-assign", args=[foreign.pk])
    assert sign_in(staff).post(assign, {"reviewer": senior.pk}).status_code == 409


@pytest.mark.django_db
def test_the_task_of_another_benchmark_has_no_author_to_go_back_to(
    foreign: Task, staff: User, sign_in: Callable[[User], Client]
) -> None:
    address = reverse("staff-task-reopen", args=[foreign.pk])
    assert sign_in(staff).post(address, {"reason": "Wrong figure."}).status_code == 409
    foreign.refresh_from_db()
    assert foreign.stage == Stage.APPROVED
    assert not foreign.rubric_versions.filter(frozen_at__isnull=True).exists()


@pytest.mark.django_db(transaction=True)
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


@pytest.mark.django_db(transaction=True)
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


@pytest.mark.django_db(transaction=True)
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
