"""The files of a release, hashed while they are written; the same bytes on any machine.

No file holds a time. JSON lines are the exchange format (`import_tasks` reads tasks.jsonl). CSV
cells that a spreadsheet would run as formulas are escaped. Parquet is written chunk by chunk.
"""

import hashlib
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

import orjson

from curation.base.web import csv_export
from curation.tasks.task.fields import FIELDS, Kind
from judge.gold.releases.attachments import ARCHIVE, Archive
from judge.gold.releases.rows import Chunk, Row

if TYPE_CHECKING:
    import pandas

FORMATS = ("jsonl", "csv", "parquet")
ERROR_CODES = "error_codes.jsonl"
MANIFEST, DATASHEET, ERRATA = "manifest.json", "DATASHEET.md", "errata.jsonl"


@dataclass(frozen=True, slots=True)
class Written:
    """One finished file."""

    name: str
    rows: int | None
    size: int
    sha256: str

    def as_dict(self) -> dict[str, Any]:
        return {"name": self.name, "rows": self.rows, "bytes": self.size, "sha256": self.sha256}


# -- tables ---------------------------------------------------------------------------------------
# Flat tables for CSV and Parquet: column -> type.

_TEXT, _WHOLE, _NUMBER, _FLAG = "string", "int64", "float64", "bool"

_TASK_COLUMNS = {
    "id": _TEXT,
    "domain": _TEXT,
    **{f.name: _WHOLE if f.kind is Kind.NUMBER else _TEXT for f in FIELDS},
    "labels": _TEXT,
}
_CRITERIA_COLUMNS = {
    "task": _TEXT, "id": _TEXT, "text": _TEXT, "importance": _TEXT, "weight": _WHOLE,
    "dimension": _TEXT,
}  # fmt: skip
_PROVENANCE_COLUMNS = {
    "task": _TEXT, "title": _TEXT, "author": _TEXT, "rubric_author": _TEXT, "minutes": _WHOLE,
    "rubric_version": _WHOLE, "rubric_sha256": _TEXT, "text_sha256": _TEXT, "lines": _WHOLE,
    "reviewers": _WHOLE, "review_rounds": _WHOLE, "spot_checked": _FLAG, "anchor": _TEXT,
    "anchor_scorings": _WHOLE,
}  # fmt: skip
_ANCHOR_COLUMNS = {
    "task": _TEXT, "response": _TEXT, "model": _TEXT, "text": _TEXT, "score_numerator": _WHOLE,
    "score_denominator": _WHOLE, "rubric_sha256": _TEXT,
}  # fmt: skip
_VERDICT_COLUMNS = {
    "task": _TEXT, "response": _TEXT, "rater": _TEXT, "kind": _TEXT, "criterion": _TEXT,
    "met": _WHOLE, "rationale": _TEXT,
}  # fmt: skip
_RESPONSE_COLUMNS = {
    "task": _TEXT, "id": _TEXT, "model": _TEXT, "text": _TEXT, "baseline": _FLAG,
    "latency_s": _NUMBER, "cost_usd": _NUMBER,
}  # fmt: skip

_ATTACHMENT_COLUMNS = {
    "task": _TEXT, "name": _TEXT, "file": _TEXT, "sha256": _TEXT, "bytes": _WHOLE,
    "content_type": _TEXT, "text_sha256": _TEXT, "pictures": _WHOLE,
}  # fmt: skip


def _criteria(chunk: Chunk) -> Iterable[Row]:
    for task in chunk.tasks:
        for line in task["rubric"]:
            yield {"task": task["id"], **line}


def _anchor_lines(chunk: Chunk) -> Iterable[Row]:
    for anchor in chunk.anchors:
        yield from _lines_of({**anchor, "rater": "anchor", "kind": "expert"})


def _attachments(chunk: Chunk) -> list[Row]:
    return [{name: row[name] for name in _ATTACHMENT_COLUMNS} for row in chunk.attachments]


def _score_lines(chunk: Chunk) -> Iterable[Row]:
    for sheet in chunk.scores:
        if "scores" in sheet:
            yield from _lines_of(sheet)


def _lines_of(sheet: Mapping[str, Any]) -> Iterable[Row]:
    rationales = sheet.get("rationales", {})
    for criterion, met in sheet["scores"].items():
        yield {
            **{name: sheet[name] for name in ("task", "response", "rater", "kind")},
            "criterion": criterion,
            "met": met,
            "rationale": rationales.get(criterion, ""),
        }


def _flat_tasks(chunk: Chunk) -> Iterable[Row]:
    for task in chunk.tasks:
        yield {**task, "labels": "; ".join(map(str, task.get("labels", [])))}


@dataclass(frozen=True, slots=True)
class Table:
    """A flat table: its columns with their types, and how to get its rows of a chunk."""

    name: str
    columns: Mapping[str, str]
    rows: Callable[[Chunk], Iterable[Row]]


TABLES = (
    Table("tasks", _TASK_COLUMNS, _flat_tasks),
    Table("criteria", _CRITERIA_COLUMNS, _criteria),
    Table("provenance", _PROVENANCE_COLUMNS, lambda chunk: chunk.provenance),
    Table("anchors", _ANCHOR_COLUMNS, lambda chunk: chunk.anchors),
    Table("anchor_lines", _VERDICT_COLUMNS, _anchor_lines),
    Table("responses", _RESPONSE_COLUMNS, lambda chunk: chunk.responses),
    Table("score_lines", _VERDICT_COLUMNS, _score_lines),
    Table("attachments", _ATTACHMENT_COLUMNS, _attachments),
)
_JSONL: Mapping[str, Callable[[Chunk], list[Row]]] = {
    "tasks": lambda chunk: chunk.tasks,
    "provenance": lambda chunk: chunk.provenance,
    "anchors": lambda chunk: chunk.anchors,
    "responses": lambda chunk: chunk.responses,
    "scores": lambda chunk: chunk.scores,
    "attachments": _attachments,
}
_RESPONSES = frozenset({"responses", "scores", "score_lines"})
_FILES = frozenset({"attachments"})


def _left_out(*, with_responses: bool, with_files: bool) -> frozenset[str]:
    """Return the names of the tables that such a release does not have."""
    return (frozenset() if with_responses else _RESPONSES) | (frozenset() if with_files else _FILES)


def all_names() -> frozenset[str]:
    """Return all file names that a release may have."""
    tables = {f"{table.name}.{suffix}" for table in TABLES for suffix in ("csv", "parquet")}
    return frozenset(
        {
            *(f"{n}.jsonl" for n in _JSONL),
            *tables,
            ARCHIVE,
            DATASHEET,
            ERRATA,
            ERROR_CODES,
            MANIFEST,
        }
    )


# -- writing --------------------------------------------------------------------------------------


class _Hashed:
    """A binary file that hashes and counts the bytes written."""

    def __init__(self, path: Path) -> None:
        self._file = path.open("xb")
        self._sha = hashlib.sha256()
        self.name, self.size = path.name, 0

    def write(self, data: bytes) -> int:
        self._sha.update(data)
        self.size += len(data)
        return self._file.write(data)

    def close(self) -> str:
        self._file.close()
        return self._sha.hexdigest()


class _Writer(Protocol):
    def add(self, chunk: Chunk) -> None: ...
    def close(self) -> Written: ...


class _JsonLines:
    def __init__(self, folder: Path, name: str) -> None:
        self._file = _Hashed(folder / f"{name}.jsonl")
        self._rows_of, self._rows = _JSONL[name], 0

    def add(self, chunk: Chunk) -> None:
        for row in self._rows_of(chunk):
            self._file.write(orjson.dumps(row, option=orjson.OPT_APPEND_NEWLINE))
            self._rows += 1

    def close(self) -> Written:
        return Written(self._file.name, self._rows, self._file.size, self._file.close())


class _Csv:
    def __init__(self, folder: Path, table: Table) -> None:
        import pandas  # loaded on demand: as slow as pyarrow

        self._frame = partial(pandas.DataFrame, columns=list(table.columns), dtype=object)
        self._file = _Hashed(folder / f"{table.name}.csv")
        self._table, self._rows = table, 0
        self._append(self._frame(), header=True)

    def add(self, chunk: Chunk) -> None:
        names = self._table.columns
        rows = [
            [csv_export.cell(row.get(name)) for name in names] for row in self._table.rows(chunk)
        ]
        if rows:
            self._append(self._frame(rows), header=False)
            self._rows += len(rows)

    def _append(self, frame: "pandas.DataFrame", *, header: bool) -> None:
        text = frame.to_csv(header=header, index=False, lineterminator="\r\n")
        self._file.write(text.encode("utf-8"))

    def close(self) -> Written:
        return Written(self._file.name, self._rows, self._file.size, self._file.close())


class _Parquet:
    def __init__(self, folder: Path, table: Table) -> None:
        import pyarrow  # loaded on demand: loading takes longer than a small export
        import pyarrow.parquet

        self._arrow, self._table, self._rows = pyarrow, table, 0
        self._path = folder / f"{table.name}.parquet"
        types = {
            _TEXT: pyarrow.string(), _WHOLE: pyarrow.int64(),
            _NUMBER: pyarrow.float64(), _FLAG: pyarrow.bool_(),
        }  # fmt: skip
        self._schema = pyarrow.schema([(name, types[kind]) for name, kind in table.columns.items()])
        self._writer = pyarrow.parquet.ParquetWriter(self._path, self._schema)

    def add(self, chunk: Chunk) -> None:
        rows = list(self._table.rows(chunk))
        if rows:
            columns = {name: [row.get(name) for row in rows] for name in self._table.columns}
            self._writer.write_table(self._arrow.table(columns, schema=self._schema))
            self._rows += len(rows)

    def close(self) -> Written:
        self._writer.close()
        with self._path.open("rb") as file:
            digest = hashlib.file_digest(file, "sha256").hexdigest()
        return Written(self._path.name, self._rows, self._path.stat().st_size, digest)


class _Archive:
    def __init__(self, folder: Path) -> None:
        self._archive = Archive(folder)

    def add(self, chunk: Chunk) -> None:
        for row in chunk.attachments:
            self._archive.add(row)

    def close(self) -> Written:
        entries, size, digest = self._archive.close()
        return Written(ARCHIVE, entries, size, digest)


def write_tables(
    folder: Path,
    chunks: Iterable[Chunk],
    formats: Sequence[str],
    *,
    with_responses: bool,
    with_files: bool,
) -> list[Written]:
    """Write every table of a release into an empty folder, chunk by chunk.

    Raises:
        Conflict: a task's file is gone from the storage, or damaged.
    """
    writers: list[_Writer] = []
    absent = _left_out(with_responses=with_responses, with_files=with_files)
    if "jsonl" in formats:
        writers += [_JsonLines(folder, name) for name in _JSONL if name not in absent]
    tables = [table for table in TABLES if table.name not in absent]
    if "csv" in formats:
        writers += [_Csv(folder, table) for table in tables]
    if "parquet" in formats:
        writers += [_Parquet(folder, table) for table in tables]
    if with_files:
        writers.append(_Archive(folder))
    for chunk in chunks:
        for writer in writers:
            writer.add(chunk)
    return [writer.close() for writer in writers]


def write_text(folder: Path, name: str, text: str) -> Written:
    """Write one UTF-8 text file."""
    data = text.encode("utf-8")
    (folder / name).write_bytes(data)
    return Written(name, None, len(data), hashlib.sha256(data).hexdigest())


def write_list(folder: Path, name: str, rows: Sequence[Row]) -> list[Written]:
    """Write errata or coded errors as JSON lines, whatever the other formats; no file of none."""
    if not rows:
        return []
    lines = (orjson.dumps(row, option=orjson.OPT_APPEND_NEWLINE) for row in rows)
    one = write_text(folder, name, b"".join(lines).decode())
    return [replace(one, rows=len(rows))]


def sha256_of(path: Path) -> str | None:
    """Return the hash of a file; None if it cannot be read."""
    try:
        with path.open("rb") as file:
            return hashlib.file_digest(file, "sha256").hexdigest()
    except OSError:
        return None
