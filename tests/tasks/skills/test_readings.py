"""The page of a task's labels says how far a model is with reading it."""

from datetime import timedelta

import pytest
from django.urls import reverse
from django.utils import timezone

from curation.tasks.task.models import Task
from judge.base.queue.models import Heartbeat, MachineWork
from judge.base.queue.send import LABELS
from judge.suggesting.skill_labels.generate import fail_request
from judge.suggesting.skill_labels.models import LabelRequest
from judge.suggesting.skill_labels.views import ask_for_labels
from tests.conftest import browser_of
from tests.rubrics.walk import to_refining
from tests.tasks.skills.conftest import new_label

BUTTON = "Have a model propose labels"


@pytest.fixture
def task(author, person, finance, staff) -> Task:
    new_label(staff, finance, "Net debt", 2)
    return to_refining(author, person("screener", finance), finance)


@pytest.fixture
def request_(task, staff) -> LabelRequest:
    return ask_for_labels(actor=staff, task=task)


def page(user, task) -> str:
    return browser_of(user).get(reverse("task-labels", args=[task.pk])).content.decode()


def test_nothing_is_said_before_a_model_is_asked(staff, task):
    shown = page(staff, task)
    assert BUTTON in shown
    assert "waits for a model" not in shown


def test_it_waits_for_a_worker_or_is_read(staff, task, request_):
    Heartbeat.objects.create(name="worker", at=timezone.now() - timedelta(days=1))
    shown = page(staff, task)
    assert "but no worker is running" in shown
    assert BUTTON not in shown
    Heartbeat.objects.update(at=timezone.now())
    assert "The task waits for a model to read it. Load the page again" in page(staff, task)
    MachineWork.objects.create(
        kind=LABELS,
        object_id=request_.pk,
        lease="w",
        lease_until=timezone.now() + timedelta(minutes=1),
        attempts=2,
        problem="The disk was full.",
    )
    shown = page(staff, task)
    assert "A model is reading this task." in shown
    assert "The disk was full." in shown


def test_only_staff_read_why_it_failed_and_anybody_can_ask_again(
    staff, person, finance, task, request_
):
    senior = person("senior", finance, senior=True)
    fail_request(request_, "OpenAI: the key was refused")
    for user, reads in ((staff, True), (senior, False)):
        shown = page(user, task)
        assert "A model could not read this task." in shown
        assert ("the key was refused" in shown) == reads
        assert BUTTON in shown
    browser_of(senior).post(reverse("labels-ask", args=[task.pk]))
    assert "A model could not read this task." not in page(senior, task)


def test_seniors_reach_the_labels_from_the_menu(person, finance, staff):
    senior = person("senior", finance, senior=True)
    entry = f'href="{reverse("labels")}"'
    for user in (senior, staff):
        assert entry in browser_of(user).get("/").content.decode()
    assert entry not in browser_of(person("expert", finance)).get("/").content.decode()
