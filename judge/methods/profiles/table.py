"""A table of profiles as a file: CSV, Excel or JSON lines. Without the database.

Columns are key, name, link and text; every other column of a table is a fact under its own name.
JSON lines have the facts in an object `facts`.
"""

import io
import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date, datetime
from typing import Any

from django.utils.translation import gettext as _

from curation.base.web.tables import BrokenTableError, csv_rows
from judge.base.json_lines.faults import Faults

FIELDS = ("key", "name", "link", "text")
MOST_BYTES = 20_000_000
MOST_ROWS = 20_000
MOST_FACTS = 60  # columns beside the four


@dataclass(frozen=True)
class Row:
    """A profile as a file has it, not validated; `line` is that of the file, from 1."""

    line: int
    key: Any
    name: Any
    link: Any = ""
    text: Any = ""
    facts: Mapping[str, Any] = field(default_factory=dict)

    def as_json(self) -> str:
        """Return the row as a line that `read` accepts."""
        values = {name: getattr(self, name) for name in (*FIELDS, "facts")}
        return json.dumps(values, ensure_ascii=False)


def read(data: bytes, faults: Faults) -> list[Row]:
    """Read a file, whose kind is detected; what cannot be read is added to the faults."""
    if len(data) > MOST_BYTES:
        size = MOST_BYTES // 1_000_000
        faults.add(1, "file", _("The file is larger than %(n)s MB.") % {"n": size})
        return []
    if data.startswith(b"PK\x03\x04"):
        return _from_table(_workbook(data, faults), faults)
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        faults.add(line, "file", _("From here on the file is not in UTF-8. Save it as UTF-8."))
        return []
    if "\x00" in text:
        faults.add(1, "file", _("This is not a text file: it contains NUL characters."))
        return []
    if text.lstrip()[:1] == "{":
        return _from_json(text, faults)
    return _from_table(_csv(text, faults), faults)


# --- tables -------------------------------------------------------------------------------------
def _csv(text: str, faults: Faults) -> Iterator[tuple[int, list[Any]]]:
    try:
        for number, row in csv_rows(text):
            yield number, [cell.strip() for cell in row]
    except BrokenTableError as broken:
        faults.add(broken.line, "row", broken.sentence)


def _workbook(data: bytes, faults: Faults) -> Iterator[tuple[int, list[Any]]]:
    """Yield the rows of the first sheet."""
    import openpyxl  # loaded on demand: it loads numpy

    try:
        book = openpyxl.load_workbook(io.BytesIO(data), read_only=True, data_only=True)
        sheet = book.worksheets[0]
        most = {"max_row": MOST_ROWS + 2, "max_col": len(FIELDS) + MOST_FACTS + 1}
        for number, cells in enumerate(sheet.iter_rows(values_only=True, **most), start=1):
            yield number, [_cell(value) for value in cells]
    except Exception:  # openpyxl raises whatever the damaged part of the archive leads to
        sentence = _("This workbook cannot be read. Save it again as .xlsx or CSV.")
        faults.add(1, "file", sentence)


def _cell(value: Any) -> Any:
    """Return a cell as JSON can hold it; numbers stay numbers."""
    if value is None:
        return ""
    if isinstance(value, datetime | date):
        return value.isoformat()
    if isinstance(value, float) and value.is_integer() and abs(value) < 2**53:
        return int(value)
    return value.strip() if isinstance(value, str) else value


def _from_table(rows: Iterable[tuple[int, Sequence[Any]]], faults: Faults) -> list[Row]:
    found: list[Row] = []
    head: list[str] | None = None
    for number, cells in rows:
        if not any(cell != "" for cell in cells):
            continue
        if head is None:
            head = _head(number, cells, faults)
            if faults.found:
                return []
            continue
        if len(found) == MOST_ROWS:
            _too_many(number, faults)
            return found
        if any(cell != "" for cell in cells[len(head) :]):
            sentence = _("This row has more cells than the heading has columns.")
            faults.add(number, "row", sentence)
            continue
        values = dict(zip(head, cells, strict=False))
        known = {name: str(values.pop(name, "")) for name in FIELDS}
        facts = {name: value for name, value in values.items() if name and value != ""}
        found.append(Row(number, **known, facts=facts))
    return found


def _head(number: int, cells: Sequence[Any], faults: Faults) -> list[str]:
    names = [str(cell).strip() for cell in cells]
    while names and not names[-1]:
        names.pop()
    head = [name.lower() if name.lower() in FIELDS else name for name in names]
    for name in ("key", "name"):
        if name not in head:
            faults.add(number, name, _("There is no column with this name."))
    for name in sorted({name for name in head if name and head.count(name) > 1}):
        faults.add(number, name, _("This column stands there twice."))
    if len(head) > len(FIELDS) + MOST_FACTS:
        sentence = _("There are more than %(n)s columns of facts.") % {"n": MOST_FACTS}
        faults.add(number, "row", sentence)
    return head


def _too_many(number: int, faults: Faults) -> None:
    sentence = _("A file has at most %(n)s profiles.") % {"n": f"{MOST_ROWS:,}"}
    faults.add(number, "file", sentence)


# --- JSON lines ---------------------------------------------------------------------------------
def _from_json(text: str, faults: Faults) -> list[Row]:
    found: list[Row] = []
    for number, line in enumerate(text.split("\n"), start=1):
        if not line.strip():
            continue
        if len(found) == MOST_ROWS:
            _too_many(number, faults)
            return found
        try:
            value = json.loads(line, parse_constant=_refuse)
        except (ValueError, RecursionError):
            faults.add(number, "line", _("This is not JSON."))
            continue
        if not isinstance(value, dict):
            faults.add(number, "line", _("Each line is one JSON object, {…}."))
            continue
        known = (*FIELDS, "facts")
        if unknown := [name for name in value if name not in known]:
            sentence = _("There is no such field. Available: %(names)s.")
            faults.add(number, unknown[0][:80], sentence % {"names": ", ".join(known)})
            continue
        given = {name: value[name] for name in known if value.get(name) is not None}
        given = {"key": "", "name": "", **given}
        if not isinstance(given.get("facts", {}), dict):
            faults.add(number, "facts", _("Facts are an object: a name and a value for each."))
            continue
        found.append(Row(number, **given))
    return found


def _refuse(constant: str) -> None:
    raise ValueError(f"{constant} is not JSON")
