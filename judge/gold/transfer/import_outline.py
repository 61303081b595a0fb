"""What is known of a table without reading it again: heads, first rows, values that recur."""

from collections.abc import Iterable
from typing import Any

from curation.base.records.files import Sheet

MOST_COLUMNS = 200
MOST_VALUES = 40  # of a column; one with more is no list of choices
_LONGEST_VALUE = 80
_SAMPLES, _LONGEST_SAMPLE = 3, 120


def outline_of(sheets: Iterable[Sheet]) -> list[dict[str, Any]]:
    """Return for each sheet its name, its number of rows without the head, and its columns.

    A column has its head, up to three samples, and its distinct values where these are few.
    """
    return [
        {
            "name": sheet.name,
            "rows": max(0, len(sheet.rows) - 1),
            "columns": [_column(sheet, n) for n in range(min(_width(sheet), MOST_COLUMNS))],
        }
        for sheet in sheets
    ]


def _width(sheet: Sheet) -> int:
    return max((len(cells) for _number, cells in sheet.rows), default=0)


def _column(sheet: Sheet, at: int) -> dict[str, Any]:
    head = sheet.head[at] if at < len(sheet.head) else ""
    samples: list[str] = []
    values: dict[str, None] | None = {}
    for _number, cells in sheet.rows[1:]:
        if at >= len(cells) or cells[at] == "":
            continue
        words = str(cells[at]).strip()
        if len(samples) < _SAMPLES and words:
            samples.append(" ".join(words[: _LONGEST_SAMPLE * 2].split())[:_LONGEST_SAMPLE])
        if values is not None:
            values[words] = None
            if len(words) > _LONGEST_VALUE or len(values) > MOST_VALUES:
                values = None
        if values is None and len(samples) == _SAMPLES:
            break
    return {"head": head, "samples": samples, "values": None if values is None else list(values)}


def letter(at: int) -> str:
    """Return the name that a spreadsheet gives to a column: A, B, …, Z, AA."""
    name = ""
    at += 1
    while at:
        at, rest = divmod(at - 1, 26)
        name = chr(ord("A") + rest) + name
    return name
