"""A table as the JSON lines that the commands read, and where in the table each value stands.

Line N of the JSON lines is row N of the main sheet, so that a fault's line is the row.
"""

import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, TextIO

from django.utils.translation import gettext as _

from curation.base.records.files import Sheet
from curation.base.records.json_lines import as_path, quoted
from judge.gold.transfer import import_values as values
from judge.gold.transfer.import_fields import MAPPED_VALUES, RUBRIC_TABLE, Field, by_key, fields_of
from judge.gold.transfer.import_mapping import ColumnMapping

_PART = re.compile(r"(rubric\[\d+\])(?:\.(.+))?|(?:scores|rationales)\.(.+)")
_LINE_FIELDS = {"text", "importance", "weight", "dimension", "id"}


@dataclass(frozen=True)
class Place:
    """Where a value stands: the sheet, the row as a spreadsheet numbers it, the column or None."""

    sheet: str
    row: int
    column: int | None
    key: str  # of the field


@dataclass(frozen=True)
class Odd:
    """Something in the table that no JSON line can hold."""

    place: Place
    sentence: str


@dataclass
class Converted:
    """The records of a table by the rows on which they begin.

    Attributes:
        parts: (row of the record, part) -> (whether it is in the rubric sheet, its row).
    """

    sheets: list[Sheet]
    mapping: ColumnMapping
    records: dict[int, dict[str, Any]] = field(default_factory=dict)
    parts: dict[tuple[int, str], tuple[bool, int]] = field(default_factory=dict)
    odd: list[Odd] = field(default_factory=list)

    def write(self, file: TextIO) -> None:
        """Write the records as JSON lines, each on the line with the number of its row."""
        at = 1
        for row, record in self.records.items():
            file.write("\n" * (row - at))
            file.write(json.dumps(record, ensure_ascii=False) + "\n")
            at = row + 1

    def place(self, row: int, path: str) -> Place:
        """Return where the value with this path, of the record of this row, stands."""
        found = _PART.fullmatch(path)
        if not found:
            key = re.split(r"[.\[]", path)[0]
            return self._at(row, key, in_rubric=False)
        part = found[1] or found[3]
        in_rubric, part_row = self.parts.get((row, part), (False, row))
        if found[1] and found[2] in _LINE_FIELDS:
            key = f"rubric.{found[2]}"
        else:
            key = "rubric" if found[1] else "score" if path.startswith("scores") else "rationale"
        return self._at(part_row, key, in_rubric=in_rubric)

    def _at(self, row: int, key: str, *, in_rubric: bool) -> Place:
        sheet = self.mapping.rubric if in_rubric else self.mapping.main
        column = self.mapping.column_of(key, in_rubric=in_rubric)
        return Place(self.sheets[sheet or 0].name, row, column, key)

    def note(self, row: int, key: str, sentence: str, *, in_rubric: bool = False) -> None:
        self.odd.append(Odd(self._at(row, key, in_rubric=in_rubric), sentence))


def convert(
    kind: str,
    sheets: list[Sheet],
    mapping: ColumnMapping,
    *,
    separator: str,
    domains: Mapping[str, Any],
) -> Converted:
    """Return the records of a table.

    Args:
        separator: of a CSV; with semicolons a comma is the decimal sign.
        domains: as in `values.names_of`.
    """
    made = Converted(sheets, mapping)
    read = _Reader(mapping, comma=separator == ";", domains=domains)
    fields = by_key(fields_of(kind))
    group = _Grouped(made, "scores" if "score" in fields else "rubric")
    for row, given in read.rows(sheets[mapping.main], mapping.columns, fields):
        filled = {k: v for k, v in mapping.fixed.items() if v and k not in given}
        group.add(row, {**given, **filled})
    if mapping.rubric is not None:
        _add_rubrics(made, read)
    return made


class _Reader:
    """Reads the rows of a sheet as values."""

    def __init__(self, mapping: ColumnMapping, *, comma: bool, domains: Mapping[str, Any]) -> None:
        self.mapping, self.comma = mapping, comma
        self.names = {key: values.names_of(key, domains) for key in MAPPED_VALUES}

    def rows(
        self, sheet: Sheet, columns: Mapping[int, str], fields: Mapping[str, Field]
    ) -> Iterator[tuple[int, dict[str, Any]]]:
        """Yield number and values of each row below the head; empty cells are missing."""
        wanted = [(at, fields[key]) for at, key in columns.items() if key in fields]
        for number, cells in sheet.rows[1:]:
            given = {}
            for at, one in wanted:
                cell = cells[at] if at < len(cells) else ""
                if cell == "" or (isinstance(cell, str) and not cell.strip()):
                    continue
                given[one.key] = self._value(one, cell)
            if given:
                yield number, given

    def _value(self, one: Field, cell: Any) -> Any:
        if one.key in MAPPED_VALUES:
            return self.choice(one.key, str(cell).strip())
        value = values.read_cell(cell, one.form, decimal_comma=self.comma)
        if one.key == "rubric" and isinstance(value, list):
            return [self._line(line) for line in value]
        return value

    def choice(self, key: str, words: str) -> str:
        """Return the value that a cell stands for: as staff chose, else by its usual names."""
        chosen = self.mapping.values.get(key, {})
        if words in chosen:
            return chosen[words] or words
        return self.names[key].get(values.folded(words), words)

    def _line(self, line: Any) -> Any:
        if not isinstance(line, dict):
            return line
        mapped = {
            name: self.choice(f"rubric.{name}", line[name])
            for name in ("importance", "dimension")
            if isinstance(line.get(name), str)
        }
        return {**line, **mapped}


class _Grouped:
    """Puts the rows of the main sheet together to records.

    A row that has only the next line of a rubric, or a score of another line of the same sheet,
    belongs to the record before it, or to the one with the same id.
    """

    def __init__(self, made: Converted, part: str) -> None:
        self.made, self.part = made, part
        self.first: dict[Any, int] = {}  # id -> row of the record
        self.last: int | None = None

    def add(self, row: int, given: dict[str, Any]) -> None:
        if not self.made.mapping.has_lines_in_rows:
            self.made.records[row] = given
        elif self.part == "rubric":
            self._line(row, given)
        else:
            self._score(row, given)

    def _line(self, row: int, given: dict[str, Any]) -> None:
        line = {k.removeprefix("rubric."): v for k, v in given.items() if k.startswith("rubric.")}
        rest = {k: v for k, v in given.items() if not k.startswith("rubric.")}
        of = self.last if line and "id" not in rest else self.first.get(rest.get("id"))
        if of is None or not line:
            of = row
            self.made.records[row] = rest
            if "id" in rest:
                self.first.setdefault(rest["id"], row)
        else:
            self._same(row, rest, of)
        self.last = of
        if line:
            lines = self.made.records[of].setdefault("rubric", [])
            if isinstance(lines, list):
                lines.append(line)
                self.made.parts[of, f"rubric[{len(lines)}]"] = (False, row)

    def _score(self, row: int, given: dict[str, Any]) -> None:
        rest = {k: v for k, v in given.items() if k not in ("criterion", "score", "rationale")}
        criterion = given.get("criterion")
        if criterion is None:
            self.made.records[row] = given
            return
        sheet = (given.get("response"), given.get("rater"))
        of = self.first.setdefault(sheet, row)
        if of == row:
            self.made.records[row] = rest
        else:
            self._same(row, rest, of)
        scores = self.made.records[of].setdefault("scores", {})
        if criterion in scores:
            sentence = _("%(id)s has a score on row %(n)s already.")
            n = self.made.parts[of, as_path(criterion)][1]
            self.made.note(row, "criterion", sentence % {"id": quoted(criterion), "n": n})
            return
        scores[criterion] = values.met(given.get("score", ""))
        self.made.parts[of, as_path(criterion)] = (False, row)
        if "rationale" in given:
            self.made.records[of].setdefault("rationales", {})[criterion] = given["rationale"]

    def _same(self, row: int, rest: Mapping[str, Any], of: int) -> None:
        """Note where a further row says something else than the first one of its record."""
        first = self.made.records[of]
        for key, value in rest.items():
            if key not in first:
                first[key] = value
            elif first[key] != value:
                sentence = _("Row %(n)s, the first with this id, says %(value)s here.")
                self.made.note(row, key, sentence % {"n": of, "value": quoted(first[key])})


def _add_rubrics(made: Converted, read: _Reader) -> None:
    """Add the lines of the second sheet to the rubrics of their tasks."""
    mapping = made.mapping
    rows: dict[Any, int] = {}
    for row, record in made.records.items():
        rows.setdefault(record.get("id"), row)
    sheet = made.sheets[mapping.rubric or 0]
    task: Any = None
    for row, given in read.rows(sheet, mapping.rubric_columns, by_key(RUBRIC_TABLE)):
        task = given.pop("task", task)  # an empty cell is that of the row above
        of = rows.get(task)
        if task is None or of is None:
            sentence = _("There is no task %(id)s in the table of tasks.") % {"id": quoted(task)}
            made.note(row, "task", sentence, in_rubric=True)
            continue
        lines = made.records[of].setdefault("rubric", [])
        if isinstance(lines, list):
            lines.append({key.removeprefix("rubric."): value for key, value in given.items()})
            made.parts[of, f"rubric[{len(lines)}]"] = (True, row)
