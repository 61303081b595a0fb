"""Writing a rubric as CSV or JSON lines and reading it back.

Both formats have the same five fields: `id` (the line's key), text, importance, weight,
dimension. A file that is written and read again gives the same lines, whatever their texts.
"""

import json
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from typing import Any

from curation.base.records.faults import Faults
from curation.base.records.rows import known_fields, read_rows
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
    faults = Faults("")
    rows = read_rows(
        raw,
        faults,
        columns=FIELDS,
        required=FIELDS[1:],
        encoding="",  # a person reads the lines before they are taken over
        most_bytes=MOST_BYTES,
        most_rows=MOST_LINES,
    )
    return Content(
        [FileLine(row.line, _normalised(row.values, loose=row.words)) for row in rows],
        [
            Fault(0 if one.field == "file" and one.line == 1 else one.line, one.field, one.sentence)
            for one in faults.found
        ],
    )


def from_object(
    number: int, entry: dict[str, Any], fault: Callable[[int, str, str], None]
) -> dict[str, Any]:
    """Return the fields of one JSON object; null counts as missing, an unknown name is a fault."""
    return _normalised(known_fields(number, entry, FIELDS, fault), loose=False)


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
