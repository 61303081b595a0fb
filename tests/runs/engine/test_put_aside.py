"""Work that ends or freezes its worker is put aside; the worker goes on with the rest."""

import os
import subprocess
import sys
from datetime import timedelta

import pytest
from django.conf import settings
from django.core.management import call_command
from django.db import IntegrityError, transaction
from django.utils import timezone

from curation.base.process import periodic_jobs
from curation.tasks.task.models import Task
from judge.asking.calls import model_client
from judge.asking.prompts import builder
from judge.asking.prompts.task_text import task_text
from judge.base.queue import ends, exit_statuses, leases, watchdog
from judge.base.queue.models import MachineWork
from judge.jobs import alone, jobs
from judge.runs.engine import pause_reasons
from judge.runs.pages.actions import start_run
from tests import processes
from tests.runs.engine import factory

pytestmark = pytest.mark.django_db(transaction=True)

do_in_a_process = alone.do


@pytest.fixture
def drafting(author, finance):
    """A task that waits for its draft; its title says what the draft does to the worker."""

    def drafting(title):
        return Task.objects.create(
            key=title,
            author=author,
            domain=finance,
            title=title,
            stage="drafting",
            scenario="A family sells its company and asks what its shares are worth.",
            requirements="Bridge the enterprise value to the equity value, step by step.",
            reference_answer="The equity value is 100 million. Net debt must be deducted.",
        )

    return drafting


@pytest.fixture
def poisoned(tmp_path, settings, monkeypatch):
    """Workers that these tests start, and what they start, have the handlers of `poison`."""
    settings.VAR_DIR = tmp_path
    environment = {
        "DJANGO_SETTINGS_MODULE": "tests.runs.engine.poison",
        "DEBUG": "1",
        "DATABASE_URL": processes.database_url(),
        "VAR_DIR": str(tmp_path),
    }
    for name, value in environment.items():
        monkeypatch.setenv(name, value)
    monkeypatch.setattr(alone, "do", do_in_a_process)
    return monkeypatch


def work():
    """`manage.py work` as its supervisor starts it; returns its exit status."""
    command = [sys.executable, "manage.py", "work", "--skip-checks"]
    return subprocess.run(command, cwd=settings.BASE_DIR, capture_output=True).returncode


def claim_of_a_dead_worker(kind, pk):
    """The claim as a worker leaves it that was killed on a machine of its own, a while ago."""
    MachineWork.objects.filter(kind=kind, object_id=pk).delete()
    leases.claim_work(kind, pk, "0123456789ab-1-1-abcdef")
    MachineWork.objects.update(lease_until=timezone.now() - timedelta(minutes=1))


def stage(task):
    return Task.objects.get(pk=task.pk).stage


def test_what_ends_its_worker_twice_is_put_aside_with_its_page_and_reason_and_the_rest_is_done(
    drafting, poisoned, sign_in, staff, author
):
    poison, sound = drafting("ends"), drafting("sound")
    assert work() == 3
    assert stage(sound) == "drafting"
    assert work() == 0
    assert (stage(poison), stage(sound)) == ("drafting", "refining")
    aside = MachineWork.objects.get(object_id=poison.pk)
    assert (aside.put_aside, aside.lease) == ("status 3", "")
    assert jobs.due() == []
    office = sign_in(staff)
    for page in ("/staff/jobs/", "/"):
        said = office.get(page).content.decode()
        assert "Its process ended by itself, with status 3." in said
        assert f'href="/staff/tasks/{poison.pk}/"' in said
    address = f"/staff/jobs/{aside.pk}/again/"
    assert sign_in(author).post(address).status_code == 403
    assert office.post(address).status_code == 302
    assert office.post(address).status_code == 409
    assert jobs.due() == [(jobs.draft_task, poison.pk)]
    aside.refresh_from_db()
    assert (aside.put_aside, aside.workers_ended) == ("", 1)  # so it is tried alone again


def test_what_keeps_the_interpreter_to_itself_is_ended_and_put_aside_as_frozen(drafting, poisoned):
    poisoned.setenv("WORKER_FROZEN_AFTER", "8")
    poison = drafting("freezes")
    claim_of_a_dead_worker("draft", poison.pk)
    call_command("work")
    assert MachineWork.objects.get(object_id=poison.pk).put_aside == ends.FROZEN


@pytest.mark.parametrize(
    "frozen", ["while True: pass", "import ctypes; ctypes.PyDLL(None).sleep(3600)"]
)
def test_a_frozen_process_ends_and_says_where_it_was(frozen):
    code = f"""
from django.conf import settings
from judge.base.queue import watchdog

def job_that_freezes():
    with watchdog.watched("draft 7"):
        {frozen}

settings.configure(WORKER_FROZEN_AFTER=1)
watchdog.start()
job_that_freezes()
"""
    done = subprocess.run(
        [sys.executable, "-c", code],
        cwd=settings.BASE_DIR,
        capture_output=True,
        text=True,
    )
    assert ends.end_of(done.returncode) == ends.FROZEN
    assert "job_that_freezes" in done.stderr
    assert "Traceback" not in done.stderr  # an error ends with status 1, too


def test_a_process_that_cannot_start_is_not_called_frozen():
    done = subprocess.run(
        [sys.executable, "-m", "judge.jobs", "draft", "7", "a-claim"],
        cwd=settings.BASE_DIR,
        capture_output=True,
        env={**os.environ, "DJANGO_SETTINGS_MODULE": "no.settings"},
    )
    assert done.returncode == exit_statuses.BROKE


def test_each_call_of_a_model_is_a_sign_of_life_of_the_work_that_waits_for_it(drafting):
    text = task_text(drafting("sound"))
    with watchdog.watched("draft 7", most_seconds=1e6) as work:
        work.until = 0.0
        assert work.is_frozen()
        prompt = builder.answer_prompt(text)
        model_client.ask(model_client.offline(), prompt, purpose="draft", task=None)
        assert not work.is_frozen()


def test_each_periodic_job_has_a_time_of_its_own(monkeypatch):
    order = []
    monkeypatch.setattr(watchdog.Watched, "sign_of_life", lambda work: order.append("sign"))
    chores = [lambda: order.append("one") or 0, lambda: order.append("other") or 0]
    monkeypatch.setattr(periodic_jobs, "JOBS", chores)
    jobs.run_periodic_jobs()
    assert order == ["sign", "sign", "one", "sign", "other"]


def test_what_was_at_work_beside_it_is_done_alone_and_not_blamed(drafting):
    task = drafting("sound")
    claim_of_a_dead_worker("draft", task.pk)
    call_command("work")
    assert stage(task) == "refining"
    assert MachineWork.objects.get().workers_ended == 0


def test_what_three_workers_did_not_survive_is_put_aside_wherever_they_ran(drafting):
    task = drafting("sound")
    claim_of_a_dead_worker("draft", task.pk)
    MachineWork.objects.update(workers_ended=leases.MOST_ENDED - 1)
    assert not jobs.draft_task(task.pk)
    assert MachineWork.objects.get().put_aside == ends.SEVERAL
    assert stage(task) == "drafting"


@pytest.mark.parametrize("status", [0, -2, -15, exit_statuses.BROKE])
def test_work_whose_process_was_stopped_or_broke_is_tried_again(drafting, monkeypatch, status):
    task = drafting("sound")
    claim_of_a_dead_worker("draft", task.pk)
    monkeypatch.setattr(alone, "do", lambda work: status)
    assert not jobs.draft_task(task.pk)
    work = MachineWork.objects.get()
    assert (work.put_aside, work.lease, work.workers_ended) == ("", "", 1)
    assert work.problem


def test_progress_clears_the_suspicion(drafting):
    task = drafting("sound")
    claim_of_a_dead_worker("draft", task.pk)
    work = leases.claim_work("draft", task.pk, leases.new_token())
    assert work.workers_ended == 1
    leases.renew_work(work)
    work.refresh_from_db()
    assert work.workers_ended == 1
    leases.renew_work(work, progress=True)
    work.refresh_from_db()
    assert work.workers_ended == 0


@pytest.mark.parametrize("way", ["jobs", "run"])
def test_a_run_that_its_worker_did_not_survive_is_paused_and_goes_on_from_either_page(
    plan, monkeypatch, sign_in, staff, way
):
    factory.benchmark(1, 2)
    run = plan(provider="offline", model="")
    claim_of_a_dead_worker("run", run.pk)
    monkeypatch.setattr(alone, "do", lambda work: -9)
    assert not jobs.run_judge(run.pk)
    run.refresh_from_db()
    assert (run.state, run.reason) == ("paused", pause_reasons.ENDED_ITS_WORKERS)
    aside = MachineWork.objects.get(kind="run")
    office = sign_in(staff)
    said = office.get("/staff/jobs/").content.decode()
    assert "as it does when memory runs out" in said
    assert f'href="/staff/runs/{run.pk}/"' in said
    if way == "jobs":
        assert office.post(f"/staff/jobs/{aside.pk}/again/").status_code == 302
    else:
        start_run(actor=staff, run=run)
    monkeypatch.undo()
    assert run.acts.filter(actor=staff).count() == 1
    assert jobs.due() == [(jobs.run_judge, run.pk)]
    aside.refresh_from_db()
    assert (aside.put_aside, aside.workers_ended) == ("", 1)


def test_nobody_holds_what_is_put_aside():
    with pytest.raises(IntegrityError), transaction.atomic():
        MachineWork.objects.create(kind="draft", object_id=1, lease="x", put_aside="signal 9")
