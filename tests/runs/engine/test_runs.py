"""A judge run from its plan to its verdicts, against a model that speaks the real protocols."""

import json

import pytest

from curation.base.web.refusals import BadInput
from judge.asking.calls.models import Call
from judge.base.queue import leases
from judge.runs.engine.lease import claim_run
from judge.runs.engine.ledger import Ledger
from judge.runs.engine.models import JudgeRun, Judgment, RunItem, Verdict
from judge.runs.engine.planning.schedule import Schedule
from judge.runs.engine.work import WORKABLE
from judge.runs.pages import lifecycle
from judge.runs.pages.estimate import estimate_of
from tests.llm_rule import verdict_of
from tests.runs.engine import factory

pytestmark = pytest.mark.django_db


def outcomes(run):
    """(response text, criterion key) -> outcome, of everything a run judged."""
    rows = Verdict.objects.filter(judgment__items__run=run).values_list(
        "judgment__response__text", "criterion__key", "outcome"
    )
    found = {(text, key): outcome for text, key, outcome in rows}
    assert len(found) == len(rows), "a line was judged twice"
    return found


def all_right(run):
    """Every verdict is what the stub's rule says, and none is missing."""
    found = outcomes(run)
    for (text, key), outcome in found.items():
        assert outcome == ("met" if verdict_of(key, text) else "unmet")
    return len(found)


@pytest.mark.parametrize("provider", ["openai", "anthropic"])
def test_fifty_responses_take_fifty_calls_and_every_request_and_reply_is_stored(
    stub, judge, provider
):
    factory.benchmark(10, 5)
    run, result = judge(provider=provider)
    assert run.state == JudgeRun.State.FINISHED
    assert (result["responses"], result["judged"], result["calls"]) == (50, 50, 50)
    assert stub.calls == 50
    assert all_right(run) == 50 * 17
    calls = Call.objects.filter(run=run)
    assert calls.count() == 50
    for call in calls:
        assert "Lines to judge" in json.dumps(call.request)
        assert "verdicts" in call.reply
        assert "sk-" not in json.dumps(call.request) + call.reply
        assert call.input_tokens
        assert call.output_tokens
    assert Judgment.objects.filter(state="complete", score_numerator__isnull=False).count() == 50
    assert result["cost_usd"] is None
    assert result["cached_tokens"] > 0


def test_one_call_of_a_task_goes_first_and_its_siblings_find_the_prefix_cached(stub, judge):
    stub.latency = 0.05
    factory.benchmark(3, 6)
    _run, result = judge(concurrency=16)
    assert Call.objects.filter(cached_tokens=0).count() == 3
    assert result["calls"] == 18


def test_a_second_run_of_the_same_configuration_asks_nothing(stub, judge):
    factory.benchmark(2, 3)
    judge()
    run, result = judge()
    assert stub.calls == 6
    assert (result["judged"], result["calls"], result["reused"]) == (6, 0, 6)
    assert run.items.filter(judgment__isnull=False).count() == 6


def test_a_long_text_in_which_nothing_can_be_seen_is_empty_as_well(stub, judge):
    task = factory.external_task()
    factory.respond(task, "silent", text="\n" * 5_000)
    factory.respond(task, "hidden", text="\u200b \u3164\u2800\ufe0f" * 100)
    factory.respond(task, "late", text=" " * 5_000 + "The equity value is 100.")
    _run, result = judge()
    assert (result["judged"], result["reasons"]) == (1, {"empty_response": 2})
    assert stub.calls == 1


def test_another_method_model_or_parameter_is_another_judgment(stub, judge):
    factory.benchmark(1, 2)
    judge()
    judge(method="zero_shot")
    judge(model="judge-2")
    judge(parameters={"temperature": 0})
    judge(calls_mode="per_criterion")
    assert Judgment.objects.count() == 10


def test_per_criterion_asks_once_for_each_line_and_stores_the_same(stub, judge):
    factory.benchmark(1, 2, lines=5)
    run, result = judge(calls_mode="per_criterion")
    assert (result["calls"], result["judged"]) == (10, 2)
    assert all_right(run) == 10
    assert set(run.calls.values_list("attempt", flat=True)) == {1}  # of its line


def test_a_line_that_is_asked_for_again_is_another_attempt_at_it(stub, judge):
    factory.benchmark(1, 1, lines=3)
    stub.script("500")
    run, _result = judge(calls_mode="per_criterion")
    assert sorted(run.calls.values_list("attempt", flat=True)) == [1, 1, 1, 2]
    assert all_right(run) == 3


def test_a_response_left_half_way_is_finished_by_asking_only_the_other_lines(stub, judge):
    factory.benchmark(1, 1, lines=5)
    run, result = judge(calls_mode="per_criterion", max_calls=3)
    assert (result["judged"], Verdict.objects.count(), stub.calls) == (0, 3, 3)
    lifecycle.continue_run(actor=None, run=run, max_calls=50)
    run, result = judge(run)
    assert (result["judged"], stub.calls) == (1, 5)
    assert all_right(run) == 5


def test_the_offline_rules_judge_without_a_key_and_cost_nothing(judge):
    factory.benchmark(2, 3)
    _run, result = judge(provider="offline", model="")
    assert (result["judged"], result["failed"], result["cost_usd"]) == (6, 0, 0.0)


def test_what_cannot_be_judged_is_skipped_with_its_reason_and_counted(stub, judge):
    whole = factory.external_task("whole")
    bare = factory.external_task("bare", lines=0)
    unscored = factory.external_task("unscored", baseline=False)
    factory.respond(whole, "fine")
    factory.respond(whole, "silent", text="\u200b \n")
    factory.respond(whole, "gpt-4o")
    factory.respond(bare, "fine")
    factory.respond(unscored, "fine")
    run, result = judge(model="gpt-5-judge")
    assert result["reasons"] == {
        "empty_response": 1,
        "no_exemplar": 1,
        "no_rubric": 1,
        "same_family": 1,
    }
    assert (result["responses"], result["judged"], result["skipped"]) == (5, 1, 4)
    assert run.items.get(response__baseline=True).reason == "baseline"
    assert result["baselines"] == 1
    assert stub.calls == 1


def test_a_relative_of_the_judge_is_judged_when_asked_for(stub, judge):
    task = factory.external_task()
    factory.respond(task, "gpt-4o")
    _run, result = judge(model="gpt-5-judge", allow_same_family=True)
    assert result["judged"] == 1


def test_zero_shot_needs_no_exemplar_and_leaves_the_baseline_alone_too(stub, judge):
    task = factory.external_task(baseline=False)
    factory.respond(task, "fine")
    factory.respond(task, "base", baseline=True)
    _run, result = judge(method="zero_shot")
    assert (result["judged"], result["baselines"]) == (1, 1)


def test_several_raters_of_the_baselines_must_be_chosen_between(plan):
    task = factory.external_task()
    factory.scored_baseline(task, task.rubric_versions.get(), rater="expert-2")
    factory.respond(task, "fine")
    with pytest.raises(BadInput, match="expert-1 or expert-2|expert-1.*expert-2"):
        plan(provider="offline")
    run = plan(provider="offline", experts="expert-2")
    assert run.items.get(state="waiting").exemplar.rater == "expert-2"


@pytest.mark.parametrize(
    ("changes", "sentence"),
    [
        ({"task_keys": ["no-such-task"]}, "no task “no-such-task”"),
        ({"candidates": ["nobody"]}, "no candidate “nobody”"),
        ({"concurrency": 0}, "Between 1 and"),
        ({"provider": "openai"}, "OPENAI_API_KEY"),
        ({"provider": "acme"}, "no provider “acme”"),
        ({"method": "guess"}, "one_shot, zero_shot"),
        ({"experts": "expert-9"}, "rater “expert-9”"),
        (
            {"parameters": {"top_p": 0.5, "temperature": float("nan")}},
            "Give a finite number for: “temperature”.",
        ),
        ({"parameters": {"top_p": float("-inf")}}, "finite number for: “top_p”."),
    ],
)
def test_a_run_that_cannot_be_is_refused_and_nothing_is_created(
    plan, monkeypatch, changes, sentence
):
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)
    factory.benchmark(1, 1)
    with pytest.raises(BadInput, match=sentence):
        plan(**{"provider": "offline"} | changes)
    assert not JudgeRun.objects.exists()
    assert not RunItem.objects.exists()


def test_the_latest_version_that_people_wrote_is_judged(plan):
    task = factory.external_task(baseline=False)
    factory.respond(task, "fine")
    newer = factory.rubric(task, lines=5)
    run = plan(provider="offline", method="zero_shot")
    assert run.items.get().version == newer


def test_the_estimate_counts_calls_and_says_why_a_cost_is_unknown(stub, plan):
    factory.benchmark(2, 2)
    guess = estimate_of(plan())
    assert (guess.responses, guess.calls, guess.cost_micro) == (4, 4, None)
    assert "judge-1" in guess.why
    assert guess.input_tokens > 1000
    free = estimate_of(plan(provider="offline", model=""))
    assert free.cost_micro == 0


def test_no_place_waits_for_the_first_replies_of_the_last_tasks(plan, monkeypatch):
    monkeypatch.setenv("OPENAI_API_KEY", "sk-test-engine")
    factory.benchmark(17, 4)
    run = plan(concurrency=6)
    token = leases.new_token()
    assert claim_run(run.pk, token, states=WORKABLE)
    schedule = Schedule(run, Ledger(run, token), warms=True)
    rounds = []
    while jobs := [job for job in (schedule.next() for _call in range(6)) if job]:
        rounds.append(len(jobs))
        for job in jobs:
            schedule.answered(job.task)
    assert rounds == [6] * 11 + [2]
