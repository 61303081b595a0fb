"""The value of a task: a professional's minutes at the rate of the profession. Pure functions.

The xbench paper (section 3.1) estimates a task's value from the time of a human expert and the
salary of the profession: minutes / 60 × hourly rate.
"""

from decimal import ROUND_HALF_UP, Decimal

from django.db.models import TextChoices
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from curation.tasks.task.models import RateBand

_BANDS: dict[str, tuple[int | None, int | None]] = {
    RateBand.UNDER_50: (None, 50),
    RateBand.TO_100: (50, 100),
    RateBand.TO_200: (100, 200),
    RateBand.TO_400: (200, 400),
    RateBand.OVER_400: (400, None),
}


class ValueBand(TextChoices):
    """The value of a task in steps, by the lowest value it may have."""

    UNDER_100 = "under_100", gettext_lazy("under 100 USD")
    TO_500 = "100_500", gettext_lazy("100 to 500 USD")
    TO_2000 = "500_2000", gettext_lazy("500 to 2,000 USD")
    OVER_2000 = "over_2000", gettext_lazy("2,000 USD and more")
    UNKNOWN = "unknown", gettext_lazy("unknown")


_STEPS = ((100, ValueBand.UNDER_100), (500, ValueBand.TO_500), (2000, ValueBand.TO_2000))


def exact_value(minutes: int | None, hourly_rate: Decimal | None) -> Decimal | None:
    """Return minutes / 60 × rate in US dollars, rounded to cents; None if either is unknown."""
    if not minutes or hourly_rate is None:
        return None
    return (Decimal(minutes) * hourly_rate / 60).quantize(Decimal("0.01"), ROUND_HALF_UP)


def value_band(
    minutes: int | None, rate_band: str, hourly_rate: Decimal | None = None
) -> ValueBand:
    """Return the band of a task's value; `unknown` where `value_range` knows none."""
    exact = exact_value(minutes, hourly_rate)
    if exact is not None:
        return next((band for end, band in _STEPS if exact < end), ValueBand.OVER_2000)
    known = value_range(minutes, rate_band)
    if known is None:
        return ValueBand.UNKNOWN
    least = known[0] or 0  # the lowest rate has no lower end
    return next((band for end, band in _STEPS if least < end), ValueBand.OVER_2000)


def value_range(minutes: int | None, rate_band: str) -> tuple[int | None, int | None] | None:
    """Return the lowest and highest value in US dollars, rounded to 5; None if not known.

    Args:
        minutes: a professional's time.
        rate_band: one of RateBand, or empty.

    Returns:
        (None, most) under the lowest rate and (least, None) over the highest.
    """
    if not minutes or rate_band not in _BANDS:
        return None
    least, most = (
        None if rate is None else max(5, round(rate * minutes / 60 / 5) * 5)
        for rate in _BANDS[rate_band]
    )
    return least, most


def value_sentence(minutes: int | None, rate_band: str, hourly_rate: Decimal | None = None) -> str:
    """Word the value: "About 3 hours at 100 to 200 USD an hour: 300 to 600 USD."; or empty."""
    exact = exact_value(minutes, hourly_rate)
    if exact is not None and minutes is not None:
        return _("%(time)s at %(rate)s USD an hour: %(value)s USD.") % {
            "time": _time(minutes),
            "rate": f"{hourly_rate:,.2f}",
            "value": f"{exact:,.2f}",
        }
    known = value_range(minutes, rate_band)
    if known is None or minutes is None:
        return ""
    words = {
        "time": _time(minutes),
        "rate": RateBand(rate_band).label,
        "least": f"{known[0] or 0:,}",
        "most": f"{known[1] or 0:,}",
    }
    if known[0] is None:
        return _("%(time)s at %(rate)s an hour: at most %(most)s USD.") % words
    if known[1] is None:
        return _("%(time)s at %(rate)s an hour: at least %(least)s USD.") % words
    return _("%(time)s at %(rate)s an hour: %(least)s to %(most)s USD.") % words


def _time(minutes: int) -> str:
    if minutes < 90:
        return ngettext("%(n)s minute", "%(n)s minutes", minutes) % {"n": minutes}
    halves = round(minutes / 30)
    hours = f"{halves // 2:,}" + (".5" if halves % 2 else "")
    return _("About %(n)s hours") % {"n": hours}


def hourly_range(rate_band: str) -> tuple[int | None, int | None] | None:
    """Return the lowest and highest rate of a band in US dollars an hour; None if it is unknown.

    The lowest band has no lower end and the highest no upper one.
    """
    return _BANDS.get(rate_band)
