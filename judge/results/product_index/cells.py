"""Scores of versions on tasks in periods, from a CSV file."""

import csv
import io
import math
from pathlib import Path
from typing import NamedTuple

from django.utils.translation import gettext as _

from curation.base.records.faults import Faults
from curation.base.text.storable import problem_with_name

COLUMNS = ("task", "product", "version", "period", "score")
LONGEST = {"task": 200, "product": 200, "version": 80, "period": 20}
MOST_CELLS = 500_000
MOST_BYTES = 32 * 1024 * 1024


class Cell(NamedTuple):
    """The score of one version on one task in one period: 0 to 1, None if it was not measured."""

    task: str
    product: str
    version: str
    period: str
    score: float | None


def read_file(path: str | Path) -> list[Cell]:
    """Read a file of scores.

    Raises:
        FileRefused: it cannot be read, or a line has a fault; every fault is named.
    """
    faults = Faults(str(path))
    try:
        if Path(path).stat().st_size > MOST_BYTES:
            faults.add(1, "file", _too_large())
            faults.refuse()
        content = Path(path).read_bytes()
    except OSError as error:
        faults.add(1, "file", _("The file cannot be read: %(why)s.") % {"why": error.strerror})
        faults.refuse()
    return read_bytes(content, str(path))


def read_bytes(content: bytes, name: str) -> list[Cell]:
    """Read the bytes of a file of scores; see `read_file`."""
    faults = Faults(name)
    if len(content) > MOST_BYTES:
        faults.add(1, "file", _too_large())
        faults.refuse()
    try:
        text = content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = content.count(b"\n", 0, error.start) + 1
        faults.add(line, "file", _("This line is not UTF-8 text. Save the file as UTF-8."))
        faults.refuse()
    found = _rows(text, faults)
    faults.refuse()
    return found


def _too_large() -> str:
    return _("The file is larger than %(size)s MB.") % {"size": MOST_BYTES // 1024**2}


def _rows(text: str, faults: Faults) -> list[Cell]:
    reader = csv.reader(io.StringIO(text, newline=""), strict=True)
    found: list[Cell] = []
    seen: dict[tuple[str, ...], int] = {}
    try:
        head = [name.strip() for name in next(reader, [])]
        if not _is_head(head, faults):
            return []
        for row in reader:
            if not any(part.strip() for part in row):
                continue
            line = reader.line_num
            if len(row) != len(head):
                faults.add(
                    line,
                    "line",
                    _("It has %(n)s fields; the first line has %(of)s.")
                    % {"n": len(row), "of": len(head)},
                )
                continue
            values = dict(zip(head, (part.strip() for part in row), strict=True))
            cell = _cell(values, line, faults)
            if first := seen.get(cell[:4]):
                faults.add(
                    line,
                    "task",
                    _("Line %(line)s has a score of this task, version and period already.")
                    % {"line": first},
                )
            seen.setdefault(cell[:4], line)
            found.append(cell)
            if len(found) > MOST_CELLS:
                faults.add(line, "file", _("The file has more than 500,000 scores."))
                break
    except csv.Error:
        faults.add(reader.line_num, "line", _("A quotation mark is missing or out of place."))
    if not found and not faults.found:
        faults.add(1, "file", _("The file has no scores."))
    return found


def _is_head(head: list[str], faults: Faults) -> bool:
    for name in COLUMNS:
        if head.count(name) != 1:
            faults.add(
                1,
                name,
                _("The first line names this column once: %(head)s.") % {"head": ",".join(COLUMNS)},
            )
    for name in head:
        if name not in COLUMNS:
            faults.add(1, name or "–", _("There is no such column."))
    return not faults.found


def _cell(values: dict[str, str], line: int, faults: Faults) -> Cell:
    for name, limit in LONGEST.items():
        if not values[name]:
            faults.add(line, name, _("It is empty."))
        elif problem := problem_with_name(values[name], limit=limit):
            faults.add(line, name, problem)
    score: float | None = None
    if values["score"]:
        try:
            score = float(values["score"])
        except ValueError:
            score = math.nan
        if not 0 <= score <= 1:
            faults.add(
                line,
                "score",
                _("Type a number from 0 to 1, or leave it empty if it was not measured."),
            )
    return Cell(values["task"], values["product"], values["version"], values["period"], score)
