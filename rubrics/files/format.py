"""Writing a rubric as CSV or JSON lines and reading it back.

Both formats have the same five fields: `id` (the line's key), text, importance, weight,
dimension. A file that is written and read again gives the same lines, whatever their texts.
"""

import json
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any, NoReturn

from django.utils.translation import gettext as _

from curation.base.records.files import JSON_LINES, Sheet, UnreadableTableError, read_file
from curation.base.text import storable
from curation.base.web import csv_export

FIELDS = ("id", "text", "importance", "weight", "dimension")
KINDS = {"csv": "text/csv; charset=utf-8", "jsonl": "application/x-ndjson; charset=utf-8"}
MOST_BYTES = 1_000_000
MOST_LINES = 1_000  # of a file; the rules of rubrics allow far fewer


@dataclass(frozen=True)
class Fault:
    """Why something in a file cannot be used.

    `line` is the row of the spreadsheet (the heading is row 1) or the line of the text, from 1; 0
    is the whole file.
    """

    line: int
    field: str
    sentence: str


@dataclass(frozen=True)
class FileLine:
    """One line of a file; its `values` are not validated and may be incomplete."""

    number: int
    values: dict[str, Any]


@dataclass
class Content:
    """The lines of a file and the faults of its format."""

    lines: list[FileLine] = field(default_factory=list)
    faults: list[Fault] = field(default_factory=list)

    def fault(self, line: int, name: str, sentence: str) -> None:
        self.faults.append(Fault(line, name, sentence))


class _RefusedError(ValueError):
    """JSON that Python accepts and we refuse."""


# --- writing -------------------------------------------------------------------------------------
def as_values(line: Any) -> dict[str, Any]:
    """Return a line of a rubric under the file's field names."""
    return {
        "id": line.key,
        "text": line.text,
        "importance": line.importance,
        "weight": line.weight,
        "dimension": line.dimension,
    }


def write(lines: Iterable[Any], kind: str) -> str:
    """Return the lines of a rubric as a file. `kind` is csv or jsonl."""
    rows = [as_values(line) for line in lines]
    if kind == "csv":
        return "".join(csv_export.lines(FIELDS, [list(row.values()) for row in rows]))
    return "".join(f"{json.dumps(row, ensure_ascii=False)}\n" for row in rows)


def as_json(lines: Iterable[FileLine]) -> Iterator[str]:
    """Yield lines of a file as one JSON object each, which `read` accepts."""
    for line in lines:
        yield json.dumps(line.values, ensure_ascii=False)


# --- reading -------------------------------------------------------------------------------------
def read(raw: bytes) -> Content:
    """Read every line of a file and every fault of its format, which is detected.

    CSV in the encodings of spreadsheets with commas, semicolons or tabs, the first sheet of a
    workbook, and JSON lines are accepted; so are a byte order mark and empty lines.
    """
    found = Content()
    if len(raw) > MOST_BYTES:
        found.fault(
            0,
            "file",
            _("The file is larger than 1 MB. A rubric is far smaller: send its lines alone."),
        )
        return found
    try:
        file = read_file(raw) if raw.strip() else None
    except UnreadableTableError as problem:
        found.fault(problem.row, "row" if problem.row else "file", problem.sentence)
        return found
    if file is None:
        found.fault(0, "file", _("There is no line in this file."))
    elif file.shape == JSON_LINES:
        _read_json(file.text, found)
    else:
        _read_table(file.sheets[0], found)
    if not found.lines and not found.faults:
        found.fault(0, "file", _("There is no line in this file."))
    return found


def _read_table(sheet: Sheet, found: Content) -> None:
    number, head = sheet.rows[0]
    columns = _columns(number, [str(cell) for cell in head], found)
    if found.faults:
        return
    for number, row in sheet.rows[1:]:
        if _too_many(number, found):
            return
        cells = [str(cell) for cell in row]
        if any(cell.strip() for cell in cells[len(columns) :]):
            found.fault(number, "row", _("This row has more cells than the heading has columns."))
            continue
        values: dict[str, Any] = {n: cell for n, cell in zip(columns, cells, strict=False) if n}
        found.lines.append(FileLine(number, _normalised(values, loose=True)))


def _columns(number: int, head: Sequence[str], found: Content) -> list[str]:
    """Return the field of each column; empty for a column without a heading."""
    columns = [cell.strip().casefold() for cell in head]
    for n, name in enumerate(columns):
        if name and name not in FIELDS:
            found.fault(
                number,
                name[:40],
                _("There is no such column. Available: %(names)s.") % {"names": ", ".join(FIELDS)},
            )
        elif name and name in columns[:n]:
            found.fault(number, name, _("This column occurs twice."))
    for name in FIELDS[1:]:
        if name not in columns:
            found.fault(max(number, 1), name, _("This column is missing."))
    return columns


def _read_json(body: str, found: Content) -> None:
    for number, line in enumerate(body.split("\n"), start=1):
        if not line.strip():
            continue
        if _too_many(number, found):
            return
        try:
            entry = json.loads(line, object_pairs_hook=_unique_names, parse_constant=_no_constant)
        except _RefusedError as refusal:
            found.fault(number, "line", str(refusal))
            continue
        except (ValueError, RecursionError):
            found.fault(number, "line", _("This is not one JSON object on one line."))
            continue
        if isinstance(entry, dict):
            found.lines.append(FileLine(number, from_object(number, entry, found.fault)))
        else:
            found.fault(number, "line", _("Each line is one JSON object, {…}."))


def from_object(
    number: int, entry: dict[str, Any], fault: Callable[[int, str, str], None]
) -> dict[str, Any]:
    """Return the fields of one JSON object; null counts as missing, an unknown name is a fault."""
    for name in entry:
        if name not in FIELDS:
            fault(
                number,
                "".join(c if c.isprintable() else "?" for c in name)[:40],
                _("There is no such field. Available: %(names)s.") % {"names": ", ".join(FIELDS)},
            )
    return _normalised(
        {k: v for k, v in entry.items() if k in FIELDS and v is not None}, loose=False
    )


def _too_many(number: int, found: Content) -> bool:
    if len(found.lines) < MOST_LINES:
        return False
    found.fault(
        number,
        "file",
        _("The file has more than %(n)s lines. Nothing after that was read.")
        % {"n": f"{MOST_LINES:,}"},
    )
    return True


def _normalised(values: dict[str, Any], *, loose: bool) -> dict[str, Any]:
    """Normalise unambiguous values; the rest is left for validation.

    Args:
        loose: for tables, whose cells are texts here: a weight in digits becomes an int, and empty
            cells are missing.
    """
    tidy = dict(values)
    if isinstance(tidy.get("text"), str):
        tidy["text"] = storable.clean(tidy["text"])
    for name in ("importance", "dimension"):
        if isinstance(tidy.get(name), str):
            tidy[name] = tidy[name].strip().casefold().replace(" ", "_")
    if loose:
        tidy["id"] = tidy.get("id", "").strip()
        weight = tidy.get("weight", "").strip()
        if weight.isascii() and weight.isdigit() and len(weight) < 4:
            tidy["weight"] = int(weight)
        tidy = {name: value for name, value in tidy.items() if value != ""}
    return tidy


def _unique_names(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) < len(pairs):
        raise _RefusedError(_("A name occurs twice in this line."))
    return found


def _no_constant(name: str) -> NoReturn:
    raise _RefusedError(_("%(name)s is not a number that can be stored.") % {"name": name})
