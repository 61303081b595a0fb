"""What would leave a task waiting for ever, or tell a colleague too much."""

from collections.abc import Callable
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from curation.base.process.lifecycle import Stage
from curation.joining.people import Qualification, User
from curation.tasks.task.models import Origin, Task
from review.rounds.assignment_models import Review
from review.rounds.assignment_queries import pool
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
