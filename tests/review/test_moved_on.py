"""Pages of seniors and staff whose task has moved on lead to the task as it is now."""

from typing import Any

import pytest
from django.test import Client, override_settings
from django.urls import reverse

from curation.base.process.lifecycle import Stage
from curation.joining.people import User
from curation.tasks.task.models import Task
from review.rounds.assignment_models import Review
from tests.conftest import browser_of, new_person
from tests.markup import one_line
from tests.review.steps import approve_all, finish, stage
from tests.worlds import World

HERE = "http://testserver"
TESTS = {"consistent": "yes", "aligned": "yes", "evaluable": "yes"}


@pytest.fixture(scope="module")
def approved_world(review_world: World) -> World:
    """A senior's spot check has just been accepted."""
    task = review_world["task"]
    review = Review.objects.get(task=task)
    desk = browser_of(review_world["peer"])
    senior = new_person("senior", review_world["finance"], senior=True)
    with override_settings(SPOT_CHECK_RATE=1.0):
        approve_all(desk, review)
        finish(desk, review)
    browser = browser_of(senior)
    browser.post(reverse("spot-check-take", args=[task.pk]))
    page = reverse("spot-check", args=[task.pk])
    browser.post(page, {"verdict": "accept", "remarks": "Each test holds.", **TESTS})
    assert stage(task) == Stage.APPROVED
    return World(senior=senior)


@pytest.fixture
def approved(approved_world: World, settings: Any, senior: User, sign_in: Any) -> Client:
    """The senior in another window."""
    settings.SPOT_CHECK_RATE = 1.0
    browser: Client = sign_in(senior)
    return browser


def press(browser: Client, page: str, **sent: str) -> Any:
    return browser.post(page, sent, headers={"referer": HERE + page}, follow=True)


def test_a_decision_on_a_check_that_is_over_shows_the_rubric_and_says_so_once(
    approved: Client, task: Task
) -> None:
    answer = press(approved, reverse("spot-check", args=[task.pk]), verdict="accept", **TESTS)
    rubric = reverse("rubric", args=[task.pk])
    assert answer.redirect_chain == [(rubric, 303)]
    assert answer.status_code == 200
    assert answer.content.decode().count("This task is not waiting for a spot check.") == 1


def test_an_old_link_to_the_check_is_answered_with_a_link_to_the_rubric(
    approved: Client, task: Task
) -> None:
    answer = approved.get(reverse("spot-check", args=[task.pk]))
    assert answer.status_code == 409
    assert f'href="{reverse("rubric", args=[task.pk])}"' in answer.content.decode()


@pytest.mark.parametrize(
    "step", ["staff-task-reopen", "staff-task-discard", "staff-one-more-round",
             "staff-spot-check-release"],
)  # fmt: skip
def test_a_step_of_staff_that_no_longer_fits_shows_the_task(
    sign_in: Any, staff: User, task: Task, review: Review, step: str
) -> None:
    office, page = sign_in(staff), reverse("staff-task", args=[task.pk])
    answer = office.get(reverse(step, args=[task.pk]), headers={"referer": HERE + page})
    assert (answer.status_code, answer.url) == (303, page)
    shown = one_line(office.get(page).content.decode())
    assert 'class="note note-wait" role="status"' in shown
    typed = office.post(
        reverse(step, args=[task.pk]),
        {"reason": "Typed before"},
        headers={"referer": HERE + reverse(step, args=[task.pk])},
    )
    assert typed.status_code == 409  # the reason is shown, and the way on
    assert ">Typed before</textarea>" in typed.content.decode()
    assert f'href="{page}"' in typed.content.decode()


def test_a_review_that_was_handed_back_leads_to_the_list_of_reviews(
    review: Review, desk: Client
) -> None:
    desk.post(reverse("review-decline", args=[review.pk]), {"reason": "No time this week."})
    page = reverse("review", args=[review.pk])
    answer = press(desk, page)
    assert answer.status_code == 405  # the page itself takes no form
    finished = desk.post(
        reverse("review-finish", args=[review.pk]), headers={"referer": HERE + page}, follow=True
    )
    assert finished.redirect_chain[-1][0] == reverse("reviews")
    assert "This review is with a colleague now" in finished.content.decode()
