"""The rate of a day, whatever the dates: exactly one or none, and amounts to the cent."""

from datetime import date, timedelta
from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from curation.staff.honoraria.models import HonorariumRate
from curation.staff.honoraria.rates import Prices, money, price_by, sums_in_words

DAYS = st.dates(date(2024, 1, 1), date(2026, 12, 31))
AMOUNTS = st.decimals(Decimal("0.01"), Decimal("99999.99"), places=2)


def rate(since: date, amount: Decimal | None, domain: int | None = None, **more) -> HonorariumRate:
    currency = "" if amount is None else "EUR"
    return HonorariumRate(
        kind="vote", domain_id=domain, since=since, amount=amount, currency=currency, **more
    )


@given(
    st.dictionaries(DAYS, st.none() | AMOUNTS, max_size=6),
    st.dictionaries(DAYS, AMOUNTS, max_size=4),
    DAYS,
)
def test_the_latest_rate_that_has_begun_counts_and_a_domains_own_before_that_of_all(
    everywhere, in_seven, day
):
    prices = Prices(
        [rate(since, amount) for since, amount in everywhere.items()]
        + [rate(since, amount, 7) for since, amount in in_seven.items()]
    )
    begun = [since for since in everywhere if since <= day]
    own = [since for since in in_seven if since <= day]
    of_all = everywhere[max(begun)] if begun else None
    found = prices.rate_on(day, "vote", 8)
    assert (found.amount if found else None) == of_all
    assert (found is None) == (not begun)
    found = prices.rate_on(day, "vote", 7)
    assert (found.amount if found else None) == (in_seven[max(own)] if own else of_all)
    assert prices.rate_on(day, "round", 7) is None


@given(st.dictionaries(DAYS, AMOUNTS, min_size=1, max_size=5), AMOUNTS, DAYS)
def test_a_new_rate_changes_no_day_before_it_begins(before, amount, since):
    later = Prices([*(rate(day, each) for day, each in before.items() if day != since),
                    rate(since, amount)])  # fmt: skip
    earlier = Prices([rate(day, each) for day, each in before.items() if day != since])
    for back in (1, 30, 400):
        day = since - timedelta(days=back)
        one, other = earlier.rate_on(day, "vote", None), later.rate_on(day, "vote", None)
        assert (one and one.amount) == (other and other.amount)


@given(AMOUNTS, st.integers(1, 1440), st.integers(1, 30_000))
def test_an_hourly_amount_is_exact_to_the_cent_and_never_above_that_of_the_cap(amount, cap, took):
    price = price_by(rate(date(2026, 1, 1), amount, unit="hour", cap_minutes=cap), took)
    counted = min(took, cap)
    assert price.minutes == counted
    assert price.amount is not None
    assert abs(price.amount * 60 - amount * counted) <= Decimal("0.3")  # half a cent, times sixty
    assert price.amount == price.amount.quantize(Decimal("0.01"))


@pytest.mark.parametrize(
    ("minutes", "amount"),
    [(30, "20.00"), (90, "60.00"), (91, "60.00"), (1, "0.67"), (50, "33.33"), (None, None)],
)
def test_minutes_count_up_to_the_cap_and_a_missing_time_leaves_the_amount_unknown(minutes, amount):
    price = price_by(rate(date(2026, 1, 1), Decimal(40), unit="hour", cap_minutes=90), minutes)
    assert price.amount == (None if amount is None else Decimal(amount))
    assert price.why == ("no_minutes" if amount is None else "")


def test_without_a_rate_and_with_one_that_pays_nothing_there_is_no_amount_and_a_reason():
    assert (price_by(None, 5).amount, price_by(None, 5).why) == (None, "no_rate")
    nothing = price_by(rate(date(2026, 1, 1), None), 5)
    assert (nothing.amount, nothing.why) == (None, "unpaid")
    assert "not paid" in nothing.reason


def test_sums_of_two_currencies_stand_beside_each_other():
    assert sums_in_words([("USD", Decimal(40)), ("EUR", Decimal(1250))]) == (
        "1,250.00 EUR · 40.00 USD"
    )
    assert money(Decimal("-20.5"), "CNY") == "−20.50 CNY"  # noqa: RUF001 - a minus sign
