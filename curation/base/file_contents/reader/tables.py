"""Tables as CSV."""

import csv
import io
from collections.abc import Iterator, Sequence

from curation.base.file_contents import limits
from curation.base.file_contents.reader.found import Found, TextBudget


def read(data: bytes) -> Found:
    """Read a CSV in UTF-8; its text stays as it is, up to the limit of cells."""
    found = Found()
    text = data.decode("utf-8-sig").replace("\r\n", "\n").replace("\r", "\n")
    lines = text.split("\n")
    cells = 0
    for number, line in enumerate(lines):
        cells += 1 + max(line.count(","), line.count(";"), line.count("\t"))
        if cells > limits.CELLS:
            found.cut["rows"] = [number, len(lines)]
            lines = lines[:number]
            break
    TextBudget(found).add("table", "\n".join(lines))
    if not found.sections:
        found.reason = "empty"
    return found


def as_csv(rows: Sequence[Sequence[str]]) -> str:
    """Return rows as CSV with commas."""
    file = io.StringIO()
    csv.writer(file, lineterminator="\n").writerows(rows)
    return file.getvalue()


def rows_of(text: str) -> Iterator[list[str]]:
    """Yield the rows of a CSV, whose cells may be separated by commas, semicolons or tabs."""
    head = text.partition("\n")[0]
    separator = max((",", ";", "\t"), key=head.count)
    yield from csv.reader(io.StringIO(text), delimiter=separator)
