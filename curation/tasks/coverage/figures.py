"""How tasks cover a work map, in numbers. Pure functions.

Figures 4 and 6 of the xbench paper (sections 3.2 and 3.3) show tasks by category and by the time
a person needs. The paper does not say to which bin a bound belongs; here 5 minutes are in 0–5.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import Any

from django.utils.translation import gettext as _

from curation.tasks.task.models import RateBand
from curation.tasks.task.task_value import exact_value

# The rate that counts for a band: its middle; of the open one at the top, its lower end.
BAND_RATES: dict[str, Decimal] = {
    RateBand.UNDER_50: Decimal(25),
    RateBand.TO_100: Decimal(75),
    RateBand.TO_200: Decimal(150),
    RateBand.TO_400: Decimal(300),
    RateBand.OVER_400: Decimal(400),
}


@dataclass(frozen=True)
class Bar:
    """One bar of a histogram: a label and a number of tasks; `percent` is None without tasks."""

    label: str
    count: int
    percent: Decimal | None


def percent_of(part: Decimal | int, whole: Decimal | int) -> Decimal | None:
    """Return a share in percent with one digit; None if there is no whole."""
    return round(Decimal(part) * 100 / Decimal(whole), 1) if whole else None


def bars(counts: Iterable[tuple[str, int]]) -> list[Bar]:
    """Return the bars of a histogram from labels and counts."""
    given = list(counts)
    whole = sum(count for _label, count in given)
    return [Bar(label, count, percent_of(count, whole)) for label, count in given]


def by_time(minutes: Iterable[int | None], ends: Sequence[int]) -> list[Bar]:
    """Return the histogram of human minutes.

    Args:
        minutes: of each task; None where nobody said, which gets a bar of its own if there is any.
        ends: the upper ends of the bins, rising; each belongs to its bin.
    """
    counts = [0] * (len(ends) + 1)
    unknown = 0
    for needed in minutes:
        if needed is None:
            unknown += 1
        else:
            counts[sum(needed > end for end in ends)] += 1
    starts = (0, *ends)
    labels = [
        _("%(start)s–%(end)s minutes") % {"start": starts[n], "end": end}
        for n, end in enumerate(ends)
    ]
    labels.append(_("over %(start)s minutes") % {"start": ends[-1]})
    rows = list(zip(labels, counts, strict=True))
    return bars([*rows, (_("not known"), unknown)] if unknown else rows)


def counted_value(task: Any) -> Decimal | None:
    """Return the value of a task in US dollars for sums; None if time or rate are unknown.

    Args:
        task: `minutes`, `rate_band` and `hourly_rate`, as a mapping.
    """
    rate = task["hourly_rate"]
    if rate is None:
        rate = BAND_RATES.get(task["rate_band"])
    return exact_value(task["minutes"], rate)
