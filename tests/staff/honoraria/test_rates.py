"""Rates by date, and the sums of what they pay."""

from decimal import Decimal

import pytest

from curation.base.web.refusals import BadInput, Conflict, Denied
from curation.staff.honoraria.actions import approve, mark_as_paid
from curation.staff.honoraria.models import Honorarium, HonorariumRate
from curation.staff.honoraria.rates import sums_of, take_back_rate
from tests.conftest import browser_of
from tests.staff.honoraria.conftest import LONG_AGO, days_ago, entry, pay

RATES = "/staff/honoraria/rates/"
FORM = {
    "kind": "vote", "domain": "", "unit": "piece", "amount": "15", "currency": "eur",
    "cap_minutes": "", "since": "2026-01-01",
}  # fmt: skip


def test_staff_set_a_rate_and_take_it_back(work_world, staff):
    office = browser_of(staff)
    answer = office.post(RATES, FORM, follow=True)
    assert "15.00 EUR" in answer.content.decode()
    rate = HonorariumRate.objects.get()
    assert (rate.amount, rate.currency, rate.entered_by) == (Decimal(15), "EUR", staff)
    office.post(f"{RATES}{rate.pk}/take-back/")
    rate.refresh_from_db()
    assert rate.taken_back_by == staff
    assert office.post(f"{RATES}{rate.pk}/take-back/").status_code == 409
    assert "taken back" in office.get(RATES).content.decode()


@pytest.mark.parametrize(
    ("said", "field"),
    [
        ({"kind": "correction"}, "kind"),
        ({"amount": "0"}, "amount"),
        ({"amount": "-1"}, "amount"),
        ({"amount": "1.234"}, "amount"),
        ({"amount": "100000"}, "amount"),
        ({"currency": ""}, "currency"),
        ({"currency": "E1R"}, "currency"),
        ({"unit": "hour"}, "cap_minutes"),
        ({"unit": "hour", "cap_minutes": "1441"}, "cap_minutes"),
        ({"cap_minutes": "60"}, "cap_minutes"),
        ({"since": ""}, "since"),
        ({"domain": "law"}, "domain"),
    ],
)
def test_a_rate_at_fault_is_refused_at_its_field(work_world, staff, said, field):
    answer = browser_of(staff).post(RATES, {**FORM, **said})
    assert answer.status_code == 400
    assert answer.context["form"].errors[field]
    assert not HonorariumRate.objects.exists()


@pytest.mark.parametrize(
    ("said", "field"),
    [
        ({"kind": "correction"}, "kind"),
        ({"amount": "0"}, "amount"),
        ({"amount": "1.234"}, "amount"),
        ({"amount": "100000"}, "amount"),
        ({"currency": "eur"}, "currency"),
        ({"unit": "day"}, "unit"),
        ({"unit": "hour"}, "cap_minutes"),
        ({"unit": "hour", "cap_minutes": 1441}, "cap_minutes"),
        ({"cap_minutes": 60}, "cap_minutes"),
        ({"since": None}, "since"),
    ],
)
def test_no_caller_stores_a_rate_at_fault(work_world, staff, said, field):
    with pytest.raises(BadInput) as refused:
        pay(staff, **{"kind": "vote", "amount": "15", **said})
    assert list(refused.value.fields) == [field]
    assert not HonorariumRate.objects.exists()


def test_a_mistyped_amount_is_the_only_fault(work_world, staff):
    said = {**FORM, "amount": "0", "unit": "hour", "cap_minutes": "60"}
    assert list(browser_of(staff).post(RATES, said).context["form"].errors) == ["amount"]


def test_two_rates_of_one_work_and_domain_never_begin_on_one_day(work_world, staff):
    first = pay(staff, "vote", "15.00")
    pay(staff, "vote", "18.00", domain=work_world["finance"])
    pay(staff, "round", "15.00")
    for domain in (None, work_world["finance"]):
        with pytest.raises(Conflict) as refused:
            pay(staff, "vote", "20.00", domain=domain)
        assert refused.value.code == "same_day"
    take_back_rate(actor=staff, rate=first)
    pay(staff, "vote", "20.00")


def test_experts_set_no_rates(work_world, author):
    with pytest.raises(Denied):
        pay(author, "vote", "15.00")
    assert browser_of(author).get(RATES).status_code == 403


def test_sums_tell_expected_approved_and_unknown_apart_and_never_mix_currencies(
    paid, staff, author, voter
):
    paid()
    pay(staff, "task", "60.00", unit="hour", cap_minutes=90, since=days_ago(1))
    pay(staff, "vote", "20.00", currency="USD", since=days_ago(1))
    assert sums_of(Honorarium.objects.all()) == {
        "waiting": "20.00 USD", "approved": "", "paid": "", "unknown": 1
    }  # fmt: skip
    browser_of(author).post("/honoraria/", {f"minutes-{entry('task').pk}": "60"})
    approve(actor=staff, entry=entry("task"))
    assert sums_of(Honorarium.objects.all()) == {
        "waiting": "20.00 USD", "approved": "60.00 EUR", "paid": "", "unknown": 0
    }  # fmt: skip
    approve(actor=staff, entry=entry("vote"))
    mark_as_paid(actor=staff, entry=entry("vote"))
    sums = sums_of(Honorarium.objects.all())
    assert (sums["approved"], sums["paid"]) == ("60.00 EUR", "20.00 USD")


def test_work_that_a_rate_does_not_pay_is_not_unknown(work_world, staff, paid):
    paid()
    pay(staff, "vote", None, since=days_ago(1))
    sums = sums_of(Honorarium.objects.all())
    assert (sums["unknown"], sums["waiting"]) == (0, "120.00 EUR")


def test_the_rate_that_counts_now_is_marked(work_world, staff):
    pay(staff, "vote", "15.00", since=LONG_AGO)
    pay(staff, "vote", "18.00", since=days_ago(3))
    pay(staff, "vote", "20.00", since=days_ago(-3))
    shown = browser_of(staff).get(RATES).context["rates"]
    assert [(row.amount_in_words, row.now) for row in shown] == [
        ("20.00 EUR", False), ("18.00 EUR", True), ("15.00 EUR", False)
    ]  # fmt: skip
