"""Excel workbooks in which no text is taken for a formula."""

import io
from collections.abc import Iterable, Sequence
from typing import Any

from django.http import HttpResponse

XLSX = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"


def workbook(rows: Iterable[Iterable[Any]], *, head: Sequence[str], name: str) -> bytes:
    """Return a table as an Excel workbook; no text of it is taken for a formula.

    Args:
        head: the names of the columns.
        name: of the sheet.
    """
    import openpyxl  # loaded on demand: it loads numpy
    from openpyxl.cell import WriteOnlyCell
    from openpyxl.cell.cell import ILLEGAL_CHARACTERS_RE

    book = openpyxl.Workbook(write_only=True)
    sheet = book.create_sheet(name)
    for row in (head, *rows):
        cells = []
        for value in row:
            text = isinstance(value, str)
            shown = ILLEGAL_CHARACTERS_RE.sub("\ufffd", value) if text else value
            cell = WriteOnlyCell(sheet, value=shown)
            if text:
                cell.data_type = "s"
            cells.append(cell)
        sheet.append(cells)
    out = io.BytesIO()
    book.save(out)
    return out.getvalue()


def download(
    file: str, head: Sequence[str], rows: Iterable[Iterable[Any]], *, name: str
) -> HttpResponse:
    """Return a table as a download.

    Args:
        file: the name of the file; it must not contain quotes.
        name: of the sheet.
    """
    return HttpResponse(
        workbook(rows, head=head, name=name),
        content_type=XLSX,
        headers={
            "Content-Disposition": f'attachment; filename="{file}"',
            "X-Content-Type-Options": "nosniff",
        },
    )
