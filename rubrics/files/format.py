"""Writing a rubric as CSV or JSON lines and reading it back. Without the database.

Both formats have the same five fields: `id` (the line's key), text, importance, weight,
dimension. A file that is written and read again gives the same lines, whatever their texts.
"""

import csv
import io
import json
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any, NoReturn

from django.utils.translation import gettext as _

from curation.text import storable
from curation.web import csv_export

FIELDS = ("id", "text", "importance", "weight", "dimension")
KINDS = {"csv": "text/csv; charset=utf-8", "jsonl": "application/x-ndjson; charset=utf-8"}
MOST_BYTES = 1_000_000
MOST_LINES = 1_000  # of a file; the rules of rubrics allow far fewer
_BINARY = (b"PK\x03\x04", b"\xd0\xcf\x11\xe0", b"%PDF", b"\x89PNG", b"\xff\xd8\xff", b"\x1f\x8b")


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

    A byte order mark, empty lines, and semicolons or tabs as separators are accepted.
    """
    found = Content()
    body = _decoded(raw, found)
    if body is None:
        return found
    if not body.strip():
        found.fault(0, "file", _("There is no line in this file."))
    elif body.lstrip()[:1] in ("{", "["):
        _read_json(body, found)
    else:
        _read_csv(body, found)
    if not found.lines and not found.faults:
        found.fault(0, "file", _("There is no line in this file."))
    return found


def _decoded(raw: bytes, found: Content) -> str | None:
    """Return the file's text; None, with a fault added, if it is no text file."""
    if len(raw) > MOST_BYTES:
        found.fault(
            0,
            "file",
            _("The file is larger than 1 MB. A rubric is far smaller: send its lines alone."),
        )
    elif raw.startswith(_BINARY):
        found.fault(
            0,
            "file",
            _(
                "This is a workbook, a document or an archive, not a text file. In your "
                "spreadsheet, save the table as “CSV UTF-8” and choose that file."
            ),
        )
    elif raw.startswith((b"\xff\xfe", b"\xfe\xff")):
        found.fault(0, "file", _("The file is in UTF-16. Save it as “CSV UTF-8”."))
    else:
        try:
            body = raw.decode("utf-8-sig")
        except UnicodeDecodeError as problem:
            line = raw.count(b"\n", 0, problem.start) + 1
            found.fault(
                line,
                "file",
                _("From here on the file is not in UTF-8. Save it as “CSV UTF-8”."),
            )
            return None
        if "\x00" in body:
            found.fault(0, "file", _("This is not a text file: it contains NUL characters."))
            return None
        return body
    return None


def _read_csv(body: str, found: Content) -> None:
    rows = _rows(body, found)
    number, head = next(((n, row) for n, row in rows if any(row)), (0, []))
    columns = _columns(number, head, found)
    if found.faults:
        return
    for number, row in rows:
        if not any(cell.strip() for cell in row):
            continue
        if _too_many(number, found):
            return
        if any(cell.strip() for cell in row[len(columns) :]):
            found.fault(number, "row", _("This row has more cells than the heading has columns."))
            continue
        values: dict[str, Any] = {}
        for name, cell in zip(columns, row, strict=False):
            if name:
                values[name] = csv_export.plain(cell)
        found.lines.append(FileLine(number, _normalised(values, loose=True)))


def _rows(body: str, found: Content) -> Iterator[tuple[int, list[str]]]:
    """Yield the rows with the number a spreadsheet shows."""
    reader = csv.reader(io.StringIO(body, newline=""), delimiter=_separator(body), strict=True)
    number = 0
    while True:
        number += 1
        try:
            row = next(reader)
        except StopIteration:
            return
        except csv.Error:
            found.fault(
                number,
                "row",
                _(
                    "The quotation marks of this row do not match, so the rest of the file "
                    "cannot be read."
                ),
            )
            return
        yield number, row


def _separator(body: str) -> str:
    """Return the separator that gives the most known names in the heading."""
    head = body.lstrip("\r\n").split("\n", 1)[0]

    def known(mark: str) -> int:
        return sum(cell.strip().strip('"').casefold() in FIELDS for cell in head.split(mark))

    return max((",", ";", "\t"), key=known)


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
        loose: for CSV, whose cells are texts: a weight in digits becomes an int, and empty cells
            are missing.
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
