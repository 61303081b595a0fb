"""Staff take a spot check from a senior who cannot go on, and another senior takes it."""

from typing import Any

import pytest
from django.test import Client, override_settings
from django.urls import reverse

from curation.base.process.lifecycle import Stage
from curation.joining.people import User
from curation.tasks.task.models import Seat, Task
from review.rounds.assignment_models import Review
from review.senior_seats.models import SpotCheckRelease
from tests.conftest import browser_of, new_person
from tests.review.steps import approve_all, finish
from tests.worlds import World

pytestmark = pytest.mark.django_db


@pytest.fixture(scope="module")
def held_world(review_world: World) -> World:
    """The spot check of the task, taken by a senior."""
    task = review_world["task"]
    review = Review.objects.get(task=task)
    desk = browser_of(review_world["peer"])
    senior = new_person("senior", review_world["finance"], senior=True)
    with override_settings(SPOT_CHECK_RATE=1.0):
        approve_all(desk, review)
        finish(desk, review)
    assert Task.objects.get(pk=task.pk).stage == Stage.SPOT_CHECK
    taken = browser_of(senior).post(reverse("spot-check-take", args=[task.pk]))
    assert taken.status_code == 302
    return World(senior=senior)


@pytest.fixture
def held(held_world: World, settings: Any, task: Task) -> Task:
    settings.SPOT_CHECK_RATE = 1.0
    return task


def test_a_spot_check_goes_on_to_another_senior_with_the_reason_on_record(
    held: Task, senior: User, staff: User, person: Any, finance: Any, sign_in: Any
) -> None:
    office, url = sign_in(staff), reverse("staff-spot-check-release", args=[held.pk])
    late = sign_in(person("late", finance, senior=True))
    take, page = reverse("spot-check-take", args=[held.pk]), reverse("spot-check", args=[held.pk])
    assert late.post(take).status_code == 409
    assert url in office.get(reverse("staff-task", args=[held.pk])).content.decode()
    assert office.get(url).status_code == 200
    assert office.post(url, {"reason": " "}).status_code == 400
    assert office.post(url, {"reason": "On leave."}).status_code == 302
    released = SpotCheckRelease.objects.get()
    assert (released.senior, released.released_by, released.reason) == (senior, staff, "On leave.")
    assert Seat.objects.filter(task=held, user=senior, role="spot_checker").exists()
    assert office.post(url, {"reason": "Again."}).status_code == 409
    assert sign_in(senior).get(page).status_code == 403
    assert held.title in late.get(reverse("spot-checks")).content.decode()
    assert late.post(take).status_code == 302
    assert late.get(page).status_code == 200
    story = office.get(reverse("staff-task", args=[held.pk])).content.decode()
    assert "The spot check is waiting for another senior." in story


def test_the_top_bar_counts_it_for_the_senior_only_while_it_is_theirs(
    held: Task, senior: User, staff: User, sign_in: Any
) -> None:
    desk = sign_in(senior)

    def counted() -> list[int]:
        bar = desk.get(reverse("preferences")).context["nav"]
        return [entry["count"] for entry in bar if entry["url"] == reverse("spot-checks")]

    assert counted() == [1]
    url = reverse("staff-spot-check-release", args=[held.pk])
    sign_in(staff).post(url, {"reason": "On leave."})
    assert counted() == [0]


def test_the_same_senior_may_take_it_again(
    held: Task, senior: User, staff: User, sign_in: Any
) -> None:
    url = reverse("staff-spot-check-release", args=[held.pk])
    sign_in(staff).post(url, {"reason": "On leave."})
    desk = sign_in(senior)
    assert desk.post(reverse("spot-check-take", args=[held.pk])).status_code == 302
    assert desk.get(reverse("spot-check", args=[held.pk])).status_code == 200


def test_the_author_hears_nothing_of_it(
    held: Task, staff: User, study: Client, sign_in: Any
) -> None:
    url = reverse("staff-spot-check-release", args=[held.pk])
    assert study.post(url, {"reason": "Mine."}).status_code == 403
    sign_in(staff).post(url, {"reason": "On leave."})
    assert "On leave." not in study.get(reverse("task", args=[held.pk])).content.decode()
