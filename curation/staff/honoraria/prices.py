"""What a piece of work is paid by the rate of its day; None with the reason where it is unknown."""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date, datetime, time
from decimal import ROUND_HALF_UP, Decimal
from typing import Any

from django.utils import timezone
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from curation.staff.honoraria.models import Honorarium, HonorariumRate

CENT = Decimal("0.01")
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
    def reason(self) -> str:
        return str(WHY[self.why]) if self.why else ""


def money(amount: Decimal, currency: str) -> str:
    """Format an amount: “1,250.00 EUR”."""
    return f"{amount:,.2f} {currency}".replace("-", "−")  # noqa: RUF001 - a minus sign


def currency_problem(code: str) -> str:
    """Return what is wrong with the code of a currency; "" if nothing."""
    if re.fullmatch(r"[A-Z]{3}", code):
        return ""
    return gettext("Give the currency by its three letters, such as EUR, USD or CNY.")


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
        found = (
            HonorariumRate.objects.filter(taken_back_at__isnull=True) if rates is None else rates
        )
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
        return self.expected(
            kind=entry.kind,
            domain=entry.domain_id,
            finished_at=entry.finished_at,
            minutes=entry.minutes,
            fixed=(entry.fixed_amount, entry.fixed_currency),
        )

    def expected(
        self,
        *,
        kind: str,
        domain: int | None,
        finished_at: datetime,
        minutes: int | None,
        fixed: tuple[Decimal | None, str] = (None, ""),
    ) -> Price:
        """Return what would be paid for work that is not approved yet."""
        if fixed[0] is not None:
            return Price(*fixed)
        return price_by(self.rate_on(day_of(finished_at), kind, domain), minutes)


def sums_in_words(sums: Iterable[tuple[str, Any]]) -> str:
    """Return sums by currency, side by side: “120.00 EUR · 40.00 USD”; "" without any."""
    return " · ".join(money(amount, currency) for currency, amount in sorted(sums))
