"""The statements of scoring one line, written by hand.

Django writes the SQL of a query anew each time, which takes most of the time of such a call. They
are asked for on every line that is scored; what they buy stands in docs/decisions/0062. Only
documented doors are used: `raw()`, a cursor, and the fields' own `get_db_prep_value`.
"""

from datetime import datetime
from typing import Any

from django.db import connection

from judge.sheets.models import Sheet, SheetLine

_SHEET = """
SELECT s.*, t.id AS task_id, t.key AS task_key, t.domain_id AS domain_id,
       d.external AS domain_external
FROM judge_sheet s
JOIN judge_response r ON r.id = s.response_id
JOIN curation_task t ON t.id = r.task_id
JOIN curation_domain d ON d.id = t.domain_id
WHERE s.id = %s
"""
_CRITERION = "SELECT id FROM rubrics_criterion WHERE version_id = %s AND {} = %s"
_LOCK = """
UPDATE judge_sheet
SET saved_at = %s, revision = revision + 1, worked_seconds = worked_seconds + %s
WHERE id = %s AND state = 'open' AND revision = %s
"""
_LINE = "SELECT * FROM judge_sheetline WHERE sheet_id = %s AND criterion_id = %s"
_ADD = """
INSERT INTO judge_sheetline (sheet_id, criterion_id, met, rationale, at)
VALUES (%s, %s, %s, %s, %s) RETURNING id
"""
_CHANGE = "UPDATE judge_sheetline SET met = %s, rationale = %s, at = %s WHERE id = %s"


def sheet_of(pk: int) -> Sheet | None:
    """A sheet with `task_id`, `task_key`, `domain_id` and `domain_external` of its task."""
    if pk >= 2**63:  # what no column can hold
        return None
    return next(iter(Sheet.objects.raw(_SHEET, [pk])), None)


def criterion_of(version: int | None, *, pk: int | None = None, key: str = "") -> int | None:
    """The id of a line of a version, by id or by key; None where it has no such line."""
    named, value = ("key", key) if pk is None else ("id", pk)
    with connection.cursor() as cursor:
        cursor.execute(_CRITERION.format(named), [version, value])
        row = cursor.fetchone()
    return row[0] if row else None


def lock(sheet: Sheet, *, now: datetime, worked: int) -> bool:
    """Take the sheet's next revision; False where it is not open, or was saved since."""
    with connection.cursor() as cursor:
        cursor.execute(_LOCK, [_prepared(now), worked, sheet.pk, sheet.revision])
        return bool(cursor.rowcount)


def line_of(sheet: Sheet, criterion: int) -> SheetLine | None:
    """What the sheet holds on a line; None before the first save."""
    return next(iter(SheetLine.objects.raw(_LINE, [sheet.pk, criterion])), None)


def store(line: SheetLine) -> None:
    """Add the line, or change its verdict, reason and time."""
    said: list[Any] = [line.met, line.rationale, _prepared(line.at)]
    with connection.cursor() as cursor:
        if line.pk is None:
            cursor.execute(_ADD, [line.sheet_id, line.criterion_id, *said])
            line.pk = cursor.fetchone()[0]
        else:
            cursor.execute(_CHANGE, [*said, line.pk])


def _prepared(at: datetime) -> Any:
    return SheetLine._meta.get_field("at").get_db_prep_value(at, connection)
