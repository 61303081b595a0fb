"""When a period was, as a number of months."""

import re
from datetime import date

_SHAPES = (
    re.compile(r"(?P<year>\d{4})[-/.]?(?P<month>0[1-9]|1[0-2])"),
    re.compile(r"(?P<year>\d{2})[-/.](?P<month>0[1-9]|1[0-2])"),
    re.compile(r"(?P<year>\d{4})[-/. ]?[Qq](?P<quarter>[1-4])"),
    re.compile(r"(?P<year>\d{4})[-/.](?P<month>0[1-9]|1[0-2])[-/.](?P<day>0[1-9]|[12]\d|3[01])"),
)
DAYS = 365.2425 / 12  # of a month


def months_between(first: date, last: date) -> float:
    """Return the middle of two days in months since the year 0."""
    return (first.toordinal() + last.toordinal() + 1) / 2 / DAYS


def months_in(key: str) -> float | None:
    """Return the middle of a period from a key such as 2026-05, 26-05, 2026Q2 or 2026-05-31.

    None if the key is of another shape.
    """
    for shape in _SHAPES:
        if match := shape.fullmatch(key.strip()):
            given = match.groupdict()
            year = int(given["year"]) + (2000 if len(given["year"]) == 2 else 0)
            if quarter := given.get("quarter"):
                return year * 12 + int(quarter) * 3 - 1.5
            day = given.get("day")
            return year * 12 + int(given["month"]) - 1 + ((int(day) - 0.5) / DAYS if day else 0.5)
    return None
