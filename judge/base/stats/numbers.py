"""Numbers of the statistics without rounding noise, for JSON, and reasons why one is undefined."""

import math
from collections.abc import Hashable, Iterable, Mapping
from decimal import Decimal
from enum import StrEnum
from fractions import Fraction
from typing import overload

FEWEST_TASKS = 6  # of an interval: from here on 1 - 2**(1 - tasks) is above 95 %


class Reason(StrEnum):
    """A reason as a stable English phrase, which pages and files use as a key."""

    NO_PAIRS = "no strict pair"
    NO_CELLS = "no cells"
    NONE_JUDGED = "nothing judged"
    ONE_CLASS = "only one class"
    NO_WEIGHT = "no weight"
    NO_SCORES = "no scores"
    ONE_RESPONSE = "fewer than two responses"
    CONSTANT = "all scores are equal"
    ONE_TASK = "fewer than two tasks"
    FEW_TASKS = "too few tasks for an interval"
    FEW_TASKS_TO_RANK = "too few tasks to tell any two apart"
    NO_SPREAD = "no spread between resamples"
    NO_RESAMPLES = "no resamples asked for"
    NO_COMMON_TASKS = "no common tasks"
    NO_OVERLAP = "nothing scored twice"
    NOT_TWO_RATERS = "not exactly two raters"
    NO_COMPARISON = "nothing to compare with"
    NOTHING_OWN = "no candidate of the judge's house, or none of another"
    NOT_MEASURED = "not measured"
    FEW_CANDIDATES = "too few candidates"
    FEW_RESPONSES = "too few responses"
    ONE_LINE = "only one line"
    NO_SPREAD_IN_THE_REST = "no spread in the rest"
    ALL_RIGHT = "all right"
    ALL_WRONG = "all wrong"
    ALL_EQUAL = "all equal"
    ONE_MEASURED_TASK = "measured on one task"
    ONE_MEASURED_VERSION = "measured by one version"
    NOTHING_LEFT = "nothing left to compare with"
    DISCONNECTED = "not connected with the reference"
    WEAK_LINK = "too weakly linked with the reference"
    ONE_DATE = "measured in one period"
    NO_DATE = "the date of a period is unknown"


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
