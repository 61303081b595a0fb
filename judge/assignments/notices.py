"""What scorers are told about their sheets."""

from django.urls import reverse
from django.utils import timezone

from curation.notices.notify import domain_facts, tell
from judge.sheets.models import Sheet


def sheet_assigned(sheet: Sheet) -> None:
    """Tell a scorer about a sheet that somebody else chose for them."""
    task = sheet.response.task
    assert sheet.user is not None
    tell(
        sheet.user,
        "sheet_assigned",
        once=f"sheet-{sheet.pk}",
        url=reverse("sheet", args=[sheet.pk]),
        task=str(task),
        due=sheet.due_at.isoformat() if sheet.due_at else timezone.now().isoformat(),
        **domain_facts(task.domain),
    )


def score_again(sheet: Sheet) -> None:
    """Tell a scorer whose sheet is theirs again because the rubric changed after they submitted."""
    if sheet.user is None:
        return
    tell(
        sheet.user,
        "rubric_changed_score_again",
        once=f"sheet-{sheet.pk}-version-{sheet.version_id}",
        url=reverse("sheet", args=[sheet.pk]),
        task=str(sheet.response.task),
        due=(sheet.due_at or timezone.now()).isoformat(),
    )
