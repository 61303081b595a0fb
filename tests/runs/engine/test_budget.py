"""A budget is kept whatever happens: parallel threads, failed calls, a continued run."""

import pytest
from django.core.management import call_command
from django.utils import translation

from curation.base.web.refusals import BadInput
from judge.asking.calls import cost
from judge.asking.calls.budgets import Answer, Budget
from judge.asking.calls.cost import Rates, Schedule, cost_of
from judge.asking.calls.models import Call
from judge.asking.calls.price_models import Price
from judge.asking.providers.base import ErrorKind
from judge.runs.engine import work
from judge.runs.engine.models import JudgeRun
from judge.runs.engine.work import work_on_run
from judge.runs.pages import lifecycle, queries
from tests.runs.engine import factory
from tests.runs.engine.conftest import QUICK

pytestmark = pytest.mark.django_db


@pytest.fixture
def price():
    return Price.objects.create(
        provider="openai",
        model="judge-1",
        input_micro=2_500_000,
        cached_micro=250_000,
        output_micro=10_000_000,
    )


def test_sixteen_threads_never_make_one_call_too_many(stub, judge):
    stub.latency = 0.01
    factory.benchmark(5, 10)
    run, result = judge(concurrency=16, max_calls=23)
    assert run.state == JudgeRun.State.STOPPED
    assert "(23)" in run.why
    assert stub.calls == result["calls"] == 23
    assert (result["judged"], result["waiting"]) == (23, 27)


def test_failed_calls_count(stub, judge):
    stub.script("500", "429", "malformed")
    factory.benchmark(1, 5)
    _run, result = judge(concurrency=1, max_calls=5)
    assert stub.calls == 5
    assert result["judged"] == 2


def test_sixteen_threads_never_spend_more_than_the_budget(stub, judge, price):
    stub.latency = 0.01
    factory.benchmark(5, 10)
    run, result = judge(concurrency=16, budget_micro=150_000)
    assert run.state == JudgeRun.State.STOPPED
    assert "$0.15" in run.why
    with translation.override("zh-hans"):  # stored once, told in the language of each reader
        assert "预算" in run.why
    assert 0 < result["cost_usd"] <= 0.15
    assert result["judged"] >= 3
    assert result["judged"] + result["waiting"] == 50


def test_a_budget_that_suffices_is_no_obstacle(stub, judge, price):
    factory.benchmark(2, 10)
    run, result = judge(concurrency=16, budget_micro=5_000_000)
    assert run.state == JudgeRun.State.FINISHED
    spent = sum(Call.objects.filter(run=run).values_list("cost_micro", flat=True))
    assert result["cost_usd"] == spent / 1_000_000


def test_a_stopped_run_goes_on_with_a_higher_limit(stub, judge):
    factory.benchmark(2, 5)
    run, _result = judge(max_calls=4)
    lifecycle.continue_run(actor=None, run=run, max_calls=7)
    run, result = judge(run)
    assert (run.state, stub.calls) == (JudgeRun.State.STOPPED, 7)
    lifecycle.continue_run(actor=None, run=run, max_calls=100)
    run, result = judge(run)
    assert (run.state, result["judged"], stub.calls) == (JudgeRun.State.FINISHED, 10, 10)


def test_a_limit_of_no_calls_makes_none(stub, judge):
    factory.benchmark(1, 2)
    run, _result = judge(max_calls=0)
    assert (run.state, stub.calls) == (JudgeRun.State.STOPPED, 0)


def test_a_budget_without_a_known_price_is_refused_before_anything_is_asked(stub, plan):
    factory.benchmark(1, 1)
    with pytest.raises(BadInput, match="price of OpenAI judge-1 is not known"):
        plan(budget_micro=1_000_000)
    assert not JudgeRun.objects.exists()
    assert stub.calls == 0


def test_the_cost_counts_cached_tokens_at_their_own_price(stub, judge, price):
    factory.benchmark(1, 2)
    run, result = judge()
    calls = list(Call.objects.filter(run=run).order_by("id"))
    expected = sum(
        -(
            -(
                (c.input_tokens - c.cached_tokens) * price.input_micro
                + c.cached_tokens * price.cached_micro
                + c.output_tokens * price.output_micro
            )
            // 1_000_000
        )
        for c in calls
    )
    assert result["cost_usd"] == expected / 1_000_000
    assert calls[1].cost_micro < calls[0].cost_micro


def test_an_attempt_a_crash_cut_off_counts_against_the_limit(stub, judge, plan):
    factory.benchmark(1, 5)
    run = plan(max_calls=3)
    JudgeRun.objects.filter(pk=run.pk).update(calls_started=2)  # let through, never stored
    run.refresh_from_db()
    judge(run)
    assert stub.calls == 1


def at_the_price_of_their_time(run):
    prices = cost.schedule_for(run.provider, run.model)
    return sum(cost_of(call, prices) for call in Call.objects.filter(run=run))


def test_a_price_raised_during_a_run_counts_for_its_budget_from_then_on(
    stub, plan, price, monkeypatch
):
    monkeypatch.setattr(work, "LOOK", 0.02)
    stub.latency = 0.01
    factory.benchmark(5, 20)
    run, raised = plan(concurrency=4, budget_micro=600_000), []

    def raise_it(through, total):
        if through >= 10 and not raised:
            call_command(
                "set_price", "openai", "judge-1", "--input=10", "--cached=1", "--output=40"
            )
            raised.append(stub.calls)

    assert work_on_run(run, policy=QUICK, timeout=10, on_progress=raise_it)
    assert run.state == JudgeRun.State.STOPPED
    spent = at_the_price_of_their_time(run)
    assert 300_000 < spent <= 600_000
    assert stub.calls > raised[0] + 4  # it went on, as far as the money goes at the new price
    assert lifecycle.summary(run)["cost_usd"] == spent / 1_000_000
    lifecycle.continue_run(actor=None, run=run)
    calls = stub.calls
    assert work_on_run(run, policy=QUICK, timeout=10)
    assert (run.state, stub.calls) == (JudgeRun.State.STOPPED, calls)


def test_a_price_lowered_during_a_run_frees_nothing_that_was_charged(
    stub, plan, price, monkeypatch
):
    monkeypatch.setattr(work, "LOOK", 0.02)
    stub.latency = 0.01
    factory.benchmark(5, 10)
    run, charged = plan(concurrency=4, budget_micro=400_000), []

    def lower_it(through, total):
        if through >= 10 and not charged:
            call_command("set_price", "openai", "judge-1", "--input=0.25", "--output=1")
            charged.append(at_the_first_price(run))

    assert work_on_run(run, policy=QUICK, timeout=10, on_progress=lower_it)
    assert run.state == JudgeRun.State.FINISHED
    stored = sum(Call.objects.filter(run=run).values_list("cost_micro", flat=True))
    assert stored >= charged[0]
    assert stored <= 400_000


def at_the_first_price(run):
    return sum(Call.objects.filter(run=run).values_list("cost_micro", flat=True))


class TestBookkeeping:
    rates = Rates(input=1_000_000, cached=100_000, output=10_000_000)

    def test_the_first_call_goes_alone_and_its_cost_bounds_the_others(self):
        budget = Budget(self.rates, micro=1_000_000)
        assert budget.ask(1000, 100).answer is Answer.GRANTED
        assert budget.ask(1000, 100).answer is Answer.LATER
        first = 1_000_000 - budget.micro + budget.reserved
        budget.settle(first, 300_000)
        grants = [budget.ask(1000, 100) for _ in range(4)]
        assert [g.answer for g in grants[:2]] == [Answer.GRANTED] * 2
        assert grants[2].answer is Answer.LATER
        assert budget.spent + budget.reserved <= 1_000_000

    def test_nothing_is_let_through_before_what_an_earlier_price_set_aside_is_back(self):
        budget = Budget(self.rates, micro=1_000_000, dearest=10_000)
        grants = [budget.ask(1000, 100, 1000) for _ in range(2)]
        assert [g.answer for g in grants] == [Answer.GRANTED] * 2
        dearer = Rates(input=4_000_000, cached=400_000, output=40_000_000)
        budget.reprice(dearer, spent=40_000, dearest=40_000)
        assert budget.ask(1000, 100, 1000).answer is Answer.LATER
        budget.settle(grants[0].reserved, 40_000)
        assert budget.ask(1000, 100, 1000).answer is Answer.LATER
        budget.settle(grants[1].reserved, 40_000)
        grant = budget.ask(1000, 100, 1000)
        assert (grant.answer, budget.spent) == (Answer.GRANTED, 120_000)
        assert grant.reserved == dearer.bound(1000, 1000)

    def test_near_the_end_the_reply_is_bounded_instead_of_refused(self):
        budget = Budget(self.rates, micro=50_000, dearest=5_000)
        grant = budget.ask(1000, 200)
        assert grant.answer is Answer.GRANTED
        assert grant.max_tokens is not None
        assert self.rates.bound(1000, grant.max_tokens) <= 50_000

    def test_a_refused_call_is_free_and_a_lost_one_is_charged(self):
        budget = Budget(self.rates, micro=10**9, dearest=7)
        assert budget.settle(100, None, error=ErrorKind.RATE_LIMITED) == 0
        assert budget.settle(100, None, error=ErrorKind.TIMEOUT) == 7


@pytest.mark.parametrize("provider", ["openai", "anthropic"])
def test_a_price_entered_late_or_mended_counts_a_run_again_without_a_call(stub, judge, provider):
    factory.benchmark(2, 4)
    run, result = judge(provider=provider)
    assert result["cost_usd"] is None
    asked = stub.calls
    arguments = ("set_price", provider, "judge-1", "--input", "2.5", "--cached", "0.25")
    call_command(*arguments, "--output", "10")
    first = lifecycle.summary(run)["cost_usd"]
    rates = Rates(2_500_000, 250_000, 10_000_000)
    prices = Schedule(((None, rates),))
    by_hand = sum(cost_of(call, prices) for call in Call.objects.filter(run=run))
    assert first == by_hand / 1_000_000 > 0
    call_command(*arguments, "--output", "15")  # from now on
    assert lifecycle.summary(run)["cost_usd"] == first
    Price.objects.exclude(since=None).delete()
    call_command(*arguments, "--output", "20", "--correct")
    dearer = lifecycle.summary(run)["cost_usd"]
    written = sum(Call.objects.filter(run=run).values_list("output_tokens", flat=True))
    assert dearer - first == pytest.approx(written * 10 / 1_000_000, abs=1e-5)
    assert queries.list_rows([run])[0].cost == dearer
    assert stub.calls == asked
