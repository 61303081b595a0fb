"""What of rubrics leads to a task, and how it rests on the task's text."""

from typing import Any

from django.db.models import QuerySet
from django.utils.translation import gettext_lazy as _

from curation.tasks.task.text_basis import Basis, Rests, independent, records
from rubrics.lines.reference_marks import ReferenceMark, sha256
from rubrics.versions.models import Criterion, RubricVersion


def stale_versions(task: Any) -> "QuerySet[RubricVersion]":
    """Select the versions of a task's rubric that were written for an earlier text."""
    rows = RubricVersion.objects.filter(task=task, text_version__lt=task.rubric_since)
    return rows.exclude(origin=RubricVersion.Origin.DRAFT)


def _stale_lines(task: Any) -> "QuerySet[Criterion]":
    return Criterion.objects.filter(version__in=stale_versions(task))


def _stale_marks(task: Any) -> "QuerySet[ReferenceMark]":
    answer = sha256(task.reference_answer)
    return ReferenceMark.objects.filter(task=task).exclude(answer_sha256=answer)


ROWS = [
    Rests(
        model="rubrics.RubricVersion",
        label=_("Versions of the rubric"),
        on=Basis.RUBRIC,
        then=_("The author goes through the lines and confirms them, then they are reviewed."),
        stale=stale_versions,
    ),
    Rests(
        model="rubrics.Criterion",
        label=_("Rubric lines"),
        on=Basis.RUBRIC,
        then=_("They follow their version; a line whose passage is gone is named to the author."),
        stale=_stale_lines,
    ),
    Rests(
        model="rubrics.ReferenceMark",
        label=_("Reference marks"),
        on=Basis.ANSWER,
        then=_("They lapse; the author marks the line again."),
        stale=_stale_marks,
    ),
    *records(
        _("It is a step, a reason or a mark on a line as it was."),
        "rubrics.LineChange",
        "rubrics.Waiver",
        "rubrics.SentMarks",
    ),
    *independent(
        _("It carries a hash of the text, and is computed anew from another one."),
        "rubrics.StoredMarks",
    ),
    *independent(
        _("It says who writes the rubric."), "rubrics.RubricHandover", "rubrics.HelpRequest"
    ),
]
