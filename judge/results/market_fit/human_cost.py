"""What a professional's work on a task costs at least: minutes at an hourly rate."""

from collections.abc import Iterable
from decimal import Decimal
from fractions import Fraction

from curation.tasks.task.models import Task
from curation.tasks.task.task_value import hourly_range

# Tasks from business may store an exact rate beside the band.
_RATE = tuple(f.name for f in Task._meta.get_fields() if f.name == "hourly_rate")


def least_cost(
    minutes: int | None, rate_band: str, hourly_rate: Decimal | None = None
) -> Fraction | None:
    """Return the dollars that a professional's work costs at least, exact; None if not known.

    Args:
        minutes: a professional's time.
        rate_band: one of RateBand, or empty. Its lower end counts, so that no product seems
            cheaper than a human who may be cheaper still; the lowest band has none.
        hourly_rate: dollars an hour where they are known exactly; it goes before the band.
    """
    if not minutes:
        return None
    if hourly_rate is not None:
        return Fraction(hourly_rate) * minutes / 60
    known = hourly_range(rate_band)
    if known is None or known[0] is None:
        return None
    return Fraction(known[0] * minutes, 60)


def costs_of(keys: Iterable[str]) -> dict[str, Fraction]:
    """Return key of a task -> its least cost, without the tasks where it is not known. One query.

    Args:
        keys: keys of tasks.
    """
    rows = Task.objects.filter(key__in=list(keys)).values("key", "minutes", "rate_band", *_RATE)
    found = {
        row["key"]: least_cost(row["minutes"], row["rate_band"], row.get("hourly_rate"))
        for row in rows
    }
    return {key: cost for key, cost in found.items() if cost is not None}
