"""First questions in the provider's batches: at half the price, and through any crash."""

import json
from functools import partial

import pytest
from django.core.management import call_command
from django.db import IntegrityError, transaction

from curation.base.web.refusals import BadInput
from judge.asking.calls.models import Call
from judge.asking.calls.price_models import Price
from judge.asking.providers.batches.anthropic import AnthropicBatches
from judge.asking.providers.batches.openai import OpenAIBatches
from judge.jobs import jobs
from judge.runs.engine.batches import batches
from judge.runs.engine.batches.models import Batch, BatchLine
from judge.runs.engine.models import JudgeRun, Judgment
from judge.runs.engine.work import work_on_run
from judge.runs.pages import lifecycle
from tests.runs.engine import factory
from tests.runs.engine.conftest import QUICK
from tests.runs.engine.test_runs import all_right

pytestmark = pytest.mark.django_db
VENDORS = ("openai", "anthropic")
DOORS = {
    "openai": OpenAIBatches,
    "anthropic": AnthropicBatches,
}


@pytest.fixture
def batch(plan):
    """Plans a batch run, or goes on with one, and looks until it ends, at most thirty times."""

    def batch(run=None, **changes):
        run = run or plan(batch=True, **changes)
        for _ in range(30):
            assert work_on_run(run, policy=QUICK, timeout=10)
            if run.state != JudgeRun.State.RUNNING:
                break
            assert not run.lease  # nobody holds it while the provider works
        return run, lifecycle.summary(run)

    return batch


def price(provider="openai"):
    return Price.objects.create(
        provider=provider,
        model="judge-1",
        input_micro=2_500_000,
        cached_micro=250_000,
        output_micro=10_000_000,
    )


@pytest.mark.parametrize("provider", VENDORS)
def test_a_batch_judges_everything_at_half_the_price(stub, batch, judge, provider):
    price(provider)
    factory.benchmark(3, 4)
    run, result = batch(provider=provider)
    assert (run.state, result["judged"], result["calls"]) == ("finished", 12, 12)
    assert stub.calls == 0, "nothing was asked live"
    assert stub.desk.sent() == 12
    assert all_right(run) == 12 * 17
    assert Batch.objects.get().state == Batch.State.COLLECTED
    call = Call.objects.filter(run=run).first()
    assert "Lines to judge" in json.dumps(call.request)
    assert "verdicts" in call.reply
    assert not BatchLine.objects.filter(request__isnull=False).exists()
    half = sum(Call.objects.filter(run=run).values_list("cost_micro", flat=True))
    # The same tokens live, none of them cached, cost twice as much.
    rates = 2.5 * (5 if provider == "anthropic" else 4) / 4
    whole = sum(
        (c.cache_write_tokens or 0) * (rates - 2.5) + c.input_tokens * 2.5 + c.output_tokens * 10
        for c in Call.objects.filter(run=run)
    )
    assert half == pytest.approx(whole / 2, abs=12)
    # Whoever asks live for the same finds it judged.
    _again, result = judge(provider=provider)
    assert (result["reused"], result["calls"], stub.calls) == (12, 0, 0)


@pytest.mark.parametrize("provider", VENDORS)
@pytest.mark.parametrize(
    ("behaviour", "batches_sent", "live"),
    [
        ("truncated", 1, 6),  # cut in the middle: the missing lines in halves, or whole
        ("missing", 1, 3),
        ("malformed", 1, 3),
        ("conflict", 1, 3),
        ("twice", 1, 0),
        ("separators", 1, 0),
        ("expired", 2, 0),
        ("errors", 2, 0),
        ("cut", 2, 0),
    ],
)
def test_what_a_batch_leaves_open_is_asked_again(
    stub, batch, provider, behaviour, batches_sent, live
):
    stub.desk.script.append(behaviour)
    factory.benchmark(3, 4)
    run, result = batch(provider=provider)
    assert (run.state, result["judged"], result["failed"]) == ("finished", 12, 0)
    assert all_right(run) == 12 * 17
    assert len(stub.desk.batches) == batches_sent
    assert stub.calls <= live
    assert bool(stub.calls) == bool(live)
    answered = Call.objects.filter(run=run, batch__isnull=False, error="")
    assert answered.count() == answered.values("judgment").distinct().count()
    assert not Call.objects.filter(run=run, batch=None, attempt=1).exists()  # the batch was that


@pytest.mark.parametrize("provider", VENDORS)
def test_a_refusal_in_a_batch_is_not_asked_again_live(stub, batch, provider):
    stub.desk.script.append("refusal")
    factory.benchmark(3, 4)
    run, result = batch(provider=provider)
    assert (run.state, result["judged"], result["reasons"]) == ("finished", 9, {"refusal": 3})
    assert (len(stub.desk.batches), stub.calls) == (1, 0)
    assert not Call.objects.filter(run=run, output_tokens=None).exists()


@pytest.mark.parametrize("provider", VENDORS)
def test_a_question_the_provider_refuses_fails_alone(stub, batch, provider):
    stub.desk.script.append("invalid")
    factory.benchmark(1, 4)
    run, result = batch(provider=provider)
    assert (run.state, result["judged"], result["failed"]) == ("finished", 3, 1)
    assert result["reasons"] == {"bad_request": 1}
    assert len(stub.desk.batches) == 1


@pytest.mark.parametrize("provider", VENDORS)
def test_a_batch_refused_as_a_whole_rests_the_run_with_the_providers_words(stub, batch, provider):
    stub.desk.script.append("failed")
    factory.benchmark(1, 4)
    run, result = batch(provider=provider)
    assert (run.state, result["waiting"], result["calls"]) == ("paused", 4, 0)
    assert "refused a batch" in run.why
    lifecycle.continue_run(actor=None, run=run)
    run, result = batch(run)
    assert (run.state, result["judged"], stub.calls) == ("finished", 4, 0)


@pytest.mark.parametrize("provider", VENDORS)
@pytest.mark.parametrize("verb", ["upload", "create"])
def test_a_step_whose_answer_was_lost_is_found_and_not_done_twice(stub, batch, provider, verb):
    stub.desk.lost.add(verb)
    factory.benchmark(2, 4)
    run, result = batch(provider=provider)
    assert (run.state, result["judged"]) == ("finished", 8)
    assert len(stub.desk.batches) == 1
    assert len([name for name, _c in stub.desk.files.values() if name.startswith("assay")]) <= 1
    assert all_right(run) == 8 * 17


class Killed(BaseException):
    """The process ends here; nothing is tidied up."""


STEPS = ("body", "upload", "create", "status", "results")


@pytest.mark.parametrize("provider", VENDORS)
@pytest.mark.parametrize("when", ["before", "after"])
@pytest.mark.parametrize("step", STEPS)
def test_killed_between_any_two_steps_it_goes_on_and_sends_nothing_twice(
    stub, batch, plan, monkeypatch, provider, step, when
):
    factory.benchmark(2, 5)
    run = plan(batch=True, provider=provider)
    door = DOORS[provider]
    real, killed = getattr(door, step), []

    def deadly(self, *args, **more):
        if killed:
            return real(self, *args, **more)
        killed.append(step)
        if when == "after":
            found = real(self, *args, **more)
            list(found) if step == "results" else None
        raise Killed

    monkeypatch.setattr(door, step, deadly)
    for _ in range(3):
        try:
            work_on_run(run, policy=QUICK, timeout=10)
        except Killed:
            break
    assert killed
    JudgeRun.objects.filter(pk=run.pk).update(lease="", lease_until=None)
    run, result = batch(run)
    assert (run.state, result["judged"], stub.calls) == ("finished", 10, 0)
    assert len(stub.desk.batches) == 1
    assert all_right(run) == 10 * 17
    assert Call.objects.filter(run=run).count() == 10


def test_killed_while_results_are_stored_the_rest_is_read_again(stub, batch, plan, monkeypatch):
    monkeypatch.setattr(batches, "STORED_AT_ONCE", 3)
    factory.benchmark(2, 5)
    run = plan(batch=True)
    kept, real = [], batches.Batching.store

    def deadly(self, batch_, part):
        if len(kept) == 2:
            raise Killed
        kept.append(len(part))
        real(self, batch_, part)

    monkeypatch.setattr(batches.Batching, "store", deadly)
    with pytest.raises(Killed):
        batch(run)
    assert Judgment.objects.filter(state="complete").count() == 6
    monkeypatch.setattr(batches.Batching, "store", real)
    run, result = batch(run)
    assert (result["judged"], result["calls"], len(stub.desk.batches)) == (10, 10, 1)
    assert all_right(run) == 10 * 17


def test_a_batch_found_by_its_size_that_is_anothers_is_given_back(stub, batch, plan):
    """Anthropic's batches carry no name of ours: only their results say whose they are."""
    factory.benchmark(1, 3)
    strangers = [(f"theirs-{n}", line) for n, line in enumerate(_bodies(stub, batch))]
    stub.desk.batches.clear()
    factory.benchmark(1, 3)
    run = plan(batch=True, provider="anthropic")
    stub.desk.make("msgbatch", strangers, {})
    stub.desk.lost.add("create")
    stub.desk.script.append("ok")
    del_after = stub.desk.unless_lost

    def never_arrived(verb, answer):
        found = del_after(verb, answer)
        if found == b"":
            stub.desk.batches.popitem()
        return found

    stub.desk.unless_lost = never_arrived
    run, result = batch(run)
    assert (run.state, result["judged"]) == ("finished", 6)
    assert all_right(run) == 6 * 17


def _bodies(stub, batch):
    batch(provider="anthropic")
    (made,) = stub.desk.batches.values()
    return [body for _name, body in made.lines]


def test_a_budget_bounds_batches_and_what_waits_in_them(stub, batch):
    price()
    factory.benchmark(2, 8)
    run, result = batch(budget_micro=50_000)
    assert run.state == JudgeRun.State.STOPPED
    assert 0 < result["judged"] < 16
    assert 0 < result["cost_usd"] <= 0.05
    lifecycle.continue_run(actor=None, run=run, budget_micro=10_000_000)
    run, result = batch(run)
    assert (run.state, result["judged"]) == ("finished", 16)
    assert stub.desk.sent() == result["calls"] == run.calls_started == 16


def test_a_price_raised_while_a_batch_is_out_holds_the_next_one_back(stub, plan, monkeypatch):
    price()
    monkeypatch.setattr(batches, "MOST_REQUESTS", 3)
    factory.benchmark(2, 10)
    run = plan(batch=True, budget_micro=150_000)
    look = partial(work_on_run, run, policy=QUICK, timeout=10)
    assert look()
    sent = stub.desk.sent()
    assert 3 < sent < 20
    *_others, last = stub.desk.batches.values()
    last.looks = -5  # it takes longer than the others
    call_command("set_price", "openai", "judge-1", "--input=5", "--cached=0.5", "--output=20")
    assert look()
    assert look()
    assert Batch.objects.filter(state="collected").exists()
    assert Batch.objects.filter(state="sent").count() == 1
    assert stub.desk.sent() == sent, "what the open batch may cost is not known before it is back"
    last.looks = 5
    while run.state == "running":
        assert look()
    assert stub.desk.sent() > sent
    assert 0 < lifecycle.summary(run)["cost_usd"] <= 0.15


def test_a_limit_on_calls_counts_questions_in_batches(stub, batch):
    factory.benchmark(1, 10)
    run, result = batch(max_calls=4)
    assert (run.state, result["judged"], stub.desk.sent()) == ("stopped", 4, 4)


def test_a_response_no_batch_answers_is_asked_live_in_the_end(stub, batch):
    stub.desk.script.extend(["errors"] * 3)
    factory.benchmark(1, 1)
    run, result = batch()
    assert (run.state, result["judged"], stub.calls) == ("finished", 1, 1)
    assert len(stub.desk.batches) == batches.MOST_BATCHES


def test_the_database_refuses_a_second_question_while_one_waits(stub, batch, plan):
    factory.benchmark(1, 1)
    run = plan(batch=True)
    work_on_run(run, policy=QUICK, timeout=10)
    line = BatchLine.objects.get(state="waiting")
    with pytest.raises(IntegrityError), transaction.atomic():
        BatchLine.objects.create(batch=line.batch, judgment=line.judgment, item=line.item)


def test_another_run_does_not_ask_what_a_batch_is_about_to_answer(stub, plan, batch):
    factory.benchmark(1, 3)
    first = plan(batch=True)
    work_on_run(first, policy=QUICK, timeout=10)
    second = plan(batch=True)
    work_on_run(second, policy=QUICK, timeout=10, patience=0.0)
    assert (second.state, second.lease, stub.calls) == ("running", "", 0)
    assert len(stub.desk.batches) == 1
    batch(first)
    second, result = batch(second)
    assert (second.state, result["reused"], stub.calls) == ("finished", 3, 0)


def test_cancelling_a_run_calls_its_batches_off(stub, plan):
    factory.benchmark(1, 3)
    run = plan(batch=True)
    work_on_run(run, policy=QUICK, timeout=10)
    lifecycle.cancel_run(actor=None, run=run)
    assert (jobs.call_off_batches, run.pk) in jobs.due()
    jobs.drain()
    assert Batch.objects.get().state == Batch.State.CANCELLED
    assert all(made.cancelled for made in stub.desk.batches.values())
    assert (jobs.call_off_batches, run.pk) not in jobs.due()


def test_the_sweep_looks_once_and_goes(stub, plan):
    factory.benchmark(1, 3)
    run = plan(batch=True)
    stub.desk.looks = 3
    seen = []
    for _ in range(6):
        seen.append(jobs.run_judge(run.pk))
        run.refresh_from_db()
        if run.state == "finished":
            break
    assert seen[-1] is True
    assert seen[:-1] == [False] * 4  # a drain would go on for ever if waiting were progress


def test_the_command_sends_a_batch_and_waits_for_it(stub, capsys):
    factory.benchmark(1, 3)
    call_command(
        "judge", "--method", "one_shot", "--provider", "openai", "--model", "judge-1",
        "--batch", "--look-every", "0", "--json",
    )  # fmt: skip
    result = json.loads(capsys.readouterr().out.splitlines()[-1])
    assert (result["judged"], result["state"], stub.calls) == (3, "finished", 0)


@pytest.mark.parametrize(
    ("wish", "words"),
    [
        ({"provider": "offline", "model": ""}, "does not support batches"),
        ({"calls_mode": "per_criterion"}, "one question per response"),
    ],
)
def test_what_cannot_go_in_a_batch_is_refused(stub, plan, wish, words):
    factory.benchmark(1, 1)
    with pytest.raises(BadInput, match=words):
        plan(batch=True, **wish)
    assert not JudgeRun.objects.exists()


@pytest.mark.parametrize("step", [lifecycle.pause_run, lifecycle.cancel_run])
def test_no_further_batch_is_sent_once_staff_have_stopped_the_run(stub, plan, monkeypatch, step):
    factory.benchmark(3, 2)
    run = plan(batch=True)
    monkeypatch.setattr(batches, "MOST_REQUESTS", 2)
    create = OpenAIBatches.create

    def stopped(door, *arguments):
        made = create(door, *arguments)
        step(actor=None, run=JudgeRun.objects.get(pk=run.pk))
        return made

    monkeypatch.setattr(OpenAIBatches, "create", stopped)
    work_on_run(run, policy=QUICK, timeout=10)
    assert (len(stub.desk.batches), stub.calls) == (1, 0)
    assert run.state in ("paused", "cancelled")
    assert not run.lease
