"""What waits for whom, in a fixed number of queries."""

from collections.abc import Callable
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from curation.joining.people import User
from curation.tasks.task.models import Task
from review.rounds.assignment_models import Review
from review.staff.waiting import waiting
from rubrics.sending.waiting import waiting as rubrics_waiting
from tests.review.steps import approve, approve_all, finish, lines, request_change


def test_a_review_waits_with_its_round_its_date_and_its_progress(
    review: Review, reviewer: User, desk: Client
) -> None:
    (item,) = waiting(reviewer)
    assert item.title == "Review a rubric, round 1"
    assert (item.button, item.due, item.blocks) == ("Start", review.due_at, True)
    assert item.url == reverse("review", args=[review.pk])
    approve(desk, review, lines(review)[0])
    assert waiting(reviewer)[0].button == "Continue"
    assert "1 of 15 lines have a verdict" in waiting(reviewer)[0].detail


def test_spot_checks_wait_for_seniors_of_the_domain_only(
    task: Task,
    review: Review,
    desk: Client,
    senior: User,
    reviewer: User,
    author: User,
    settings: Any,
    sign_in: Any,
) -> None:
    settings.SPOT_CHECK_RATE = 1.0
    approve_all(desk, review)
    finish(desk, review)
    (item,) = waiting(senior)
    assert item.title == "1 rubric is waiting for a spot check"
    sign_in(senior).post(reverse("spot-check-take", args=[task.pk]))
    (item,) = waiting(User.objects.get(pk=senior.pk))
    assert item.url == reverse("spot-check", args=[task.pk])
    assert waiting(reviewer) == waiting(author) == []


@pytest.mark.parametrize("tasks", [1, 3])
def test_what_waits_takes_the_same_few_queries_however_much_it_is(
    in_review: Callable[..., Task],
    sign_in: Any,
    author: User,
    reviewer: User,
    tasks: int,
    settings: Any,
    django_assert_max_num_queries: Any,
) -> None:
    settings.PROMPTS_PER_EXPERT = tasks
    desk = sign_in(reviewer)
    for n in range(tasks):
        in_review(title=f"Task {n}")
    fresh = User.objects.get(pk=reviewer.pk)
    with django_assert_max_num_queries(3):
        assert len(waiting(fresh)) == tasks
    for review in Review.objects.all():
        request_change(desk, review, lines(review)[0])
        approve_all(desk, review, but=1)
        finish(desk, review)
    with django_assert_max_num_queries(6):
        assert len(rubrics_waiting(author)) == tasks
