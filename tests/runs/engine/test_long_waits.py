"""A provider that asks for a long wait pauses the run until then; nothing fails meanwhile."""

from datetime import timedelta

import pytest
from django.utils import timezone

from curation.base.web.refusals import Conflict
from judge.jobs import jobs
from judge.runs.engine.models import JudgeRun
from judge.runs.pages import lifecycle
from tests.llm_stub import Behaviour
from tests.runs.engine import factory

pytestmark = pytest.mark.django_db

HOUR = Behaviour("429", retry_after="3600")


@pytest.fixture
def later(monkeypatch):
    """Moves the clock by so many seconds."""
    now = timezone.now

    def move(seconds):
        monkeypatch.setattr(timezone, "now", lambda: now() + timedelta(seconds=seconds))

    return move


@pytest.mark.parametrize("provider", ["openai", "anthropic"])
@pytest.mark.parametrize("before", [[], ["ok", "ok"]])
def test_a_run_waits_as_long_as_it_is_told_and_then_goes_on_by_itself(
    stub, judge, later, provider, before
):
    factory.benchmark(1, 6)
    stub.script(*before, *[HOUR] * 20)
    run, result = judge(provider=provider, concurrency=2)
    assert (run.state, result["failed"]) == (JudgeRun.State.PAUSED, 0)
    assert result["judged"] + result["waiting"] == 6
    assert "takes no calls until then" in run.why
    assert "%" not in run.why
    assert 3_500 < (run.paused_until - timezone.now()).total_seconds() <= 3_600
    stub.queue.clear()
    jobs.drain()
    run.refresh_from_db()
    assert run.state == JudgeRun.State.PAUSED
    later(3_700)
    jobs.drain()
    run.refresh_from_db()
    assert (run.state, run.paused_until) == (JudgeRun.State.FINISHED, None)
    assert lifecycle.summary(run)["judged"] == 6


def test_a_wait_without_end_is_held_to_a_month(stub, judge):
    factory.benchmark(1, 1)
    stub.script(Behaviour("503", retry_after="999999999"))
    run, _result = judge()
    assert run.paused_until - timezone.now() < timedelta(days=31, minutes=1)


@pytest.mark.parametrize("step", ["continue", "cancel"])
def test_staff_need_not_wait(stub, judge, step):
    factory.benchmark(1, 2)
    stub.script(*[HOUR] * 4)
    run, _result = judge(concurrency=1)
    stub.queue.clear()
    if step == "cancel":
        lifecycle.cancel_run(actor=None, run=run)
        assert (run.state, run.paused_until) == (JudgeRun.State.CANCELLED, None)
        return
    lifecycle.continue_run(actor=None, run=run)
    assert run.paused_until is None
    run, result = judge(run)
    assert (run.state, result["judged"]) == (JudgeRun.State.FINISHED, 2)


def test_a_run_that_may_not_go_on_by_itself_says_why(stub, judge, later, monkeypatch):
    factory.benchmark(1, 1)
    stub.script(*[HOUR] * 4)
    run, _result = judge(concurrency=1)
    stub.queue.clear()

    def changed(_run):
        raise Conflict("The judge's instructions were changed.")

    monkeypatch.setattr(lifecycle, "refuse_a_look_that_changed", changed)
    later(3_700)
    jobs.drain()
    run.refresh_from_db()
    assert (run.state, run.paused_until) == (JudgeRun.State.PAUSED, None)
    assert run.why == "Paused: The judge's instructions were changed."


def test_a_wait_within_patience_is_waited_in_place(stub, judge):
    factory.benchmark(1, 1)
    stub.script(Behaviour("429", retry_after="0.02"))
    run, result = judge()
    assert (run.state, result["judged"], result["calls"]) == (JudgeRun.State.FINISHED, 1, 2)
