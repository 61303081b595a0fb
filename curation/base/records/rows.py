"""The rows of a file in any format as records: CSV, a workbook's first sheet, or JSON lines.

What the rows mean is left to their kind (`kind.py`).
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from datetime import date
from decimal import Decimal, InvalidOperation
from pathlib import Path
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from curation.base.records import json_lines
from curation.base.records.faults import Faults
from curation.base.records.files import (
    JSON_LINES,
    UTF_8,
    NotInEncodingError,
    Sheet,
    UnreadableTableError,
    read_file,
)
from curation.base.records.json_lines import Record, as_path
from curation.base.text import storable
from curation.base.web.fields import FIRST, LAST

KEY_WANTED = gettext_lazy("A key has letters, digits and hyphens, in lower case.")
_YES_NO = {"": None, "yes": True, "no": False, "true": True, "false": False, "1": True, "0": False}


def read_rows(
    source: str | Path | bytes,
    faults: Faults,
    *,
    columns: Sequence[str],
    required: Sequence[str] = (),
    others: str = "",
    tables_only: bool = False,
    encoding: str = UTF_8,
    most_bytes: int = 5_000_000,
    most_rows: int = 5_000,
) -> list[Record]:
    """Read the rows of a file; whatever cannot be read is added to the faults.

    Cells that are empty and fields that are null are left out.

    Args:
        source: the path of the file, or its content.
        columns: the fields a row may have.
        required: the columns a table must have.
        others: the field that holds all other columns of a table by their heads; "" for none.
        tables_only: whether JSON lines are refused, for kinds whose values are texts.
        encoding: of the file; "" to guess it. A guess takes one damaged byte for another encoding,
            and stores every accent wrong.
    """
    data = source if isinstance(source, bytes) else _content(source, faults)
    if len(data) > most_bytes:
        size = most_bytes // 1_000_000
        faults.add(1, "file", _("The file is larger than %(n)s MB.") % {"n": size})
        return []
    try:
        file = read_file(data, encoding=encoding) if data.strip() else None
    except UnreadableTableError as problem:
        if encoding and isinstance(problem, NotInEncodingError):
            line = _line_that_is_no_text(data)
            faults.add(line, "line", _("This line is not UTF-8 text. Save the file as UTF-8."))
            return []
        name = "row" if problem.row else "file"
        faults.add(problem.row or 1, name, problem.sentence)
        return []
    if file is None:
        rows: Iterable[Record] = ()
    elif file.shape == JSON_LINES and tables_only:
        faults.add(1, "file", _("This is no table. Choose a CSV or Excel file."))
        return []
    elif file.shape == JSON_LINES:
        rows = _objects(file.text, faults, columns)
    else:
        rows = _cells(file.sheets[0], faults, columns, required, others)
    found = list(_at_most(most_rows, rows, faults))
    if not found and not faults.found:
        faults.add(1, "file", _("There is no line in this file."))
    return found


def _content(path: str | Path, faults: Faults) -> bytes:
    try:
        return Path(path).read_bytes()
    except OSError as error:
        faults.add(1, "file", _("The file cannot be read: %(why)s.") % {"why": error.strerror})
        faults.refuse()
        return b""


def _line_that_is_no_text(data: bytes) -> int:
    try:
        data.decode()
        start = data.find(b"\x00")
    except UnicodeDecodeError as error:
        start = error.start
    return data.count(b"\n", 0, start) + 1


def _at_most(most: int, rows: Iterable[Record], faults: Faults) -> Iterator[Record]:
    for count, row in enumerate(rows):
        if count == most:
            sentence = _("The file has more than %(n)s lines. Nothing after that was read.")
            faults.add(row.line, "file", sentence % {"n": f"{most:,}"})
            return
        yield row


def _objects(text: str, faults: Faults, columns: Sequence[str]) -> Iterator[Record]:
    for number, line in enumerate(text.split("\n"), start=1):
        if line.strip():
            given = json_lines.object_on(number, line, faults)
            if given is not None:
                yield Record(number, known_fields(number, given, columns, faults.add))


def known_fields(
    number: int, given: dict[str, Any], columns: Sequence[str], fault: Callable[..., None]
) -> dict[str, Any]:
    """Return the fields of an object that are known and not null; each unknown one is a fault."""
    for name in given:
        if name not in columns:
            sentence = _("There is no such field. Available: %(names)s.")
            fault(number, as_path(name), sentence % {"names": ", ".join(columns)})
    return {name: given[name] for name in columns if given.get(name) is not None}


def _cells(
    sheet: Sheet, faults: Faults, columns: Sequence[str], required: Sequence[str], others: str
) -> Iterator[Record]:
    number, cells = sheet.rows[0]
    own = [name for name in columns if name != others]
    folded = {name: name.casefold() for name in sheet.head}
    head = [folded[name] if folded[name] in own else name for name in sheet.head]
    while head and not head[-1]:
        head.pop()
    for name in dict.fromkeys(head):
        if name and not others and name not in columns:
            sentence = _("There is no such column. Available: %(names)s.")
            faults.add(number, as_path(name), sentence % {"names": ", ".join(columns)})
        elif name and head.count(name) > 1:
            faults.add(number, as_path(name), _("This column stands there twice."))
    for name in required:
        if name not in head:
            faults.add(number, name, _("There is no column with this name."))
    for place, name in enumerate(head):
        if not name and any(words(cell) for _n, row in sheet.rows for cell in row[place:][:1]):
            sentence = _("Column %(n)s has cells and no name.") % {"n": place + 1}
            faults.add(number, "row", sentence)
    if faults.found:
        return
    for number, cells in sheet.rows[1:]:
        if any(words(cell) for cell in cells[len(head) :]):
            sentence = _("This row has more cells than the heading has columns.")
            faults.add(number, "row", sentence)
            continue
        padded = [*cells, *[""] * (len(head) - len(cells))]
        row = dict(zip(head, padded, strict=False))
        values: dict[str, Any] = {n: words(row[n]) for n in own if n in row}
        if others:
            values[others] = {
                name: cell.strip() if isinstance(cell, str) else cell
                for name, cell in row.items()
                if name and name not in own and words(cell)
            }
        yield Record(number, values, words=True)


def words(cell: Any) -> str:
    """Return a cell as people see it."""
    if isinstance(cell, bool):
        return "yes" if cell else "no"
    if isinstance(cell, float):
        return f"{Decimal(repr(cell)).normalize():f}"
    return "" if cell is None else str(cell).strip()


def yes_no(record: Record, name: str, faults: Faults) -> bool | None:
    """Return a cell that says yes or no; None for an empty one, and for a fault."""
    typed = words(record.get(name)).lower()
    if typed not in _YES_NO:
        faults.add(record.line, name, _("Write yes or no, or leave it empty."))
    return _YES_NO.get(typed)


def amount(record: Record, name: str, faults: Faults) -> Decimal | None:
    """Return a cell that is a number; None for an empty one, and for a fault."""
    typed = words(record.get(name))
    try:
        found = Decimal(typed) if typed else None
    except InvalidOperation:
        found = Decimal("nan")
    if found is not None and not found.is_finite():
        faults.add(record.line, name, _("“%s” is no number.") % typed[:40])
        return None
    return found


def whole_number(record: Record, name: str, faults: Faults) -> int | None:
    """Return a cell that is a whole number; None for an empty one, and for a fault."""
    typed = words(record.get(name))
    found = storable.whole_number(typed, digits=9) if typed else None
    if typed and found is None:
        faults.add(record.line, name, _("“%s” is no whole number.") % typed[:40])
    return found


def day(record: Record, name: str, faults: Faults) -> date | None:
    """Return a cell that is a day; None for an empty one, and for a fault."""
    typed = words(record.get(name))
    try:
        found = date.fromisoformat(typed) if typed else None
    except ValueError:
        found = date.min
    if found is not None and not FIRST <= found <= LAST:
        faults.add(record.line, name, _("Write the day as 2026-11-25."))
        return None
    return found
