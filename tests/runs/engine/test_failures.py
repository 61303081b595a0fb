"""Failures are states, never scores: what is missing is asked again, then failed with a reason."""

import json
import os

import pytest
from django.utils import translation

from judge.asking.calls.models import Call
from judge.runs.engine.models import JudgeRun, Judgment, RunItem, Verdict
from judge.runs.pages import failure_kinds, lifecycle
from tests.llm_stub import Behaviour
from tests.runs.engine import factory
from tests.runs.engine.test_runs import all_right

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


@pytest.mark.parametrize("provider", ["openai", "anthropic"])
def test_a_cut_reply_is_asked_for_once_more_with_twice_the_tokens(stub, judge, response, provider):
    stub.script("truncated")
    run, result = judge(provider=provider)
    assert (result["judged"], result["calls"]) == (1, 2)
    assert all_right(run) == 17
    assert limits(stub) == [16_000, 32_000]
    first = Call.objects.filter(run=run).earliest("pk")
    assert first.detail == "The reply needs more output tokens than it may have."
    assert first.output_tokens > 0


def test_a_reply_that_is_cut_again_is_asked_for_in_halves(stub, judge, response):
    stub.script("truncated", "truncated")
    run, result = judge(parameters={"max_tokens": 500})
    assert (result["judged"], result["calls"]) == (1, 4)
    assert all_right(run) == 17
    assert limits(stub) == [500, 1_000, 1_000, 1_000]


@pytest.mark.parametrize("provider", ["openai", "anthropic"])
@pytest.mark.parametrize("budget", [None, 100])
def test_a_model_that_only_thinks_is_asked_twice_and_told_to_need_more_tokens(
    stub, judge, response, provider, budget
):
    cut = "length" if provider == "openai" else "max_tokens"
    stub.script(*[Behaviour("ok", text="", stop=cut)] * 9)
    run, result = judge(provider=provider, max_calls=budget)
    assert (result["failed"], result["reasons"], stub.calls) == (1, {"truncated": 1}, 2)
    calls = Call.objects.filter(run=run)
    assert set(calls.values_list("error", "detail")) == {
        (
            "truncated",
            "All output tokens went into the model's thoughts: it needs more of them.",
        )
    }
    assert failure_kinds.name_of("truncated") == "Needs more output tokens"


def test_a_model_is_never_asked_for_more_tokens_than_it_writes(stub, plan, judge, response):
    stub.script("truncated")
    run = plan(parameters={"max_tokens": 900})
    run.setup = {**run.setup, "model": {"most_output_tokens": 1_200}}
    run.save()
    _run, result = judge(run)
    assert (result["judged"], limits(stub)) == (1, [900, 1_200])


def test_a_model_that_refuses_more_tokens_is_asked_in_halves(stub, judge, response):
    stub.script("truncated", "400")
    run, result = judge()
    assert (run.state, result["judged"], result["calls"]) == (JudgeRun.State.FINISHED, 1, 4)
    assert all_right(run) == 17
    assert limits(stub) == [16_000, 32_000, 16_000, 16_000]


def test_a_cut_reply_is_kept_where_no_call_is_left_to_ask_again(stub, judge, response):
    stub.script("truncated")
    run, result = judge(max_calls=1)
    assert (run.state, result["waiting"]) == (JudgeRun.State.STOPPED, 1)
    assert Call.objects.get(run=run).output_tokens > 0


def limits(stub):
    """The most tokens that each request allowed its reply."""
    found = [sent.body for sent in stub.requests]
    return [body.get("max_completion_tokens") or body.get("max_tokens") for body in found]


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
