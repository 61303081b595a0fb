"""Handwritten SQL for scoring one line.

Django compiles the SQL of a query on each call, which took most of the time of scoring a line
(figures: docs/decisions/0001-stack.md). Only documented interfaces are used: `raw()`, a cursor and
the fields' `get_db_prep_value`.
"""

from datetime import datetime
from typing import Any

from django.db import connection

from judge.scoring.sheets.models import Sheet, SheetLine

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
    """Return a sheet with `task_id`, `task_key`, `domain_id`, `domain_external`, or None."""
    if pk >= 2**63:  # larger than any key; a database refuses such a parameter
        return None
    return next(iter(Sheet.objects.raw(_SHEET, [pk])), None)


def criterion_of(version: int | None, *, pk: int | None = None, key: str = "") -> int | None:
    """Return the id of a line of a version, found by id or key; None without such a line."""
    named, value = ("key", key) if pk is None else ("id", pk)
    with connection.cursor() as cursor:
        cursor.execute(_CRITERION.format(named), [version, value])
        row = cursor.fetchone()
    return row[0] if row else None


def lock(sheet: Sheet, *, now: datetime, worked: int) -> bool:
    """Lock an open sheet by raising its revision; False if it is not open or was saved since.

    Also stores the time of the save and adds the worked seconds.
    """
    with connection.cursor() as cursor:
        cursor.execute(_LOCK, [_prepared(now), worked, sheet.pk, sheet.revision])
        return bool(cursor.rowcount)


def line_of(sheet: Sheet, criterion: int) -> SheetLine | None:
    """Return the sheet's row for a line; None before the first save."""
    return next(iter(SheetLine.objects.raw(_LINE, [sheet.pk, criterion])), None)


def store(line: SheetLine) -> None:
    """Insert the line, or update its verdict, rationale and time."""
    values: list[Any] = [line.met, line.rationale, _prepared(line.at)]
    with connection.cursor() as cursor:
        if line.pk is None:
            cursor.execute(_ADD, [line.sheet_id, line.criterion_id, *values])
            line.pk = cursor.fetchone()[0]
        else:
            cursor.execute(_CHANGE, [*values, line.pk])


def _prepared(at: datetime) -> Any:
    return SheetLine._meta.get_field("at").get_db_prep_value(at, connection)
