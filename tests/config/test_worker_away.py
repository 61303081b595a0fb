"""While no worker lives, the pages that need one say so."""

from datetime import timedelta

import pytest
from django.conf import settings
from django.test import Client
from django.utils import timezone

from curation.tasks.task.models import Slot, Task
from judge.base.queue.models import Heartbeat
from judge.jobs import jobs
from judge.runs.engine.models import JudgeRun

pytestmark = pytest.mark.django_db

AWAY = "The background worker is not running."


def says(client: Client, path: str) -> bool:
    answer = client.get(path)
    assert answer.status_code == 200
    return AWAY in answer.content.decode()


@pytest.fixture
def alive(db):
    jobs.beat()


@pytest.fixture
def dead(db):
    silent = timedelta(seconds=settings.WORKER_SILENT_AFTER + 1)
    Heartbeat.objects.create(name="worker", at=timezone.now() - silent)


@pytest.fixture
def submitted(author, finance):
    task = Task.objects.create(key="t", author=author, domain=finance, title="A", stage="submitted")
    Slot.objects.create(expert=author, number=1, task=task)
    return task


STAFF_PAGES = ("/", "/staff/tasks/", "/staff/people/", "/staff/runs/", "/staff/pipeline/")


@pytest.mark.parametrize("path", STAFF_PAGES)
def test_staff_read_it_on_every_page(path, staff, sign_in, dead):
    assert says(sign_in(staff), path)


@pytest.mark.parametrize("path", STAFF_PAGES)
def test_staff_read_nothing_of_it_while_a_worker_lives(path, staff, sign_in, alive):
    assert not says(sign_in(staff), path)


def test_a_worker_that_never_was_is_missed_as_well(staff, sign_in, db):
    assert says(sign_in(staff), "/")


class TestAnAuthorWhoseTaskWaitsForTheMachine:
    def test_reads_it_on_home_the_list_and_the_task(self, author, sign_in, submitted, dead):
        client = sign_in(author)
        for path in ("/", "/tasks/", f"/tasks/{submitted.pk}/"):
            assert says(client, path), path

    def test_reads_nothing_of_it_while_a_worker_lives(self, author, sign_in, submitted, alive):
        client = sign_in(author)
        for path in ("/", "/tasks/", f"/tasks/{submitted.pk}/"):
            assert not says(client, path), path


def test_an_expert_whose_work_waits_for_no_machine_is_not_troubled(author, sign_in, finance, dead):
    draft = Task.objects.create(key="t", author=author, domain=finance, title="A")
    client = sign_in(author)
    for path in ("/", "/tasks/", f"/tasks/{draft.pk}/"):
        assert not says(client, path), path


def test_an_open_page_of_a_run_gets_the_note_with_its_next_look(staff, sign_in, dead):
    run = JudgeRun.objects.create(provider="offline", model="rules-1", method="zero_shot")
    page = sign_in(staff).get(f"/staff/runs/{run.pk}/progress/", headers={"X-Parts": "1"})
    text = page.content.decode()
    assert AWAY in text
    assert 'id="worker-away"' in text
