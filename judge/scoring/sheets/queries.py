"""The sheets that statistics count."""

from collections import Counter
from typing import Any

from django.db.models import QuerySet

from judge.asking.candidates.earlier_text import rests_on_earlier_text
from judge.asking.candidates.models import Response
from judge.scoring.sheets.models import Sheet
from rubrics.versions.queries import version_that_counts


def submitted_sheets() -> QuerySet[Sheet]:
    """Return the submitted sheets of experts, own and imported.

    Left out are judges' sheets, settled ones, which are made of the scorers' sheets, and practice
    and known sheets, which have kinds of their own.
    """
    found = Sheet.objects.filter(kind=Sheet.Kind.EXPERT, state=Sheet.State.SUBMITTED)
    return found.exclude(purpose=Sheet.Purpose.SETTLED).order_by()


def current_sheets() -> QuerySet[Sheet]:
    """Return the submitted sheets that rest on the present text of their task."""
    return submitted_sheets().filter(~rests_on_earlier_text())


LINES, GRADE = "lines", "grade"  # the forms of a set


def flagged_item_to_serve(response: Response, form: str) -> Any:
    """Return the item drawn for a flag that a sheet assigned by hand serves; None if none.

    The oldest item that lacks a sheet by the current rubric, because one was handed back or the
    rubric changed. Where none lacks any, the newest one, unless somebody was asked about the
    response without a flag. Five queries at most.

    Args:
        form: how the sheet scores, LINES or GRADE.
    """
    drawn = response.drawn_in.filter(set__form=form).select_related("set").order_by("pk")
    items = [item for item in drawn if item.flagged]
    if not items:
        return None
    sheets: QuerySet[Any] = response.graded_sheets.filter(user__isnull=False)
    if form == LINES:
        sheets = response.sheets.filter(kind=Sheet.Kind.EXPERT, purpose=Sheet.Purpose.ALIGNMENT)
    current = sheets.filter(version=version_that_counts(response.task))
    filled = Counter(current.order_by().values_list("flagged_item", flat=True))
    for item in items:
        if filled[item.pk] < item.set.scorers:
            return item
    without_flag = len(items) < len(drawn) or sheets.filter(flagged_item__isnull=True).exists()
    return None if without_flag else items[-1]
