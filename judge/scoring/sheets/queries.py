"""The sheets that statistics count."""

from django.db.models import QuerySet

from judge.asking.candidates.earlier_text import rests_on_earlier_text
from judge.scoring.sheets.models import Sheet


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
