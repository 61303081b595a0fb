"""What finished work is paid by the rate of its day; None with the reason where it is unknown."""

import re
from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from datetime import date, datetime, time
from decimal import ROUND_HALF_UP, Decimal
from typing import Any

from django.db import IntegrityError, transaction
from django.db.models import Count, QuerySet
from django.utils import timezone
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from curation.base.access.action import action
from curation.base.web.refusals import BadInput, Conflict
from curation.joining.domains.models import Domain
from curation.joining.people import User
from curation.staff.honoraria.models import RATED, Honorarium, HonorariumRate, Work, money
from curation.staff.honoraria.sources import live_rates

CENT = Decimal("0.01")
MOST_RATE, MOST_CAP = Decimal("99999.99"), 60 * 24
WHY = {
    "no_rate": _("no rate was set for this work on that day"),
    "unpaid": _("this work was not paid on that day"),
    "no_minutes": _("paid by the hour: the time it took is not stated yet"),
}


@dataclass(frozen=True, slots=True)
class Price:
    """An amount in a currency, or why there is none.

    Attributes:
        why: a key of `WHY`; "" where the amount is known.
        minutes: those that count, by the hour.
        rate: None where the amount was entered by hand.
    """

    amount: Decimal | None
    currency: str
    why: str = ""
    minutes: int | None = None
    rate: HonorariumRate | None = None

    @property
    def words(self) -> str:
        """The amount in words; "" where it is unknown or nothing is paid."""
        return "" if self.amount is None else money(self.amount, self.currency)

    @property
    def reason(self) -> str:
        return str(WHY[self.why]) if self.why else ""


def money_faults(
    amount: Decimal | None, currency: str, most: Decimal, *, below_zero: bool = False
) -> dict[str, list[str]]:
    """Return what is wrong with an amount in a currency, by field."""
    if amount is None:
        return (
            {"currency": [gettext("Leave this empty, or give an amount too.")]} if currency else {}
        )
    faults = {}
    if amount == 0 or (amount < 0 and not below_zero):
        faults["amount"] = [gettext("Give an amount above zero.")]
    elif abs(amount) > most:
        faults["amount"] = [
            gettext("Type a number of at most %(limit_value)s.") % {"limit_value": most}
        ]
    elif amount != round(amount, 2):
        faults["amount"] = [gettext("Type at most %(max)s digits after the point.") % {"max": 2}]
    if not re.fullmatch("[A-Z]{3}", currency):
        faults["currency"] = [
            gettext("Give the currency by its three letters, such as EUR, USD or CNY.")
        ]
    return faults


def day_of(moment: datetime) -> date:
    """Return the day of a moment in the programme's time zone, by which rates and periods count."""
    return timezone.localtime(moment, timezone.get_default_timezone()).date()


def start_of(day: date) -> datetime:
    """Return the first moment of a day in the programme's time zone."""
    return timezone.make_aware(datetime.combine(day, time.min), timezone.get_default_timezone())


def price_by(rate: HonorariumRate | None, minutes: int | None) -> Price:
    """Return what a rate pays for a piece that took so many minutes."""
    if rate is None:
        return Price(None, "", "no_rate")
    if rate.amount is None:
        return Price(None, "", "unpaid", rate=rate)
    if rate.unit == HonorariumRate.Unit.PIECE:
        return Price(rate.amount, rate.currency, rate=rate)
    if minutes is None:
        return Price(None, rate.currency, "no_minutes", rate=rate)
    counted = min(minutes, rate.cap_minutes or minutes)
    amount = (rate.amount * counted / 60).quantize(CENT, ROUND_HALF_UP)
    return Price(amount, rate.currency, minutes=counted, rate=rate)


class Prices:
    """All rates that count, read once.

    Args:
        rates: those to use; by default all that were not taken back. One query.
    """

    def __init__(self, rates: Iterable[HonorariumRate] | None = None) -> None:
        found = live_rates() if rates is None else rates
        self._by: dict[tuple[str, int | None], list[HonorariumRate]] = {}
        for rate in sorted(found, key=lambda row: row.since):
            self._by.setdefault((rate.kind, rate.domain_id), []).append(rate)

    def rate_on(self, day: date, kind: str, domain: int | None) -> HonorariumRate | None:
        """Return the rate of a kind of work on a day; the domain's own counts before that of all.

        None before the first one.
        """
        own = self._latest(day, kind, domain) if domain is not None else None
        return own or self._latest(day, kind, None)

    def _latest(self, day: date, kind: str, domain: int | None) -> HonorariumRate | None:
        begun = [rate for rate in self._by.get((kind, domain), ()) if rate.since <= day]
        return begun[-1] if begun else None

    def of(self, entry: Honorarium) -> Price:
        """Return what is paid for an entry: as approved, as entered by hand, or by its rate."""
        if entry.amount is not None:
            return Price(entry.amount, entry.currency, minutes=entry.counted_minutes)
        if entry.fixed_amount is not None:
            return Price(entry.fixed_amount, entry.fixed_currency)
        rate = self.rate_on(day_of(entry.finished_at), entry.kind, entry.domain_id)
        return price_by(rate, entry.minutes)


def with_prices(entries: Iterable[Honorarium]) -> list[Honorarium]:
    """Return entries with their `price`. One query for the rates."""
    known, found = Prices(), list(entries)
    for entry in found:
        entry.price = known.of(entry)
    return found


def priced(keys: Collection[int]) -> Mapping[int, Honorarium]:
    """Return entries by key with price, person, task and domain. Two queries."""
    rows = Honorarium.objects.filter(pk__in=keys)
    rows = rows.select_related("person", "task", "domain", "payroll")
    return {entry.pk: entry for entry in with_prices(rows)}


def sums_of(rows: "QuerySet[Honorarium]") -> dict[str, Any]:
    """Return state -> its sums in words, and how many amounts are `unknown`. Two queries."""
    sums: dict[str, dict[str, Decimal]] = defaultdict(lambda: defaultdict(Decimal))
    unknown = 0
    for entry in with_prices(rows.exclude(state=Honorarium.State.REFUSED)):
        if entry.price.amount is not None:
            sums[entry.state][entry.price.currency] += entry.price.amount
        elif entry.price.why != "unpaid":
            unknown += 1
    return {"unknown": unknown} | {
        state: sums_in_words(sums[state].items()) for state in ("waiting", "approved", "paid")
    }


def sums_in_words(sums: Iterable[tuple[str, Any]]) -> str:
    """Return sums by currency, side by side: “120.00 EUR · 40.00 USD”; "" without any."""
    return " · ".join(money(amount, currency) for currency, amount in sorted(sums))


# --- the rates ------------------------------------------------------------------------------------
@action("staff.administration")
@transaction.atomic
def set_rate(
    *,
    actor: Any,
    kind: str,
    domain: Domain | None,
    unit: str,
    amount: Decimal | None,
    currency: str,
    cap_minutes: int | None,
    since: date | None,
) -> HonorariumRate:
    """Set what a kind of work is paid from a day on. What was approved keeps its amount.

    Args:
        domain: None for every domain without a rate of its own.
        amount: None if nothing is paid from that day on.
        cap_minutes: the minutes of one piece that count at most, by the hour.

    Raises:
        BadInput: `fields` says what is wrong.
        Conflict: `same_day`, a rate of the kind and domain begins on that day already.
    """
    if amount is None:
        currency, unit = "", HonorariumRate.Unit.PIECE
    faults = money_faults(amount, currency, MOST_RATE)
    if kind not in RATED:
        faults["kind"] = [gettext("Choose which kind of work it is for.")]
    if unit not in HonorariumRate.Unit.values:
        faults["unit"] = [gettext("Choose what the amount is for.")]
    elif unit == HonorariumRate.Unit.PIECE and cap_minutes is not None:
        faults["cap_minutes"] = [gettext("Leave this empty: it is for rates by the hour.")]
    elif unit == HonorariumRate.Unit.HOUR and not 1 <= (cap_minutes or 0) <= MOST_CAP:
        said = gettext("Say how many minutes of a piece count at most, from 1 to %(most)s.")
        faults["cap_minutes"] = [said % {"most": MOST_CAP}]
    if since is None:
        faults["since"] = [gettext("Say from which day on it counts.")]
    if faults or since is None:
        raise BadInput(fields=faults)
    try:
        with transaction.atomic():
            return HonorariumRate.objects.create(
                kind=kind,
                domain=domain,
                unit=unit,
                amount=amount,
                currency=currency,
                cap_minutes=cap_minutes,
                since=since,
                entered_by=actor,
            )
    except IntegrityError:
        same_day = live_rates().filter(kind=kind, domain=domain, since=since)
        if not same_day.exists():
            raise
    raise Conflict(
        gettext("A rate of this work begins on that day already. Take it back first."),
        code="same_day",
    )


@action("staff.administration")
@transaction.atomic
def take_back_rate(*, actor: Any, rate: HonorariumRate) -> None:
    """Take back a rate that was entered by mistake. What was approved by it keeps its amount.

    Raises:
        Conflict: `taken_back`, it was taken back already.
    """
    in_force = live_rates().filter(pk=rate.pk)
    if not in_force.update(taken_back_at=timezone.now(), taken_back_by=actor):
        raise Conflict(gettext("This rate was taken back already."), code="taken_back")


def all_rates() -> list[HonorariumRate]:
    """Return all rates by kind and domain, the newest first; `now` marks those that count today."""
    rates = list(
        HonorariumRate.objects.select_related("domain", "entered_by").annotate(
            used=Count("entries")
        )
    )
    known = Prices(rate for rate in rates if rate.in_force)
    today = day_of(timezone.now())
    for rate in rates:
        rate.now = rate.in_force and known.rate_on(today, rate.kind, rate.domain_id) == rate
    kinds = list(Work.values)

    def place(rate: HonorariumRate) -> tuple[int, ...]:
        domain = rate.domain.position if rate.domain else -1
        return kinds.index(rate.kind), domain, -rate.since.toordinal(), -rate.pk

    return sorted(rates, key=place)


def rates_for(person: User) -> list[HonorariumRate]:
    """Return the rates that count today for a person: of their domains, then of all. One query.

    What one of their domains does not pay is told; a rate of all domains that pays nothing is not.
    `others` marks one that counts only in those of their domains without their own.
    """
    known, today = Prices(live_rates().select_related("domain")), day_of(timezone.now())
    mine: list[int | None] = [*person.qualified_domain_ids()] or [None]
    found = []
    for kind in RATED:
        by_domain = [known.rate_on(today, kind, domain) for domain in mine]
        rates = {rate.pk: rate for rate in by_domain if rate is not None}
        for rate in rates.values():
            rate.others = rate.domain_id is None and by_domain.count(rate) < len(mine)
        told = [one for one in rates.values() if one.domain_id or one.amount is not None]
        found += sorted(told, key=lambda one: one.domain.position if one.domain else 10**6)
    return found
