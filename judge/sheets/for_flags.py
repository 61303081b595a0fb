"""Sheets that a flagged verdict asks for."""

from typing import Any

from django.db.models import QuerySet, Sum

from judge.candidates.models import Response


def lacks_sheet_for_flag(response: Response, form: str, sheets: "QuerySet[Any]") -> bool:
    """Return whether a set that holds a response for a flag still lacks one of its sheets.

    The next sheet that is opened is then for the flag: at the draw, and in place of one that was
    handed back. Two queries.

    Args:
        form: of the set, "lines" or "grade".
        sheets: all sheets of that form on the response.
    """
    drawn = response.drawn_in.filter(flagged=True, set__form=form)
    wanted: int = drawn.aggregate(n=Sum("set__scorers"))["n"] or 0
    return wanted > 0 and sheets.filter(for_flag=True).count() < wanted
