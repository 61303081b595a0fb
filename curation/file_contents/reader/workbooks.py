"""Excel workbooks."""

import io
import itertools
import warnings
from collections.abc import Iterable
from datetime import date, datetime, time
from typing import Any

import openpyxl

from curation.file_contents import limits
from curation.file_contents.reader.found import Found, TextBudget
from curation.file_contents.reader.tables import as_csv


def read(data: bytes) -> Found:
    """Read every sheet of a workbook, hidden ones too, as CSV.

    A formula is read as its last result; as itself if the workbook holds none.
    """
    found = Found()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # parts that openpyxl does not know, such as slicers
        values = openpyxl.load_workbook(io.BytesIO(data), read_only=True, data_only=True)
        formulas = openpyxl.load_workbook(io.BytesIO(data), read_only=True)
    budget = TextBudget(found)
    left = limits.CELLS
    for name in values.sheetnames:
        sheet = values[name]
        if not hasattr(sheet, "iter_rows"):  # a sheet that is a chart
            found.unread_pictures += 1
            continue
        sheet.reset_dimensions()  # some programs declare fewer cells than there are
        formulas[name].reset_dimensions()
        pairs = zip(sheet.iter_rows(), formulas[name].iter_rows(), strict=False)
        rows, left = _rows(pairs, left)
        part = "sheet" if sheet.sheet_state == "visible" else "hidden_sheet"
        budget.add("table", as_csv(rows), part=part, label=name)
        if left < 0:
            found.cut["cells"] = [limits.CELLS, None]
            break
    if not found.sections:
        found.reason = "only_pictures" if found.unread_pictures else "empty"
    return found


def _rows(pairs: Iterable[tuple[Any, Any]], left: int) -> tuple[list[list[str]], int]:
    """Return the rows without empty ends, and how many cells may still be read; -1 for none."""
    rows: list[list[str]] = []
    empty = 0
    for shown, typed in pairs:
        left -= max(1, len(shown))
        if left < 0:
            break
        row = [
            _as_text(a.value if a.value is not None else b.value)
            for a, b in itertools.zip_longest(shown, typed[: len(shown)], fillvalue=_NOTHING)
        ]
        while row and not row[-1]:
            row.pop()
        if not row:
            empty += 1
            continue
        rows += [[]] * min(empty, 1) if rows else []  # a gap of any height is one empty row
        empty = 0
        rows.append(row)
    return rows, left


class _Nothing:
    value = None


_NOTHING = _Nothing()


def _as_text(value: object) -> str:
    if value is None:
        return ""
    if isinstance(value, bool):
        return "TRUE" if value else "FALSE"
    if isinstance(value, datetime):
        return value.isoformat(sep=" ").removesuffix(" 00:00:00")
    if isinstance(value, date | time):
        return value.isoformat()
    if isinstance(value, float) and value.is_integer() and abs(value) < 1e15:
        return str(int(value))
    return str(value)
