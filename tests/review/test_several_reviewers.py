"""Several reviewers over the same version: blind to each other, settled by the quorum."""

from collections.abc import Callable
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from curation.base.process.lifecycle import Stage
from curation.joining.people import User
from curation.tasks.task.models import Seat, Task
from review.policy.models import ReviewTerms
from review.rounds.assignment_models import Review
from review.rounds.assignment_queries import pool
from tests.review.steps import approve_all, finish, lines, page_url, request_change, send


@pytest.fixture
def second(senior: User) -> User:
    """The other eligible colleague."""
    return senior


@pytest.fixture
def both(
    rules: Any, refining: Callable[..., Task], study: Client, reviewer: User, second: User
) -> Callable[..., tuple[Task, Review, Review]]:
    """A task that two people review: `both(quorum=1)`."""

    def make(**changed: Any) -> tuple[Task, Review, Review]:
        rules(reviewers=2, **changed)
        task = refining()
        send(study, task)
        return (
            task,
            *(Review.objects.get(task=task, reviewer=who) for who in (reviewer, second)),
        )

    return make


def stage(task: Task) -> str:
    task.refresh_from_db()
    return task.stage


def test_two_are_drawn_with_rounds_of_their_own_on_the_same_version(
    both: Any, desk: Client
) -> None:
    task, mine, other = both(quorum=2)
    assert mine.rounds.get().version_id == other.rounds.get().version_id
    assert Seat.objects.filter(task=task, role="reviewer").count() == 2
    approve_all(desk, mine)
    assert finish(desk, mine).status_code == 302
    assert "The other reviewers have not finished yet" in desk.get(page_url(mine)).content.decode()
    assert stage(task) == Stage.IN_REVIEW


def test_an_open_request_of_anybody_sends_it_back_and_all_read_the_next_version(
    both: Any, desk: Client, sign_in: Any, second: User, study: Client
) -> None:
    task, mine, other = both(quorum=1)
    other_desk = sign_in(second)
    line = lines(other)[0]
    request_change(other_desk, other, line, comment="Gross or net?")
    approve_all(other_desk, other, but=1)
    finish(other_desk, other)
    assert stage(task) == Stage.IN_REVIEW  # one approval would do, but a round is open
    page = desk.get(page_url(mine)).content.decode()
    assert "Gross or net?" not in page
    approve_all(desk, mine)
    finish(desk, mine)
    assert stage(task) == Stage.REFINING  # the request of one keeps the line open
    study.post(reverse("rubric-comment", args=[task.pk]), {"key": line.key, "comment": "Net."})
    send(study, task)
    assert {r.rounds.count() for r in (mine, other)} == {2}
    page = desk.get(page_url(mine)).content.decode()
    assert "A colleague asked for a change" in page
    assert "Gross or net?" in page


def test_what_a_colleague_wrote_appears_after_ones_own_round_or_with_the_next_version(
    both: Any, desk: Client, sign_in: Any, second: User
) -> None:
    task, mine, other = both(quorum=2)
    approve_all(desk, mine)
    finish(desk, mine)
    other_desk = sign_in(second)
    request_change(other_desk, other, lines(other)[0], comment="Gross or net?")
    assert "Gross or net?" not in desk.get(page_url(mine)).content.decode()  # still open
    approve_all(other_desk, other, but=1)
    assert finish(other_desk, other).status_code == 302
    assert "Gross or net?" in desk.get(page_url(mine)).content.decode()
    ReviewTerms.objects.update(colleagues=ReviewTerms.Colleagues.NEXT_VERSION)
    assert "Gross or net?" not in desk.get(page_url(mine)).content.decode()


def test_who_drops_out_leaves_the_place_to_the_pool(
    both: Any, desk: Client, person: Any, finance: Any, sign_in: Any
) -> None:
    task, mine, other = both(quorum=2)
    desk.post(reverse("review-decline", args=[mine.pk]), {"reason": "I advise the borrower."})
    assert task.reviews.filter(state="assigned").count() == 1
    late = person("late", finance)
    assert list(pool(late)) == [task]
    assert sign_in(late).post(reverse("review-take", args=[task.pk])).status_code == 302
    third = Review.objects.get(task=task, reviewer=late)
    assert (third.number, third.rounds.get().version_id) == (3, other.rounds.get().version_id)
    assert (
        sign_in(person("later", finance)).post(reverse("review-take", args=[task.pk])).status_code
        == 409
    )


def test_enough_approvals_do_not_wait_for_a_place_nobody_can_take(
    both: Any, desk: Client, sign_in: Any, second: User
) -> None:
    task, mine, other = both(quorum=1)
    approve_all(desk, mine)
    finish(desk, mine)
    assert stage(task) == Stage.IN_REVIEW
    sign_in(second).post(reverse("review-decline", args=[other.pk]), {"reason": "On leave."})
    assert stage(task) == Stage.APPROVED


def test_too_few_approvals_wait_for_one_more_reviewer(
    both: Any, desk: Client, sign_in: Any, second: User, person: Any, finance: Any
) -> None:
    task, mine, other = both(quorum=2)
    approve_all(desk, mine)
    finish(desk, mine)
    sign_in(second).post(reverse("review-decline", args=[other.pk]), {"reason": "On leave."})
    assert stage(task) == Stage.IN_REVIEW
    late = person("late", finance)
    browser = sign_in(late)
    browser.post(reverse("review-take", args=[task.pk]))
    third = Review.objects.get(task=task, reviewer=late)
    approve_all(browser, third)
    finish(browser, third)
    assert stage(task) == Stage.APPROVED
