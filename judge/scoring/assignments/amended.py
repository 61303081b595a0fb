"""Anchors and sheets after an amendment of a task's prompt.

A baseline that answers the earlier prompt is replaced, and open sheets on responses to it are
handed back. What was submitted stays on record and is left out of results.
"""

from django.db.models import F, QuerySet
from django.utils import timezone
from django.utils.translation import gettext_noop

from curation.tasks.task.models import Task
from judge.asking.candidates.earlier_text import answers_earlier_text
from judge.asking.candidates.models import Response
from judge.scoring.anchors.hand_back import hand_back_sheet
from judge.scoring.anchors.models import Anchor
from judge.scoring.anchors.replace import replace
from judge.scoring.assignments import notices
from judge.scoring.graded_sheets import notices as graded_sheet_notices
from judge.scoring.graded_sheets.actions import hand_back_graded_sheet
from judge.scoring.graded_sheets.models import GradedSheet
from judge.scoring.sheets.models import Sheet

# Stored in English and translated when the history is shown.
AMENDED = gettext_noop("The task's text was amended, so this response answers an earlier one.")


def follow_amended_prompt(task: Task) -> None:
    """End the work on responses to the earlier prompt, in the transaction of the agreement."""
    stale = Response.objects.filter(answers_earlier_text(), task=task)
    # Locked, so that a concurrent decision of a senior comes before or is refused.
    anchor = (
        (Anchor.objects.select_for_update(of=("self",)).select_related("task", "response"))
        .filter(task=task)
        .first()
    )
    held = list(
        Sheet.objects.filter(
            response__in=stale, state=Sheet.State.OPEN, user__isnull=False
        ).select_related("user", "response__task")
    )
    if anchor is not None and anchor.response_id is not None:
        replace(actor=None, anchor=anchor, reason=AMENDED, model=anchor.model)
    _retire_baselines(stale)
    graded = GradedSheet.objects.filter(response__in=stale, state=GradedSheet.State.OPEN)
    for one in list(graded.select_related("user", "response__task")):
        graded_sheet_notices.graded_sheet_ended(one)
        hand_back_graded_sheet(actor=None, graded_sheet=one, reason=AMENDED)
    for sheet in held:
        notices.sheet_ended(sheet)
        if Sheet.objects.filter(pk=sheet.pk).exists():  # an anchor's went with its baseline
            hand_back_sheet(actor=None, sheet=sheet, reason=AMENDED)


def follow_amended_answer(task: Task) -> None:
    """Have open grades given by the new reference answer, in the transaction of the agreement.

    A grade that was chosen and not submitted is taken back; what was written for it stays, and the
    scorer hears of it. A page that was opened before is refused as stale.
    """
    held = GradedSheet.objects.filter(response__task=task, state=GradedSheet.State.OPEN)
    # Locked, so that no grade is chosen between the two statements.
    chosen = list(
        held.filter(grade__isnull=False)
        .select_for_update(of=("self",))
        .select_related("user", "response__task")
        .order_by("pk")
    )
    held.update(answer_version=task.version, grade=None, revision=F("revision") + 1)
    for sheet in chosen:
        sheet.answer_version = task.version
        graded_sheet_notices.graded_sheet_again(sheet)


def _retire_baselines(stale: "QuerySet[Response]") -> None:
    """Retire a baseline that no anchor uses yet, such as an imported one."""
    rows = stale.filter(baseline=True, superseded_at__isnull=True).values("pk")
    Response.objects.filter(pk__in=list(rows.values_list("pk", flat=True))).update(
        superseded_at=timezone.now()
    )
