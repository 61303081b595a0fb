"""Open sheets with their holders, the earliest due first."""

from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.db.models import F

from judge.scoring.sheets.models import COUNTED, Sheet

DUE_FIRST = 20  # open sheets below the draw


@dataclass(frozen=True, slots=True)
class OpenSheet:
    """An open sheet with its holder."""

    pk: int
    kind: str  # "anchor" or "alignment", its purpose; "practice" or "known" for uncounted ones
    task: int
    title: str
    language: str
    what: str  # name of the candidate; shown to staff only
    who: str  # name or address of the holder
    due_at: datetime | None
    since: datetime


def open_sheets(
    *, task: int | None = None, reader: Any = None, most: int | None = None
) -> list[OpenSheet]:
    """Return the open sheets, of all tasks or of one, earliest due first. One query.

    Args:
        reader: is not told which of their own sheets are known.
        most: how many to return; None for all.
    """
    rows = Sheet.objects.filter(state=Sheet.State.OPEN, user__isnull=False)
    if task is not None:
        rows = rows.filter(response__task=task)
    return [
        OpenSheet(
            pk=sheet.pk,
            kind=_kind_for(reader, sheet),
            task=sheet.response.task_id,
            title=sheet.response.task.title or sheet.response.task.key,
            language=sheet.response.task.language,
            what=sheet.response.candidate.name,
            who=sheet.user.name_for_staff,  # type: ignore[union-attr]
            due_at=sheet.due_at,
            since=sheet.opened_at,
        )
        for sheet in rows.select_related("user", "response__candidate", "response__task").order_by(
            F("due_at").asc(nulls_last=True), "pk"
        )[:most]
    ]


def _kind_for(reader: Any, sheet: Sheet) -> str:
    own_known = reader and sheet.user_id == reader.pk and sheet.kind == Sheet.Kind.KNOWN
    return sheet.purpose if own_known or sheet.kind in COUNTED else sheet.kind
