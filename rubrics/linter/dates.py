"""Dates in English, Chinese and ISO notation, as comparable amounts."""

import re

from curation.base.text.language import Amount

_MONTHS = [
    "january",
    "february",
    "march",
    "april",
    "may",
    "june",
    "july",
    "august",
    "september",
    "october",
    "november",
    "december",
]
_NAMES = "|".join((*_MONTHS, *(month[:3] for month in _MONTHS), "sept"))
_DATE = re.compile(
    rf"\b(?P<d1>\d{{1,2}})(?:st|nd|rd|th)?\s(?:of\s)?(?P<m1>{_NAMES})\b\.?"
    rf"|\b(?P<m2>{_NAMES})\b\.?\s(?P<d2>\d{{1,2}})(?:st|nd|rd|th)?(?!\d)"
    r"|(?P<m3>\d{1,2})\s?月\s?(?P<d3>\d{1,2})\s?[日号]"
    r"|(?<!\d)\d{4}-(?P<m4>\d{2})-(?P<d4>\d{2})(?!\d)",
    re.IGNORECASE,
)


def split(text: str) -> tuple[tuple[Amount, ...], str]:
    """Return a text's dates, as amounts in the unit "date" (month * 100 + day), and the rest."""
    found: list[Amount] = []

    def take(match: re.Match[str]) -> str:
        month = next(m for m in (match["m1"], match["m2"], match["m3"], match["m4"]) if m)
        day = next(d for d in (match["d1"], match["d2"], match["d3"], match["d4"]) if d)
        number = int(month) if month.isdigit() else _number(month)
        found.append(Amount(number * 100.0 + int(day), "date", match.group()))
        return " "

    rest = _DATE.sub(take, text)
    return tuple(found), rest


def _number(name: str) -> int:
    return next(n for n, month in enumerate(_MONTHS, start=1) if month.startswith(name.lower()[:3]))
