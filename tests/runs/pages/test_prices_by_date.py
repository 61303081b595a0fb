"""Prices by date: a call costs what its model cost when it was made."""

from datetime import timedelta

import pytest
from django.core.management import CommandError, call_command
from django.utils import timezone

from judge.asking.calls.cost import Rates, cost_of, rates_for, schedule_for
from judge.asking.calls.models import Call
from judge.asking.calls.price_models import Price
from judge.runs.engine.models import JudgeRun
from judge.runs.pages import lifecycle, queries

pytestmark = pytest.mark.django_db
URL = "/staff/prices/"
LARCH = {"provider": "openai", "model": "larch-4", "input": "2", "cached": "", "output": "8"}
NOW = timezone.now()


@pytest.fixture
def office(sign_in, staff):
    return sign_in(staff)


@pytest.fixture
def run():
    """A run with a call of a million tokens in on each of the last four days."""
    run = JudgeRun.objects.create(
        method="one_shot", provider="openai", model="larch-4", state="finished",
        started_at=NOW, finished_at=NOW,
    )  # fmt: skip
    for days in (4, 3, 2, 1):
        Call.objects.create(
            purpose="judge", provider="openai", model="larch-4", run=run, request={},
            input_tokens=1_000_000, cached_tokens=0, output_tokens=0, at=NOW - timedelta(days=days),
        )  # fmt: skip
    return run


def price(days, dollars):
    """A price that began some days ago; None: from the beginning."""
    since = None if days is None else NOW - timedelta(days=days, hours=1)
    micro = dollars * 1_000_000
    return Price.objects.create(
        provider="openai", model="larch-4", since=since,
        input_micro=micro, cached_micro=micro, output_micro=micro,
    )  # fmt: skip


def test_each_call_costs_what_was_in_force_when_it_was_made(run):
    price(None, 1)
    price(2, 10)  # two calls later than that
    assert lifecycle.summary(run)["cost_usd"] == 1 + 1 + 10 + 10
    assert queries.list_rows([run])[0].cost == 22
    prices = schedule_for("openai", "larch-4")
    each = [cost_of(call, prices) for call in run.calls.order_by("at")]
    assert each == [1_000_000, 1_000_000, 10_000_000, 10_000_000]


def test_a_call_before_the_first_price_has_an_unknown_cost_and_not_none_at_all(run):
    price(2, 10)
    assert lifecycle.summary(run)["cost_usd"] is None
    assert queries.list_rows([run])[0].cost is None
    assert cost_of(run.calls.order_by("at").first(), schedule_for("openai", "larch-4")) is None


def test_a_future_price_waits_for_its_day(office):
    office.post(URL, LARCH)
    day = timezone.localdate() + timedelta(days=30)
    office.post(URL, LARCH | {"input": "3", "counts": "day", "day": day.isoformat()})
    assert rates_for("openai", "larch-4") == Rates(2_000_000, 2_000_000, 8_000_000)
    later = schedule_for("openai", "larch-4").at(timezone.now() + timedelta(days=31))
    assert later == Rates(3_000_000, 3_000_000, 8_000_000)
    page = office.get(URL).content.decode()
    assert "$3.00 in, $8.00 out" in page


def test_a_correction_counts_the_calls_of_its_price_again_and_no_others(office, run):
    price(None, 1)
    price(2, 10)
    office.post(URL, LARCH | {"input": "5", "counts": "correct"})
    assert lifecycle.summary(run)["cost_usd"] == 1 + 1 + 5 + 5
    assert Price.objects.count() == 2


def test_a_price_from_a_day_on_needs_the_day(office):
    answer = office.post(URL, LARCH | {"counts": "day"})
    assert answer.status_code == 400
    assert "Choose the first day." in answer.content.decode()
    assert not Price.objects.exists()


def test_nothing_can_be_corrected_before_a_price_is_in_force(office):
    answer = office.post(URL, LARCH | {"counts": "correct"})
    assert "No price is in force yet." in answer.content.decode()
    assert not Price.objects.exists()


def test_the_command_takes_the_first_day(office):
    arguments = ("set_price", "openai", "larch-4", "--input=2", "--output=8")
    call_command(*arguments, "--since=2020-01-01")
    row = Price.objects.get()
    assert timezone.localtime(row.since, timezone.get_default_timezone()).isoformat()[:16] == (
        "2020-01-01T00:00"
    )
    with pytest.raises(CommandError, match="not both"):
        call_command(*arguments, "--since=2020-01-01", "--correct")
