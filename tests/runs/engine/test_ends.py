"""Every answered call is paid for: its tokens and its cost count, whatever the word for its end."""

import pytest
from django.db.models import Sum

from judge.asking.calls.cost import Rates
from judge.asking.calls.models import Call
from judge.asking.calls.price_models import Price
from tests.llm_stub import Behaviour
from tests.runs.engine import factory
from tests.runs.engine.test_runs import all_right

pytestmark = pytest.mark.django_db

RATES = Rates(1_000_000, 1_000_000, 2_000_000)
EVERY_END = ("length", "content_filter", "tool_calls", "eos", "something new", "abort", "")


@pytest.fixture
def response():
    return factory.respond(factory.external_task(), "fine")


@pytest.fixture
def price():
    return Price.objects.create(
        provider="openai",
        model="judge-1",
        input_micro=RATES.input,
        cached_micro=RATES.cached,
        output_micro=RATES.output,
    )


@pytest.mark.parametrize("end", [*EVERY_END, "refusal", "billed_shape"])
@pytest.mark.parametrize("budget", [None, 50_000_000])
def test_a_call_costs_what_the_vendor_counted_whatever_its_end(
    stub, judge, response, price, end, budget
):
    bad = Behaviour("ok", text="", stop=end) if end in EVERY_END else Behaviour(end)
    stub.script(*[bad] * 12)
    run, result = judge(budget_micro=budget, concurrency=1)
    calls = Call.objects.filter(run=run)
    assert calls.count() == stub.calls
    assert not calls.filter(input_tokens=None).exists()
    assert result["output_tokens"] == calls.aggregate(n=Sum("output_tokens"))["n"] > 0
    assert result["cost_usd"] > 0
    assert calls.aggregate(n=Sum("cost_micro"))["n"] == round(result["cost_usd"] * 1_000_000)


@pytest.mark.parametrize("end", ["eos", "tool_calls", "something new"])
def test_a_whole_reply_counts_whatever_the_word_for_its_end(stub, judge, response, end):
    stub.script(Behaviour("ok", stop=end))
    run, result = judge()
    assert (result["judged"], result["calls"]) == (1, 1)
    assert all_right(run) == 17
    assert Call.objects.get(run=run).error == ""


def test_a_text_in_parts_is_read(stub, judge, response):
    stub.script(Behaviour("ok", parts=True))
    run, result = judge()
    assert (result["judged"], result["calls"]) == (1, 1)


@pytest.mark.parametrize("provider", ["openai", "anthropic"])
def test_a_refusal_is_asked_once(stub, judge, response, provider):
    stub.script(*["refusal"] * 3)
    _run, result = judge(provider=provider)
    assert (result["failed"], result["calls"], stub.calls) == (1, 1, 1)
    assert result["reasons"] == {"refusal": 1}
