"""Submitted sheets and checks of anchors, for honoraria."""

from curation.staff.honoraria.models import Work
from curation.staff.honoraria.sources import PaidSource
from judge.scoring.anchors.models import MetaEvaluation
from judge.scoring.graded_sheets.models import GradedSheet
from judge.scoring.sheets.models import Sheet

SOURCES = (
    PaidSource(
        Work.SHEET,
        # A settled sheet is part of the senior's check of the anchor, and practice is no work. A
        # known sheet is paid as any other: who scores it must not notice.
        lambda: Sheet.objects.filter(
            state=Sheet.State.SUBMITTED,
            purpose__in=[Sheet.Purpose.ANCHOR, Sheet.Purpose.ALIGNMENT],
            user__isnull=False,
        ).exclude(kind=Sheet.Kind.PRACTICE),
        *("user", "submitted_at", "response__task", "response__task__domain", "worked_seconds"),
    ),
    PaidSource(
        Work.GRADE,
        lambda: GradedSheet.objects.filter(state=GradedSheet.State.SUBMITTED, user__isnull=False),
        *("user", "submitted_at", "response__task", "response__task__domain", "worked_seconds"),
    ),
    PaidSource(
        Work.ANCHOR,
        lambda: MetaEvaluation.objects.exclude(verdict=""),
        *("senior", "at", "anchor__task", "anchor__task__domain"),
    ),
)
