"""Notices to scorers about their sheets."""

from django.urls import reverse
from django.utils import timezone

from curation.joining.notices.notify import domain_facts, send_notice
from judge.scoring.sheets.models import Sheet


def sheet_assigned(sheet: Sheet) -> None:
    """Tell a scorer that a sheet was assigned to them."""
    task = sheet.response.task
    assert sheet.user is not None
    send_notice(
        sheet.user,
        "sheet_assigned",
        once=f"sheet-{sheet.pk}",
        url=reverse("sheet", args=[sheet.pk]),
        task=str(task),
        due=sheet.due_at.isoformat() if sheet.due_at else timezone.now().isoformat(),
        **domain_facts(task.domain),
    )


def score_again(sheet: Sheet) -> None:
    """Tell a scorer that their submitted sheet is open again because the rubric changed."""
    if sheet.user is None:
        return
    send_notice(
        sheet.user,
        "rubric_changed_score_again",
        once=f"sheet-{sheet.pk}-version-{sheet.version_id}",
        url=reverse("sheet", args=[sheet.pk]),
        task=str(sheet.response.task),
        due=(sheet.due_at or timezone.now()).isoformat(),
    )


def sheet_ended(sheet: Sheet) -> None:
    """Tell a scorer that their open sheet ended because the task's text was amended."""
    if sheet.user is None:
        return
    send_notice(
        sheet.user,
        "sheet_of_earlier_text",
        once=f"sheet-{sheet.pk}-amended",
        url=reverse("scoring"),
        task=str(sheet.response.task),
    )
