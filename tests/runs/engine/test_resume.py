"""Killed at any moment and started again: every response is judged exactly once."""

import json
import signal
import threading

import pytest
from django.core.management import CommandError, call_command
from django.db import InterfaceError, OperationalError
from django.utils import timezone

from curation.base.web.refusals import Conflict
from judge.asking.calls.models import Call
from judge.asking.calls.price_models import Price
from judge.asking.providers.base import MAX_OUTPUT_TOKENS
from judge.base.queue import leases
from judge.jobs import jobs
from judge.runs.engine.lease import claim_run
from judge.runs.engine.ledger import Ledger
from judge.runs.engine.models import JudgeRun, Judgment, Verdict
from judge.runs.engine.work import work_on_run
from judge.runs.pages import lifecycle
from tests.processes import end, start, until
from tests.runs.engine import factory
from tests.runs.engine.test_runs import all_right

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def command(tmp_path, settings):
    """Starts `manage.py judge …` as a process of its own on the test database."""
    started = []
    settings.VAR_DIR = tmp_path  # as the process has it: there it is seen whether it lives

    def command(*arguments):
        started.append(start(tmp_path, "judge", "--skip-checks", "--json", *arguments))
        return started[-1]

    yield command
    for process in started:
        end(process)


def test_a_run_killed_twice_judges_every_response_exactly_once(stub, plan, command):
    stub.latency = 0.05
    factory.benchmark(4, 10)
    run = plan(concurrency=4)
    for calls in (7, 19):
        process = command("--resume", run.pk)
        until(stub, calls, process)
        process.send_signal(signal.SIGKILL)
        process.communicate()
        assert JudgeRun.objects.get(pk=run.pk).state == JudgeRun.State.RUNNING
        assert 0 < Judgment.objects.filter(state="complete").count() < 40
    process = command("--resume", run.pk)
    out, err = process.communicate(timeout=60)
    assert process.returncode == 0, err
    result = json.loads(out.splitlines()[-1])
    assert (result["judged"], result["failed"], result["waiting"]) == (40, 0, 0)
    assert all_right(run) == 40 * 17
    assert Judgment.objects.count() == 40
    assert run.takeovers.count() == 2
    # With four places fourteen responses were under way each time it died; no other is asked again.
    assert stub.calls <= 40 + 2 * 14
    answered = Call.objects.filter(run=run, error="").values_list("judgment_id", flat=True)
    assert len(answered) == len(set(answered)) == 40
    # However often it died, each request can be read whole.
    assert all("is for sale" in json.dumps(c.request) for c in Call.objects.filter(run=run))


def test_a_new_run_takes_over_what_a_dead_one_had_claimed(stub, plan, judge, command):
    stub.latency = 0.05
    factory.benchmark(2, 10)
    dead = plan(concurrency=4)
    process = command("--resume", dead.pk)
    until(stub, 5, process)
    process.kill()
    process.communicate()
    run, result = judge()
    assert (result["judged"], result["waiting"]) == (20, 0)
    assert all_right(run) == 20 * 17
    assert Verdict.objects.count() == 20 * 17


def test_a_first_call_that_never_came_back_counts_with_all_that_was_set_aside(
    stub, plan, command, judge
):
    stub.script("hold")
    factory.benchmark(1, 3)
    Price.objects.create(
        provider="openai", model="judge-1", input_micro=1, cached_micro=1, output_micro=10_000_000
    )
    whole = 10 * MAX_OUTPUT_TOKENS  # micro-dollars of the longest reply
    run = plan(budget_micro=whole + whole // 20)
    process = command("--resume", run.pk)
    until(stub, 1, process)
    process.kill()
    process.communicate()
    run, result = judge(run)
    assert (run.state, run.calls_started, stub.calls) == (JudgeRun.State.STOPPED, 1, 1)
    assert (result["judged"], result["waiting"]) == (0, 3)
    # It stays counted, however often the run is looked at again.
    lifecycle.continue_run(actor=None, run=run, budget_micro=whole + whole // 10)
    run, _result = judge(run)
    assert (run.state, stub.calls) == (JudgeRun.State.STOPPED, 1)


def test_two_processes_never_work_on_one_run(stub, plan, command):
    stub.latency = 0.2
    factory.benchmark(1, 20)
    run = plan(concurrency=2)
    first = command("--resume", run.pk)
    until(stub, 2, first)
    assert not work_on_run(run)
    with pytest.raises(Conflict, match="Another process is working on run"):
        lifecycle.continue_run(actor=None, run=run)
    with pytest.raises(CommandError, match="Another process is working on run"):
        call_command("judge", resume=run.pk)
    out, _err = first.communicate(timeout=60)
    assert json.loads(out.splitlines()[-1])["judged"] == 20
    assert stub.calls == 20


def test_two_runs_of_one_configuration_share_the_work(stub, plan, command):
    stub.latency = 0.03
    factory.benchmark(2, 10)
    first, second = plan(concurrency=2), plan(concurrency=2)
    processes = [command("--resume", run.pk) for run in (first, second)]
    results = [json.loads(p.communicate(timeout=60)[0].splitlines()[-1]) for p in processes]
    assert [r["judged"] for r in results] == [20, 20]
    assert stub.calls == sum(r["calls"] for r in results) == 20
    assert Judgment.objects.count() == 20


def test_an_interrupted_run_pauses_after_the_calls_under_way(stub, plan, command):
    stub.latency = 0.05
    factory.benchmark(2, 20)
    run = plan(concurrency=2)
    process = command("--resume", run.pk)
    until(stub, 4, process)
    process.send_signal(signal.SIGINT)
    out, _err = process.communicate(timeout=60)
    result = json.loads(out.splitlines()[-1])
    assert process.returncode == 0
    assert result["state"] == "paused"
    assert f"--resume {run.pk}" in result["why"]
    assert result["calls"] == result["judged"] == stub.calls < 40


def test_a_run_that_staff_pause_stops_and_can_go_on(stub, plan, judge):
    stub.latency = 0.05
    factory.benchmark(2, 40)
    run = plan(concurrency=2)
    paused = threading.Event()

    def pause(through, total):
        if through >= 3 and not paused.is_set():
            paused.set()
            lifecycle.pause_run(
                actor=None, run=JudgeRun.objects.get(pk=run.pk), reason="Look first."
            )

    assert work_on_run(run, on_progress=pause)
    assert (run.state, run.reason, run.lease) == (JudgeRun.State.PAUSED, "Look first.", "")
    assert lifecycle.summary(run)["waiting"] > 0
    lifecycle.continue_run(actor=None, run=run)
    run, result = judge(run)
    assert (run.state, result["judged"], stub.calls) == (JudgeRun.State.FINISHED, 80, 80)


def test_a_cancelled_run_cannot_be_continued(stub, plan):
    factory.benchmark(1, 1)
    run = plan()
    lifecycle.cancel_run(actor=None, run=run)
    with pytest.raises(Conflict, match="was cancelled"):
        lifecycle.continue_run(actor=None, run=run)
    assert not work_on_run(run)


def test_a_cancellation_in_the_moment_of_the_claim_stands(plan, monkeypatch):
    factory.benchmark(1, 1)
    run = plan(provider="offline", model="")
    claim = claim_run

    def claimed_and_cancelled(pk, token, *, states):
        taken = claim(pk, token, states=states)
        lifecycle.cancel_run(actor=None, run=JudgeRun.objects.get(pk=pk))
        return taken

    monkeypatch.setattr("judge.runs.engine.work.claim_run", claimed_and_cancelled)
    assert not work_on_run(run)
    run.refresh_from_db()
    assert (run.state, run.lease) == (JudgeRun.State.CANCELLED, "")


def test_a_lease_of_another_machine_holds_until_its_time_has_passed(plan):
    factory.benchmark(1, 1)
    run = plan(provider="offline", model="")
    elsewhere = "1-0123456789ab-abcdef"
    states = (JudgeRun.State.WAITING,)
    assert claim_run(run.pk, elsewhere, states=states)
    assert not claim_run(run.pk, leases.new_token(), states=states)
    JudgeRun.objects.filter(pk=run.pk).update(lease_until=timezone.now())
    assert claim_run(run.pk, leases.new_token(), states=states)


@pytest.mark.parametrize("failure", [OperationalError, InterfaceError])
def test_a_broken_database_connection_gives_the_run_back_and_it_goes_on(
    stub, plan, monkeypatch, failure
):
    factory.benchmark(2, 6)
    run = plan(concurrency=2)
    real, writes = Ledger.write, []

    def breaking(self, events, **more):
        writes.append(len(events))
        if len(writes) in (3, 9):
            raise failure("terminating connection due to administrator command")
        return real(self, events, **more)

    monkeypatch.setattr(Ledger, "write", breaking)
    assert jobs.run_judge(run.pk)
    run.refresh_from_db()
    assert (run.state, run.lease) == (JudgeRun.State.FINISHED, "")
    assert all_right(run) == 12 * 17
    answered = Call.objects.filter(run=run, error="").values_list("judgment_id", flat=True)
    assert len(answered) == len(set(answered)) == 12
