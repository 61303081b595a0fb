"""A run whose questions another run has sent already says what it waits for, and never for ever."""

import json
from io import StringIO

import pytest
from django.core.management import CommandError, call_command

from judge.jobs import jobs
from judge.runs.engine.batches.models import Batch
from judge.runs.engine.models import JudgeRun, RunItem
from judge.runs.engine.work import work_on_run
from judge.runs.pages import lifecycle
from tests.runs.engine import factory
from tests.runs.engine.conftest import QUICK
from tests.runs.engine.test_runs import all_right

pytestmark = pytest.mark.django_db


@pytest.fixture
def browser(sign_in, staff):
    return sign_in(staff)


@pytest.fixture
def pair(stub, plan):
    """A run whose batch is with the provider, and a second one of the same configuration."""
    factory.benchmark(1, 3)
    stub.desk.looks = 50
    first = plan(batch=True)
    work(first)
    assert Batch.objects.get().state == Batch.State.SENT
    return first, plan()


def work(run):
    work_on_run(run, policy=QUICK, timeout=10, patience=0.0)


def page(browser, run, part="", **query):
    answer = browser.get(f"/staff/runs/{run.pk}/{part}", query)
    assert answer.status_code == 200
    return answer.content.decode()


def test_a_run_says_that_another_ones_batch_is_on_the_way(stub, pair, browser):
    first, second = pair
    work(second)
    assert (second.state, stub.calls) == ("running", 0)
    for part in ("", "progress/"):
        shown = page(browser, second, part, state="running")
        assert f"3 responses are waiting for run {first.pk}, which sent the same questions" in shown
        assert "The answers come within a day" in shown
        assert f'href="/staff/runs/{first.pk}/"' in shown
        assert "Waiting for another run" in shown
    assert "waiting for run" not in page(browser, first)


def test_a_paused_runs_batch_does_not_keep_another_run_running(stub, pair, browser):
    first, second = pair
    browser.post(f"/staff/runs/{first.pk}/pause/")
    assert jobs.run_judge(second.pk) is False
    second.refresh_from_db()
    assert (second.state, second.lease, stub.calls) == ("waiting", "", 0)
    shown = page(browser, second)
    assert f"3 responses are waiting for run {first.pk}" in shown
    assert "resume it, or cancel it and this run asks by itself" in shown
    assert jobs.due() == []  # until staff do something there is nothing to do


def test_a_run_that_looked_before_the_other_was_paused_ends_up_waiting_too(stub, pair):
    first, second = pair
    work(second)
    lifecycle.pause_run(actor=None, run=first)
    assert (jobs.run_judge, second.pk) in jobs.due()
    jobs.drain()
    second.refresh_from_db()
    assert (second.state, stub.calls) == ("waiting", 0)
    assert jobs.due() == []


def test_resuming_the_other_run_answers_both(stub, pair, browser):
    first, second = pair
    browser.post(f"/staff/runs/{first.pk}/pause/")
    jobs.run_judge(second.pk)
    browser.post(f"/staff/runs/{first.pk}/resume/", {})
    assert {pk for _job, pk in jobs.due()} == {first.pk, second.pk}
    stub.desk.looks = 0
    jobs.drain()
    for run in (first, second):
        run.refresh_from_db()
        assert run.state == "finished"
        assert lifecycle.summary(run)["judged"] == 3
    assert lifecycle.summary(second)["reused"] == 3
    assert (stub.calls, stub.desk.sent()) == (0, 3)
    assert "waiting for run" not in page(browser, second)


def test_cancelling_the_other_run_lets_this_one_ask(stub, pair, browser):
    first, second = pair
    browser.post(f"/staff/runs/{first.pk}/pause/")
    jobs.run_judge(second.pk)
    browser.post(f"/staff/runs/{first.pk}/cancel/")
    assert "its batch is being called off" in page(browser, second)
    jobs.drain()
    second.refresh_from_db()
    assert (second.state, stub.calls) == ("finished", 3)
    assert all_right(second) == 3 * 17


def test_what_the_other_run_answers_ends_the_response_here_at_once(stub, pair, browser):
    first, second = pair
    work(second)
    stub.desk.looks = 0
    work(first)
    assert first.state == "finished"
    assert not RunItem.objects.filter(run=second, state="waiting").exists()
    assert "3 of 3 responses judged" in page(browser, second)
    work(second)
    assert (second.state, stub.calls) == ("finished", 0)


def test_a_run_with_questions_of_its_own_asks_those_first(stub, pair, plan):
    first, _second = pair
    task = factory.external_task()
    factory.respond(task, "another")
    third = plan()
    lifecycle.pause_run(actor=None, run=first)
    work(third)
    assert (third.state, stub.calls) == ("waiting", 1)
    found = lifecycle.summary(third)
    assert (found["judged"], found["waiting"]) == (1, 3)


def test_the_command_says_what_it_waits_for_and_ends_with_an_error_where_that_is_in_vain(
    stub, pair
):
    first, second = pair
    lifecycle.pause_run(actor=None, run=first)
    out, err = StringIO(), StringIO()
    with pytest.raises(CommandError, match=f"waiting for run {first.pk}.*resume it, or cancel it"):
        call_command("judge", f"--resume={second.pk}", "--json", stdout=out, stderr=err)
    found = json.loads(out.getvalue().splitlines()[-1])
    (wait,) = found["waits_for"]
    assert (found["state"], found["waiting"], stub.calls) == ("waiting", 3, 0)
    assert (wait["run"], wait["state"], wait["responses"]) == (first.pk, "paused", 3)
    assert wait["since"] == Batch.objects.get().created_at.isoformat()


def test_the_command_says_once_what_it_waits_for_and_goes_on_when_it_is_there(
    stub, pair, monkeypatch
):
    first, second = pair
    looks, real = [], work_on_run

    def looked(run, **more):
        looks.append(run.pk)
        if len(looks) == 3:  # meanwhile a worker collects the other run's batch
            stub.desk.looks = 0
            assert real(first, policy=QUICK)
        return real(run, **more | {"patience": 0.0})

    monkeypatch.setattr("judge.management.commands.judge.work_on_run", looked)
    out, err = StringIO(), StringIO()
    call_command("judge", f"--resume={second.pk}", "--look-every=0", stdout=out, stderr=err)
    assert looks == [second.pk] * 3
    assert err.getvalue().count(f"3 responses are waiting for run {first.pk}") == 1
    assert f"Run {second.pk}: 3 judged, 0 failed, 0 skipped." in out.getvalue()
    assert JudgeRun.objects.get(pk=second.pk).state == "finished"
