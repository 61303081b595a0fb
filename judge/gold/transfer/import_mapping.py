"""What a table holds, and which column of it is which field, as guessed and corrected by staff."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from typing import Any

from django.conf import settings
from django.utils import translation

from curation.base.records.files import Sheet
from curation.joining.domains.models import Domain
from judge.gold.transfer import import_values as values
from judge.gold.transfer.import_fields import (
    KINDS,
    MAPPED_VALUES,
    RUBRIC_TABLE,
    Field,
    by_key,
    fields_of,
)
from judge.gold.transfer.import_models import DataImport

Outline = Sequence[Mapping[str, Any]]


@dataclass(frozen=True)
class ColumnMapping:
    """What staff say of a table.

    Attributes:
        main: which sheet has the tasks, responses or scores.
        rubric: which sheet has the lines of the rubrics; None for none.
        columns, rubric_columns: column of the sheet -> key of the field.
        fixed: field -> its value in every row.
        values: field -> cell -> value; "" leaves the cell as it is.
    """

    main: int = 0
    rubric: int | None = None
    columns: Mapping[int, str] = field(default_factory=dict)
    rubric_columns: Mapping[int, str] = field(default_factory=dict)
    fixed: Mapping[str, str] = field(default_factory=dict)
    values: Mapping[str, Mapping[str, str]] = field(default_factory=dict)

    def as_json(self) -> dict[str, Any]:
        return asdict(self)

    @classmethod
    def of(cls, stored: Mapping[str, Any]) -> "ColumnMapping":
        """Return what `as_json` wrote; JSON turned the numbers of columns into texts."""
        columns = {int(at): key for at, key in stored["columns"].items()}
        rubric_columns = {int(at): key for at, key in stored["rubric_columns"].items()}
        return cls(**{**stored, "columns": columns, "rubric_columns": rubric_columns})

    def column_of(self, key: str, *, in_rubric: bool = False) -> int | None:
        """Return the column of a field; None if no column is it."""
        columns = self.rubric_columns if in_rubric else self.columns
        return next((at for at, name in columns.items() if name == key), None)

    @property
    def has_lines_in_rows(self) -> bool:
        """Whether a row of the main sheet is a line of a rubric, or of a sheet of scores."""
        keys = set(self.columns.values())
        return "criterion" in keys or any(key.startswith("rubric.") for key in keys)


def guess(row: DataImport, *, main: int | None = None, rubric: int | None = None) -> ColumnMapping:
    """Return the most likely mapping of an upload.

    Args:
        main, rubric: the sheets, where staff chose them; -1 for no sheet of rubrics.
    """
    fields, outline = fields_of(row.kind), row.outline
    found = [_columns(sheet, fields) for sheet in outline]
    rubrics: list[dict[int, str]] = [{} for _sheet in outline]
    if KINDS[row.kind].tasks and len(outline) > 1:
        rubrics = [_columns(sheet, RUBRIC_TABLE, bare=True) for sheet in outline]
    lines = [
        n for n, columns in enumerate(rubrics) if {"task", "rubric.text"} <= {*columns.values()}
    ]
    needed = {one.key for one in fields if one.needed}
    if main is None:
        main = max(
            range(len(outline)),
            key=lambda n: (len(needed & {*found[n].values()}), len(found[n]), -n),
            default=0,
        )
    if rubric is None:
        rubric = next((n for n in reversed(lines) if n != main), None)
    elif rubric < 0 or rubric == main:
        rubric = None
    columns = dict(found[main]) if outline else {}
    if rubric is not None:
        columns = {at: key for at, key in columns.items() if not key.startswith("rubric")}
    return ColumnMapping(
        main=main,
        rubric=rubric,
        columns=columns,
        rubric_columns=rubrics[rubric] if rubric is not None else {},
    )


def _columns(
    sheet: Mapping[str, Any], fields: Iterable[Field], *, bare: bool = False
) -> dict[int, str]:
    """Return column -> field by the heads of a sheet; each field once, at its best head.

    Args:
        bare: whether "text" means the field `rubric.text`.
    """
    ranked: list[dict[str, str]] = [{}, {}, {}]  # by key, by label, by other names
    for one in fields:
        ranked[0].setdefault(values.folded(one.key), one.key)
        if bare:
            ranked[0].setdefault(values.folded(one.key.removeprefix("rubric.")), one.key)
        for code, _name in settings.LANGUAGES:
            with translation.override(code):
                ranked[1].setdefault(values.folded(one.label), one.key)
        for name in one.names:
            ranked[2].setdefault(values.folded(name), one.key)
    heads = [values.folded(column["head"]) for column in sheet["columns"]]
    found: dict[int, str] = {}
    for names in ranked:
        for at, head in enumerate(heads):
            key = names.get(head)
            if key and at not in found and key not in found.values():
                found[at] = key
    return dict(sorted(found.items()))


def missing(row: DataImport, mapping: ColumnMapping) -> list[Field]:
    """Return the needed fields that neither a column nor a fixed value gives."""
    there = {*mapping.columns.values(), *(key for key, value in mapping.fixed.items() if value)}
    lacking = [one for one in fields_of(row.kind) if one.needed and one.key not in there]
    if mapping.rubric is not None:
        lines = set(mapping.rubric_columns.values())
        lacking += [one for one in RUBRIC_TABLE if one.needed and one.key not in lines]
    return lacking


def domains_of(kind: str) -> dict[str, list[str]]:
    """Return key -> names of the domains that tasks of this kind can name."""
    rows = Domain.objects.order_by("position", "pk")
    if kind == DataImport.Kind.DRAFTS:
        rows = rows.filter(external=False)
    return {row.key: [name for name in (row.name, row.name_zh) if name] for row in rows}


@dataclass(frozen=True)
class Unmapped:
    """A value of a column that is none of the field's, and what it is taken for."""

    field: Field
    value: str
    guessed: str


def foreign_values(
    row: DataImport, mapping: ColumnMapping, domains: Mapping[str, Iterable[str]]
) -> list[Unmapped]:
    """Return the values that people have to be asked about: those that are no value themselves."""
    found = []
    fields = by_key((*fields_of(row.kind), *RUBRIC_TABLE))
    for key in MAPPED_VALUES:
        known = values.names_of(key, domains)
        plain = {values.folded(value) for value in values.targets(key, domains)}
        for value in _values_of(row.outline, mapping, key):
            if values.folded(value) not in plain:
                chosen = mapping.values.get(key, {}).get(value)
                guessed = known.get(values.folded(value), "") if chosen is None else chosen
                found.append(Unmapped(fields[key], value, guessed))
    return found


def _values_of(outline: Outline, mapping: ColumnMapping, key: str) -> list[str]:
    at, sheet = mapping.column_of(key), mapping.main
    if mapping.rubric is not None and key.startswith("rubric."):
        at, sheet = mapping.column_of(key, in_rubric=True), mapping.rubric
    columns = outline[sheet]["columns"]
    return list(columns[at]["values"] or ()) if at is not None and at < len(columns) else []


# --- by the names of columns ----------------------------------------------------------------------
def by_heads(row: DataImport, mapping: ColumnMapping) -> dict[str, Any]:
    """Return a mapping as it can be used for another file: with heads instead of numbers."""

    def named(columns: Mapping[int, str], sheet: int) -> dict[str, str]:
        heads = [column["head"] for column in row.outline[sheet]["columns"]]
        return {heads[at]: key for at, key in columns.items() if at < len(heads) and heads[at]}

    return {
        "columns": named(mapping.columns, mapping.main),
        "rubric_columns": named(mapping.rubric_columns, mapping.rubric or 0),
        "fixed": dict(mapping.fixed),
        "values": {key: dict(chosen) for key, chosen in mapping.values.items()},
    }


def from_heads(row: DataImport, heads: Mapping[str, Any]) -> ColumnMapping:
    """Return a kept mapping for this file; columns that the file lacks are left out."""
    start = guess(row)
    mapping = replace(
        start,
        columns=_numbered(row.outline[start.main], heads["columns"]),
        fixed=heads["fixed"],
        values=heads["values"],
    )
    if start.rubric is None:
        return mapping
    lines = _numbered(row.outline[start.rubric], heads["rubric_columns"])
    return replace(mapping, rubric_columns=lines or start.rubric_columns)


def _numbered(sheet: Mapping[str, Any], heads: Mapping[str, str]) -> dict[int, str]:
    found: dict[int, str] = {}
    for at, column in enumerate(sheet["columns"]):
        key = heads.get(column["head"])
        if key and key not in found.values():
            found[at] = key
    return found


# --- what is known of a table without reading it again -------------------------------------------
MOST_COLUMNS = 200
MOST_VALUES = 40  # of a column; one with more is no list of choices
_LONGEST_VALUE = 80
_SAMPLES, _LONGEST_SAMPLE = 3, 120


def outline_of(sheets: Iterable[Sheet]) -> list[dict[str, Any]]:
    """Return for each sheet its name, its number of rows without the head, and its columns.

    A column has its head, up to three samples, and its distinct values where these are few.
    """
    return [
        {
            "name": sheet.name,
            "rows": max(0, len(sheet.rows) - 1),
            "columns": [_column(sheet, n) for n in range(min(_width(sheet), MOST_COLUMNS))],
        }
        for sheet in sheets
    ]


def _width(sheet: Sheet) -> int:
    return max((len(cells) for _number, cells in sheet.rows), default=0)


def _column(sheet: Sheet, at: int) -> dict[str, Any]:
    head = sheet.head[at] if at < len(sheet.head) else ""
    samples: list[str] = []
    values: dict[str, None] | None = {}
    for _number, cells in sheet.rows[1:]:
        if at >= len(cells) or cells[at] == "":
            continue
        words = str(cells[at]).strip()
        if len(samples) < _SAMPLES and words:
            samples.append(" ".join(words[: _LONGEST_SAMPLE * 2].split())[:_LONGEST_SAMPLE])
        if values is not None:
            values[words] = None
            if len(words) > _LONGEST_VALUE or len(values) > MOST_VALUES:
                values = None
        if values is None and len(samples) == _SAMPLES:
            break
    return {"head": head, "samples": samples, "values": None if values is None else list(values)}


def letter(at: int) -> str:
    """Return the name that a spreadsheet gives to a column: A, B, …, Z, AA."""
    name = ""
    at += 1
    while at:
        at, rest = divmod(at - 1, 26)
        name = chr(ord("A") + rest) + name
    return name
