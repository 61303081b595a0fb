"""Sheets that count."""

from django.db.models import QuerySet

from judge.sheets.models import Sheet


def submitted_sheets() -> QuerySet[Sheet]:
    """What experts handed in, here or elsewhere; a judge's sheets are no expert's, and what a
    senior settled rests on the others."""
    found = Sheet.objects.filter(kind=Sheet.Kind.EXPERT, state=Sheet.State.SUBMITTED)
    return found.exclude(purpose=Sheet.Purpose.SETTLED).order_by()
