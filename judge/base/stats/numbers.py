"""Numbers of the statistics: comparison without rounding noise, and conversion for JSON."""

import math
from collections.abc import Hashable, Iterable, Mapping
from decimal import Decimal
from fractions import Fraction
from typing import overload

from judge.base.stats.reasons import Reason

Number = int | float | Fraction | Decimal
TaskId = Hashable
Interval = tuple[float, float]

SIGNIFICANT_DIGITS = 12


def comparable(column: Iterable[Number | None]) -> list[Number | None]:
    """Return the scores of one scorer such that equal scores compare equal; None stays None.

    Integers, fractions and decimals are compared exactly. A float has the rounding noise of the
    sum it came from (0.1 + 0.2 is not 0.3), so if one value is a float, all are rounded to 12
    significant digits; 1/3 as a fraction then also equals 1/3 as a float. Differences below one
    part in 10^12 are ties.

    Raises:
        ValueError: a score is NaN or infinite; a missing score is None.
    """
    values = list(column)
    for value in values:
        if value is not None and not math.isfinite(value):
            raise ValueError(f"a score is a finite number or None, not {value!r}")
    if not any(isinstance(value, float) for value in values):
        return values
    return [None if value is None else _rounded(value) for value in values]


def _rounded(value: Number) -> float:
    # 12 digits survive conversion to decimal text and back, so equal texts give equal floats.
    return float(f"{float(value):.{SIGNIFICANT_DIGITS}g}")


def task_order(task: TaskId) -> tuple[str, str]:
    """Return the sort key of a task id of any type; the same on every machine."""
    return str(task), type(task).__name__


@overload
def plain(value: None) -> None: ...
@overload
def plain(value: int | float | Fraction) -> int | float: ...
def plain(value: int | float | Fraction | None) -> int | float | None:
    """Return a number for JSON: an int if it is whole by type or value, else a float."""
    if value is None or isinstance(value, int | float):
        return value
    return value.numerator if value.denominator == 1 else float(value)


def as_float(value: Fraction | None) -> float | None:
    return None if value is None else float(value)


def as_list(interval: Interval | None) -> list[float] | None:
    return None if interval is None else list(interval)


def reasons(why: Mapping[str, Reason | None]) -> dict[str, Reason]:
    """Return those figures that have a reason to be undefined."""
    return {name: reason for name, reason in why.items() if reason is not None}


def as_reasons(why: Mapping[str, Reason]) -> dict[str, str]:
    return {name: reason.value for name, reason in why.items()}


def reason_in(why: Mapping[str, str], figure: str, interval: str | None) -> str:
    """Return why a figure is missing, or else its interval; "" where nothing is."""
    return why.get(figure) or why.get(interval or "", "")
