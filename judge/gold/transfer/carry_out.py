"""Run an upload through the import of the commands: as a check, or for good."""

import json
import re
import shutil
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from itertools import islice
from pathlib import Path
from typing import IO, Any

from django.core.files.storage import default_storage
from django.utils.translation import gettext as _

from curation.base.records.faults import MANY, FileRefused, Problem, by_kind
from curation.base.records.files import (
    JSON_LINES,
    UTF_8,
    Sheet,
    TableFile,
    UnreadableTableError,
    read_file,
)
from curation.base.records.kind import Outcome
from curation.base.web.refusals import BadInput
from judge.gold.transfer.import_convert import Converted, convert
from judge.gold.transfer.import_fields import KINDS, RUBRIC_TABLE, by_key, fields_of
from judge.gold.transfer.import_mapping import ColumnMapping, domains_of, letter
from judge.gold.transfer.import_models import DataImport

MOST_FAULTS = 500  # that are kept and shown; all are counted
FIRST_ROWS = 5
_LONGEST = 160  # characters of a value among the first rows


@dataclass
class Report:
    """What a check found, or what an import did.

    Attributes:
        counts: added, unchanged, changed, revised, as far as known; of many faults their kinds.
        faults: the first of them: sheet, row, column, head, field, sentence, option.
    """

    counts: dict[str, Any] = field(default_factory=dict)
    faults: list[dict[str, Any]] = field(default_factory=list)
    fault_count: int = 0
    first_rows: list[list[list[str]]] = field(default_factory=list)


def read_upload(row: DataImport) -> TableFile:
    """Read the files of an upload as tables; the table of rubrics is the last sheet.

    Raises:
        UnreadableTableError: one cannot be read.
    """
    with _opened(row.file.name) as file:
        found = read_file(file.read(), name=row.file_name, encoding=row.encoding)
    if not row.rubrics:
        return found
    with _opened(row.rubrics.name) as file:
        beside = read_file(file.read(), name=row.rubrics_name)
    if JSON_LINES in (found.shape, beside.shape):
        raise UnreadableTableError(
            _("A table of rubrics goes with a table of tasks. JSON lines hold both in one file.")
        )
    found.sheets.extend(beside.sheets)
    return found


def carry_out(
    row: DataImport,
    *,
    dry_run: bool,
    at_end: Callable[[Report], None] | None = None,
    progress: Callable[[int], None] = lambda line: None,
) -> Report:
    """Import an upload by the code behind the commands, completely or not at all.

    Args:
        dry_run: whether only to find out what would happen.
        at_end: called in the transaction of the import.
        progress: gets the number of each line that is read.

    Returns:
        what was done; with faults, nothing was.

    Raises:
        WorkbenchError: it cannot be imported for a reason outside of the file.
    """
    with _as_lines(row) as (path, made):
        first_rows = _first_rows(path)
        odd = [_odd(row, made, one) for one in made.odd] if made else []

        def finish(outcome: Outcome) -> None:
            if at_end is not None:
                at_end(Report(_counts(outcome), [], 0, first_rows))

        try:
            archive = path.with_name("files.zip") if row.archive else None
            kind = KINDS[row.kind].start(row, archive)
            outcome = kind.run(path, dry_run=dry_run or bool(odd), at_end=finish, progress=progress)
            counts, faults = _counts(outcome), odd
        except FileRefused as refusal:
            counts = refusal.counts
            faults = odd + [_fault(row, made, one) for one in refusal.problems]
        except BadInput as refusal:
            if refusal.code != "held_out":
                raise
            said = {"row": 0, "column": "", "head": "", "field": "", "sheet": ""}
            sentence = _("The file says what a judge found on held-out tasks. Say why it may look.")
            counts, faults = {}, [{**said, "sentence": sentence, "option": "--held-out-reason"}]
        faults.sort(key=lambda one: (one["sheet"], one["row"], len(one["column"]), one["column"]))
        if counts and len(faults) > MANY:
            told = ((one["row"], one["field"], one["sentence"]) for one in faults)
            counts = {**counts, "kinds": by_kind(told)}
        return Report(counts, faults[:MOST_FAULTS], len(faults), first_rows)


def _opened(name: str) -> IO[bytes]:
    """Open a stored file.

    Raises:
        UnreadableTableError: it is gone.
    """
    try:
        return default_storage.open(name)  # type: ignore[no-any-return]
    except OSError:
        raise UnreadableTableError(_("The file is no longer stored. Upload it again.")) from None


@contextmanager
def _as_lines(row: DataImport) -> Iterator[tuple[Path, Converted | None]]:
    """Yield a file of JSON lines, and how it came from a table; None for JSON lines."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / f"{_file_name(row.file_name)}"
        made = None
        if row.shape != JSON_LINES:
            found = read_upload(row)
            made = _converted(row, found.sheets, found.separator)
            with path.open("w", encoding="utf-8") as file:
                made.write(file)
        elif row.encoding == UTF_8:
            with _opened(row.file.name) as source, path.open("wb") as target:
                shutil.copyfileobj(source, target)
        else:
            path.write_text(read_upload(row).text, encoding="utf-8", newline="")
        if row.archive:
            with (
                _opened(row.archive.name) as source,
                (Path(folder) / "files.zip").open("wb") as target,
            ):
                shutil.copyfileobj(source, target)
        yield path, made


def _file_name(name: str) -> str:
    """Return a name that every file system takes; tasks keep it in their history."""
    return re.sub(r"[^\w .()-]", "_", name)[-60:].lstrip(".") or "file"


def _converted(row: DataImport, sheets: list[Sheet], separator: str) -> Converted:
    mapping = ColumnMapping.of(row.mapping or {})
    domains = domains_of(row.kind)
    return convert(row.kind, sheets, mapping, separator=separator, domains=domains)


def _counts(outcome: Outcome) -> dict[str, Any]:
    return {
        "added": outcome.added,
        "unchanged": outcome.unchanged,
        "revised": outcome.changed,
        **{name: list(names) for name, names in outcome.made.items() if names},
    }


# --- where it stands ------------------------------------------------------------------------------
def _fault(row: DataImport, made: Converted | None, problem: Problem) -> dict[str, Any]:
    if made is None or problem.line not in made.records:
        return _at(row, "", problem.line, None, problem.field, problem.fault, problem.option)
    place = made.place(problem.line, problem.field)
    said = (place.key, problem.fault, problem.option)
    return _at(row, place.sheet, place.row, place.column, *said, made=made)


def _odd(row: DataImport, made: Converted, one: Any) -> dict[str, Any]:
    place = one.place
    return _at(row, place.sheet, place.row, place.column, place.key, one.sentence, "", made=made)


def _at(
    row: DataImport,
    sheet: str,
    number: int,
    column: int | None,
    key: str,
    sentence: str,
    option: str,
    *,
    made: Converted | None = None,
) -> dict[str, Any]:
    heads = next((s.head for s in made.sheets if s.name == sheet), []) if made else []
    one = by_key((*RUBRIC_TABLE, *fields_of(row.kind))).get(key)
    return {
        "sheet": sheet if made and len(made.sheets) > 1 else "",
        "row": number,
        "column": "" if column is None else letter(column),
        "head": heads[column] if column is not None and column < len(heads) else "",
        "field": str(one.label) if one and made else key,
        "sentence": sentence,
        "option": option,
    }


# --- as they will look ----------------------------------------------------------------------------
def _first_rows(path: Path) -> list[list[list[str]]]:
    """Return the first records as (key, text) of each of their fields."""
    found = []
    with path.open(encoding="utf-8-sig", errors="replace") as file:
        for line in islice((line for line in file if line.strip()), FIRST_ROWS):
            try:
                record = json.loads(line)
            except (ValueError, RecursionError):
                continue
            if isinstance(record, dict):
                found.append([_shown(name, value) for name, value in record.items()])
    return found


def labelled(row: DataImport) -> list[list[tuple[str, str]]]:
    """Return the first records of a checked file as (label, text), in the reader's language."""
    labels = {"rubric": _("Rubric")}
    labels |= {key: str(one.label) for key, one in by_key(fields_of(row.kind)).items()}
    return [[(labels.get(key, key), text) for key, text in one] for one in row.first_rows]


def _shown(name: str, value: Any) -> list[str]:
    if name == "rubric" and isinstance(value, list):
        words = "\n".join(_line_in_words(line) for line in value[:3])
        rest = len(value) - 3
        words += "\n" + _("and %(n)s more") % {"n": rest} if rest > 0 else ""
    elif isinstance(value, str):
        words = value
    else:
        words = json.dumps(value, ensure_ascii=False)
    clean = "".join(c if c.isprintable() or c == "\n" else "\ufffd" for c in words)
    return [name[:80], clean if len(clean) <= 3 * _LONGEST else clean[: 3 * _LONGEST] + "…"]


def _line_in_words(line: Any) -> str:
    if not isinstance(line, dict):
        return str(line)[:_LONGEST]
    text = str(line.get("text", "–"))[:_LONGEST]
    facts = [line.get(name) for name in ("importance", "weight", "dimension")]
    return f"{line.get('id', '–')}: {text} ({', '.join(str(one) for one in facts if one)})"
