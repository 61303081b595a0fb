"""Failures are states, never scores: what is missing is asked again, then failed with a reason."""

import json
import os

import pytest
from django.utils import translation

from judge.calls.models import Call
from judge.engine.models import JudgeRun, Judgment, RunItem, Verdict
from judge.runs import lifecycle
from tests.judge_engine import factory
from tests.judge_engine.test_runs import all_right
from tests.llm_stub import Behaviour

pytestmark = pytest.mark.django_db


@pytest.fixture
def response():
    task = factory.external_task()
    return factory.respond(task, "fine")


def test_only_the_missing_lines_are_asked_again(stub, judge, response):
    stub.script("missing")
    run, result = judge()
    assert (result["judged"], result["calls"]) == (1, 2)
    assert all_right(run) == 17
    last = stub.requests[-1].body["messages"][-1]["content"].splitlines()[-1]
    assert last.startswith("Lines to judge: ")
    assert len(json.loads(last.removeprefix("Lines to judge: "))) == 9


@pytest.mark.parametrize(
    "fault", ["malformed", "strings", "empty", "unknown", "fenced", "conflict"]
)
def test_a_bad_reply_costs_at_most_one_more_call_and_no_verdict(stub, judge, response, fault):
    stub.script(fault)
    run, result = judge()
    assert (result["judged"], result["failed"]) == (1, 0)
    assert result["calls"] <= 2
    assert all_right(run) == 17


@pytest.mark.parametrize(
    ("faults", "reason"),
    [
        (["malformed"] * 3, "unreadable"),
        (["refusal"], "refusal"),
        (["filter"], "content_filter"),
        (["filter_400"], "content_filter"),
        (["context"], "context_too_long"),
        (["truncated"] * 7, "truncated"),
        (["500"] * 9, "server"),
    ],
)
def test_what_stays_without_an_answer_is_failed_with_its_reason_and_has_no_score(
    stub, judge, response, faults, reason
):
    stub.script(*faults)
    run, result = judge()
    assert (result["judged"], result["failed"]) == (0, 1)
    assert result["reasons"] == {reason: 1}
    judgment = Judgment.objects.get()
    assert (judgment.state, judgment.reason, judgment.score_numerator) == (
        "incomplete",
        reason,
        None,
    )
    failed = Verdict.objects.filter(outcome="failed")
    assert failed.count() == 17
    assert set(failed.values_list("reason", flat=True)) == {reason}
    assert Call.objects.filter(run=run).count() == stub.calls


def test_a_conflict_fails_its_line_and_keeps_the_others(stub, judge, response):
    stub.script("conflict", "conflict", "conflict")
    _run, result = judge()
    assert result["failed"] == 1
    assert Verdict.objects.filter(outcome="failed").count() == 1
    assert Verdict.objects.exclude(outcome="failed").count() == 16


def test_a_truncated_reply_is_asked_for_again_in_halves(stub, judge, response):
    stub.script("truncated")
    run, result = judge()
    assert (result["judged"], result["calls"]) == (1, 3)
    assert all_right(run) == 17


def test_an_abstention_is_an_outcome_that_leaves_no_score(stub, judge, response):
    lines = ", ".join(
        f'{{"id": "c{n}", "why": "No file.", "met": {"null" if n == 3 else "true"}}}'
        for n in range(1, 18)
    )
    stub.script(Behaviour("ok", text=f'{{"verdicts": [{lines}]}}'))
    _run, result = judge()
    assert (result["judged"], result["failed"]) == (1, 0)
    judgment = Judgment.objects.get()
    assert (judgment.state, judgment.reason, judgment.lines_decided) == (
        "incomplete",
        "abstained",
        16,
    )
    assert judgment.score_numerator is None
    _run, result = judge()
    assert (result["reused"], result["calls"]) == (1, 0)


@pytest.mark.parametrize("fault", ["401", "404", "quota", "400"])
def test_a_provider_that_refuses_us_pauses_the_run_and_fails_nothing(stub, judge, plan, fault):
    factory.benchmark(2, 3)
    stub.script(*[fault] * 20)
    run, result = judge(concurrency=2)
    assert run.state == JudgeRun.State.PAUSED
    assert "OpenAI" in run.why
    assert "sk-test" not in run.why
    assert (result["judged"], result["failed"], result["waiting"]) == (0, 0, 6)
    stub.queue.clear()
    lifecycle.continue_run(actor=None, run=run)
    run, result = judge(run)
    assert (run.state, result["judged"]) == (JudgeRun.State.FINISHED, 6)


@pytest.mark.parametrize("responses", [1, 4])
def test_a_server_that_is_off_pauses_the_run_and_fails_nothing(
    stub, judge, plan, monkeypatch, responses
):
    factory.benchmark(1, responses)
    on = os.environ["OPENAI_BASE_URL"]
    monkeypatch.setenv("OPENAI_BASE_URL", "http://127.0.0.1:9/v1")
    run, result = judge(concurrency=2)
    assert run.state == JudgeRun.State.PAUSED
    assert (result["judged"], result["failed"], result["waiting"]) == (0, 0, responses)
    assert "OpenAI: No connection to the provider (Connect" in run.why
    with translation.override("zh-hans"):
        assert "无法连接" in run.why
        assert "No connection" not in run.why
    monkeypatch.setenv("OPENAI_BASE_URL", on)
    lifecycle.continue_run(actor=None, run=run)
    run, result = judge(run)
    assert (run.state, result["judged"]) == (JudgeRun.State.FINISHED, responses)


def test_a_connection_that_breaks_once_pauses_nothing(stub, judge):
    factory.benchmark(1, 3)
    stub.script("drop", "drop")
    run, result = judge(concurrency=1)
    assert (run.state, result["judged"]) == (JudgeRun.State.FINISHED, 3)


def test_an_outage_pauses_the_run_before_it_fails_everything(stub, judge):
    factory.benchmark(4, 10, lines=2)
    stub.script("ok", *["400"] * 40)
    run, result = judge(concurrency=1)
    assert run.state == JudgeRun.State.PAUSED
    assert "bad_request" in run.why
    assert 20 <= result["failed"] < 40


def test_a_continued_run_asks_the_failed_lines_once_more(stub, judge, response):
    stub.script("missing", "malformed", "malformed")
    run, result = judge()
    assert result["failed"] == 1
    kept = set(Verdict.objects.exclude(outcome="failed").values_list("pk", flat=True))
    lifecycle.continue_run(actor=None, run=run)
    run, result = judge(run)
    assert (result["judged"], result["failed"], result["calls"]) == (1, 0, 4)
    assert all_right(run) == 17
    assert kept <= set(Verdict.objects.values_list("pk", flat=True))


def test_a_new_run_mends_what_an_older_one_failed_at(stub, judge, response):
    stub.script("refusal")
    first, _result = judge()
    _second, result = judge()
    assert (result["judged"], result["calls"]) == (1, 1)
    assert first.items.get(response=response).state == RunItem.State.JUDGED


def test_under_injected_faults_no_verdict_is_lost_and_few_calls_are_added(stub, judge):
    stub.faults = 0.05
    factory.benchmark(8, 25)
    run, result = judge(concurrency=16)
    assert (result["judged"], result["failed"]) == (200, 0)
    assert all_right(run) == 200 * 17
    told = stub.stats()["behaviours"]
    wrong = sum(count for name, count in told.items() if name != "ok")
    # Each fault costs one call more, and a reply that was cut short is asked for again in halves.
    assert wrong > 0
    assert result["calls"] <= 200 + wrong + told.get("truncated", 0)
    assert Call.objects.filter(run=run).count() == stub.calls
