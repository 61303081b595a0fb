"""The sheets of a workbook as rows of values. Runs in the process that reads strangers' files."""

import io
import warnings
import zipfile
from datetime import date, datetime, time
from typing import Any

import openpyxl

from curation.base.file_contents import limits


class TooLargeError(ValueError):
    """Unpacked, the workbook is larger than what is read here."""


def read(data: bytes) -> list[dict[str, Any]]:
    """Return name and rows of each visible sheet; a row has no empty cells at its end.

    Links to other files are not followed, and a formula is its last result, "" where it has none.

    Raises:
        TooLargeError: too many cells, or a file that unpacks to far more than it seems.
    """
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        if sum(part.file_size for part in archive.infolist()) > limits.SHEET_BYTES:
            raise TooLargeError
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # parts that openpyxl does not know, such as slicers
        book = openpyxl.load_workbook(
            io.BytesIO(data), read_only=True, data_only=True, keep_links=False
        )
    left = limits.SHEET_CELLS
    found = []
    for sheet in book.worksheets:
        if sheet.sheet_state != "visible":
            continue
        sheet.reset_dimensions()  # some programs declare fewer cells than there are
        rows: list[list[Any]] = []
        for cells in sheet.iter_rows(values_only=True):
            left -= max(1, len(cells))
            if left < 0:
                raise TooLargeError
            row = [_plain(value) for value in cells]
            while row and row[-1] == "":
                row.pop()
            rows.append(row)
        while rows and not rows[-1]:
            rows.pop()
        found.append({"name": sheet.title, "rows": rows})
    return found


def _plain(value: Any) -> Any:
    """Return a cell as JSON can hold it; numbers stay numbers."""
    if value is None:
        return ""
    if isinstance(value, datetime):
        return value.isoformat(sep=" ").removesuffix(" 00:00:00")
    if isinstance(value, date | time):
        return value.isoformat()
    if isinstance(value, float) and value.is_integer() and abs(value) < 1e15:
        return int(value)
    if isinstance(value, bool | int | float | str):
        return value
    return str(value)
