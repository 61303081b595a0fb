"""The worker without a broker: it finds work by itself and outlives whatever goes wrong."""

import threading

import pytest
from django.db import OperationalError, connection

from curation.tasks.task.models import Task
from judge.base.queue.models import Heartbeat
from judge.base.queue.send import send
from judge.jobs import jobs, work_loop
from judge.suggesting.drafts import generate
from tests import processes

pytestmark = pytest.mark.django_db(transaction=True)

PATIENCE = 60  # seconds; only a broken worker ever needs them


@pytest.fixture
def submit(author, finance):
    """A task that waits for its rubric draft."""

    def submit(key, stage="drafting"):
        return Task.objects.create(
            key=key,
            author=author,
            domain=finance,
            title="Bridge",
            stage=stage,
            scenario="A family sells its company and asks what its shares are worth.",
            requirements="Bridge the enterprise value to the equity value, step by step.",
            reference_answer="The equity value is 100 million. Net debt must be deducted.",
        )

    return submit


@pytest.fixture
def loop():
    """A loop in a thread of its own; ended with the test."""
    stop, threads = threading.Event(), []

    def start():
        worker = work_loop.WorkLoop(threads=2, every=0.01, report=lambda line: None)

        def run():
            worker.run(stop)
            connection.close()

        threads.append(threading.Thread(target=run))
        threads[0].start()

    yield start
    stop.set()
    for thread in threads:
        thread.join()


def until(true):
    """Wait until something holds."""
    pause = threading.Event()
    for _ in range(PATIENCE * 50):
        if true():
            return True
        pause.wait(0.02)
    return False


def at(task, stage):
    return lambda: Task.objects.get(pk=task.pk).stage == stage


def test_a_process_without_a_broker_does_what_waits_and_shows_that_it_lives(submit, tmp_path):
    task = submit("one", stage="submitted")
    worker = processes.start(tmp_path, "work", "--loop")
    try:
        assert until(at(task, "screening"))
        assert Heartbeat.objects.exists()
        later = submit("two")
        assert until(at(later, "refining"))
        worker.terminate()
        assert worker.wait(timeout=PATIENCE) == 0
    finally:
        processes.end(worker)


def test_a_job_that_breaks_ends_neither_the_worker_nor_the_other_jobs(submit, loop, monkeypatch):
    draft, broken = generate.draft_for, submit("broken")

    def break_on_one(task, who):
        if task.pk == broken.pk:
            raise SystemError("a fault of ours")
        return draft(task, who)

    monkeypatch.setattr(jobs, "draft_for", break_on_one)
    loop()
    sound = submit("sound")
    assert until(at(sound, "refining"))
    later = submit("later")
    assert until(at(later, "refining"))
    assert at(broken, "drafting")()


def test_a_database_that_fails_for_a_while_does_not_end_the_worker(submit, loop, monkeypatch):
    monkeypatch.setattr(work_loop, "TROUBLE_PAUSE", 0.01)
    due, failures = jobs.due, []

    def fail_at_first():
        if len(failures) < 5:
            failures.append(1)
            raise OperationalError("the server closed the connection unexpectedly")
        return due()

    monkeypatch.setattr(jobs, "due", fail_at_first)
    task = submit("one")
    loop()
    assert until(at(task, "refining"))
    assert len(failures) == 5


def test_a_job_that_found_nothing_to_do_is_not_asked_over_and_over(submit, loop, monkeypatch):
    task, asked = submit("one"), []
    monkeypatch.setattr(jobs, "draft_for", lambda task, who: None)
    monkeypatch.setattr(jobs, "due", lambda: [(idle, task.pk), (asked_often, task.pk)])
    seen = threading.Event()

    class Job:
        def __init__(self, name, answer):
            self.name, self.answer = name, answer

        def __call__(self, pk):
            asked.append(self.name)
            if asked.count("often") > 5:
                seen.set()
            return self.answer

    idle, asked_often = Job("idle", False), Job("often", True)
    loop()
    assert seen.wait(PATIENCE)
    assert asked.count("idle") == 1


def test_without_a_broker_nothing_is_sent(settings, monkeypatch):
    settings.CELERY_BROKER_URL = ""

    sent = []
    monkeypatch.setattr(jobs.probe_task, "apply_async", lambda **given: sent.append(given))
    assert not send("probe_task", 1)
    assert sent == []  # `send` would swallow what a job raises
