"""Submitted sheets, checks and rulings, for what people in conflict judged of each other."""

from django.utils.translation import gettext_lazy as _

from curation.tasks.task.finished_work import FinishedSource
from judge.scoring.agreement.models import Adjudication
from judge.scoring.anchors.models import MetaEvaluation
from judge.scoring.graded_sheets.models import GradedSheet
from judge.scoring.sheets.models import Sheet

SOURCES = (
    FinishedSource(
        _("sheets"),
        lambda: Sheet.objects.filter(state=Sheet.State.SUBMITTED, user__isnull=False),
        "response__task",
        "user",
    ),
    FinishedSource(
        _("graded sheets"),
        lambda: GradedSheet.objects.filter(state=GradedSheet.State.SUBMITTED, user__isnull=False),
        "response__task",
        "user",
    ),
    FinishedSource(
        _("checks of an anchor"),
        lambda: MetaEvaluation.objects.exclude(verdict=""),
        "anchor__task",
        "senior",
    ),
    FinishedSource(_("rulings"), Adjudication.objects.all, "task", "senior"),
)
