"""The work map as a table: one row for each work type, in CSV and Excel.

Read values are texts, as people see them in a spreadsheet; `import_table` checks them.
"""

import io
from collections.abc import Iterable, Iterator, Sequence
from datetime import date, datetime
from decimal import Decimal
from pathlib import Path
from typing import Any

from django.utils.translation import gettext as _

from curation.base.web.refusals import BadInput
from curation.base.web.tables import BrokenTableError, csv_rows
from curation.tasks.work_map.models import WorkMap, WorkType

HEAD = (
    *("domain", "category", "category_name", "category_name_zh"),
    *("work_type", "name", "name_zh", "share", "importance", "feasible", "evaluable", "simulation"),
    *("interviews", "interviewed_on", "interview_source", "retired"),
    *("market_size", "market_currency", "market_year", "market_source"),
    *("time_bins", "reverify_days"),
)
REQUIRED = ("domain", "category", "name")
LONGEST = 5_000_000  # bytes of a file
MOST_ROWS = 5_000


def rows_of(work_types: Iterable[WorkType]) -> Iterator[list[Any]]:
    """Yield the rows of a table in the order of HEAD; unknown is empty.

    Args:
        work_types: with domain, category and the domain's map selected.
    """
    for row in work_types:
        held = getattr(row.domain, "work_map", None) or WorkMap(domain=row.domain)
        yield [
            *(row.domain.key, row.category.key, row.category.name, row.category.name_zh),
            *(row.key, row.name, row.name_zh, _number(row.share), row.importance),
            *(_yes_no(row.feasible), _yes_no(row.evaluable), row.simulation),
            *(row.interviews, row.interviewed_on and row.interviewed_on.isoformat()),
            *(row.interview_source, "yes" if row.retired_at else "no"),
            *(_number(held.market_size), held.market_currency, held.market_year),
            *(held.market_source, ", ".join(map(str, held.time_bins)), held.reverify_days),
        ]


def read_table(
    path: str | Path, *, known: Sequence[str] = HEAD, required: Sequence[str] = REQUIRED
) -> list[tuple[int, dict[str, str]]]:
    """Read a CSV or Excel file; return (line, column -> text) of each row that is not empty.

    Args:
        known: the columns a file may have; by default those of a work map.
        required: the columns it must have.

    Raises:
        BadInput: the file cannot be read, is too large, or its head has other columns.
    """
    place = Path(path)
    try:
        if place.stat().st_size > LONGEST:
            raise BadInput(_("%(file)s: the file is larger than 5 MB.") % {"file": path})
        data = place.read_bytes()
    except OSError as error:
        raise BadInput(
            _("%(file)s: the file cannot be read: %(why)s.") % {"file": path, "why": error.strerror}
        ) from None
    lines = _workbook_lines(data, path) if data.startswith(b"PK") else _csv_lines(data, path)
    for cells in lines:
        while cells and not cells[-1].strip():
            cells.pop()
    head = [cell.strip() for cell in lines[0]] if lines else []
    _check_head(head, path, known, required)
    if len(lines) > MOST_ROWS:
        raise BadInput(
            _("%(file)s: the table has more than %(n)s rows.") % {"file": path, "n": MOST_ROWS}
        )
    found = []
    for number, cells in enumerate(lines[1:], start=2):
        if len(cells) > len(head):
            raise BadInput(
                _("%(file)s:%(line)s: the row has more cells than the head has columns.")
                % {"file": path, "line": number}
            )
        if any(cell.strip() for cell in cells):
            padded = [*cells, *[""] * (len(head) - len(cells))]
            found.append((number, dict(zip(head, (c.strip() for c in padded), strict=False))))
    if not found:
        raise BadInput(_("%(file)s: there is no row below the head.") % {"file": path})
    return found


def _check_head(head: list[str], path: Any, known: Sequence[str], required: Sequence[str]) -> None:
    unknown = [name for name in head if name not in known]
    missing = [name for name in required if name not in head]
    twice = sorted({name for name in head if head.count(name) > 1})
    for names, sentence in (
        (unknown, _("%(file)s:1: these columns are not known: %(names)s. Known are: %(known)s.")),
        (missing, _("%(file)s:1: these columns are missing: %(names)s.")),
        (twice, _("%(file)s:1: these columns stand there twice: %(names)s.")),
    ):
        if names:
            listed = ", ".join(f"“{name}”" for name in names)
            raise BadInput(sentence % {"file": path, "names": listed, "known": ", ".join(known)})


def _csv_lines(data: bytes, path: Any) -> list[list[str]]:
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise BadInput(
            _("%(file)s: byte %(n)s is not UTF-8 text. Save the file as CSV in UTF-8.")
            % {"file": path, "n": error.start + 1}
        ) from None
    try:
        return [row for _line, row in csv_rows(text)]
    except BrokenTableError as broken:
        facts = {"file": path, "line": broken.line, "why": broken.sentence}
        said = _("%(file)s:%(line)s: this is not a CSV table. %(why)s")
        raise BadInput(said % facts) from None


def _workbook_lines(data: bytes, path: Any) -> list[list[str]]:
    import openpyxl  # loaded on demand: it loads numpy

    try:
        book = openpyxl.load_workbook(io.BytesIO(data), read_only=True, data_only=True)
        sheet = book.worksheets[0]
        rows = [
            [_text(value) for value in row]
            for row in sheet.iter_rows(max_row=MOST_ROWS + 2, max_col=64, values_only=True)
        ]
    except Exception:  # openpyxl raises whatever the damaged part of the archive leads to
        raise BadInput(
            _("%(file)s: this workbook cannot be read. Save it again as .xlsx or CSV.")
            % {"file": path}
        ) from None
    return rows


def _text(value: Any) -> str:
    """Return a cell of a workbook as people see it."""
    if value is None:
        return ""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, datetime):
        return value.date().isoformat()
    if isinstance(value, date):
        return value.isoformat()
    if isinstance(value, float):
        return f"{Decimal(repr(value)).normalize():f}"
    return str(value)


def _number(value: Decimal | None) -> Any:
    """Return an amount as a number of the table, exactly."""
    return None if value is None else f"{value.normalize():f}"


def _yes_no(value: bool | None) -> str:
    return "" if value is None else "yes" if value else "no"
