"""Reads a flat checklist out of a reply. Pure."""

from typing import Any

from judge.asking.prompts.envelope import read_object
from judge.methods.jade.reading.reports import bounded, items_in, rows_in


def read_flat(reply: str, repaired: list[str]) -> dict[str, Any]:
    """Return a checklist without claims, in the form of a report's.

    Raises:
        UnreadableError: the reply is not of the form asked for.
    """
    rows = rows_in(read_object(reply, ("items",), repaired), "items")
    items = items_in([{"claims": [], **row} for row in rows], {}, repaired)
    return bounded({}, items, {})
