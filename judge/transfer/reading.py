"""Reading JSON lines: every fault of the whole file, each with its line and field."""

import json
import math
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, NoReturn

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from curation.text import storable
from curation.web.refusals import BadInput

# Characters of one text of another benchmark: whole papers are tasks there, libraries are not.
LONGEST = 5_000_000

# A check yields (where, sentence) for each fault of a value; where is "" for the value itself,
# or the rest of its path ("[3].weight").
Check = Callable[[Any], Iterable[tuple[str, str]]]


@dataclass(frozen=True)
class Problem:
    """One fault. Its text is what a person looks for: file, line, field, sentence."""

    file: str
    line: int
    field: str
    sentence: str

    def __str__(self) -> str:
        return f"{self.file}:{self.line}: {self.field}: {self.sentence}"


class FileRefused(BadInput):
    """A file that cannot be imported as it is. Nothing was stored."""

    code = "file_refused"

    def __init__(self, problems: Iterable[Problem]) -> None:
        self.problems = sorted(problems, key=lambda p: p.line)
        super().__init__("\n".join(map(str, self.problems)))


@dataclass
class Faults:
    """The faults found so far in one file."""

    file: str
    found: list[Problem] = field(default_factory=list)

    def add(self, line: int, name: str, sentence: object) -> None:
        self.found.append(Problem(self.file, line, name, str(sentence)))

    def refuse(self) -> None:
        """Raises FileRefused if there is any fault."""
        if self.found:
            raise FileRefused(self.found)


@dataclass(frozen=True)
class Record:
    """One line: its number and the fields that passed their own checks. Null is no field."""

    line: int
    values: dict[str, Any]
    replaced: int = 0  # characters that cannot be stored, and are U+FFFD now

    def get(self, name: str, default: Any = None) -> Any:
        return self.values.get(name, default)


@dataclass(frozen=True)
class Field:
    """What a line may hold under a name.

    Attributes:
        replaceable: characters that cannot be stored may be replaced where that is asked for.
    """

    check: Check
    required: bool = False
    replaceable: bool = False


class _RefusedError(ValueError):
    """A line that is JSON to a lenient parser, but not to us."""


def look(path: str | Path, fields: Mapping[str, Field]) -> None:
    """Refuse a file that is missing, or of another kind, by its first line.

    Raises FileRefused.
    """
    next(_lines(path, fields, Faults(str(path))), None)


def read(
    path: str | Path, fields: Mapping[str, Field], *, replace: bool = False
) -> tuple[list[Record], Faults]:
    """Every line of a file with the fields that are sound, and every fault of the others.

    A byte order mark, CRLF and empty lines do no harm.

    Args:
        replace: put U+FFFD for what cannot be stored in fields that are `replaceable`.

    Raises:
        FileRefused: the file cannot be read at all.
    """
    faults = Faults(str(path))
    records = [
        _record(number, raw, fields, faults, replace=replace)
        for number, raw in _lines(path, fields, faults)
    ]
    if not records:
        faults.add(1, "file", _("There is no line in this file."))
        faults.refuse()
    return records, faults


def _lines(
    path: str | Path, fields: Mapping[str, Field], faults: Faults
) -> Iterator[tuple[int, bytes]]:
    """The lines that hold something, with their numbers."""
    try:
        with Path(path).open("rb") as file:
            for number, raw in enumerate(file, start=1):
                if number == 1:
                    _check_encoding(raw, faults)
                    raw = raw.removeprefix(b"\xef\xbb\xbf")
                    _check_kind(raw, fields, faults)
                if raw.strip():
                    yield number, raw
    except OSError as error:
        faults.add(1, "file", _("The file cannot be read: %(why)s.") % {"why": error.strerror})
        faults.refuse()


def _check_encoding(raw: bytes, faults: Faults) -> None:
    if raw.startswith((b"\xff\xfe", b"\xfe\xff")):
        faults.add(1, "file", _("The file is UTF-16. Save it as UTF-8."))
        faults.refuse()


def _check_kind(raw: bytes, fields: Mapping[str, Field], faults: Faults) -> None:
    """Refuse another kind of file by its first line, instead of every line of it in turn."""
    start = raw.strip()
    cells = {cell.strip(b" \"'").decode(errors="replace") for cell in re.split(rb"[,;\t]", start)}
    if start.startswith(b"PK\x03\x04"):
        sentence = _("This is a workbook or an archive. Save it as text: one object {…} a line.")
    elif start in (b"[", b"{"):
        sentence = _("This is JSON over several lines. Write each object {…} on one line.")
    elif len(cells) > 1 and cells & set(fields) and not start.startswith((b"{", b"[")):
        sentence = _("This is a table (CSV). The import reads JSON lines: one object {…} a line.")
    else:
        return
    faults.add(1, "file", sentence)
    faults.refuse()


def _record(
    number: int, raw: bytes, fields: Mapping[str, Field], faults: Faults, *, replace: bool
) -> Record:
    empty = Record(number, {})
    try:
        line = json.loads(raw.decode("utf-8"), object_pairs_hook=_once, parse_constant=_no_constant)
    except UnicodeDecodeError as error:
        faults.add(number, "line", _("Byte %(n)s is not UTF-8 text.") % {"n": error.start + 1})
        return empty
    except _RefusedError as refusal:
        faults.add(number, "line", str(refusal))
        return empty
    except RecursionError:
        faults.add(number, "line", _("The line is nested too deeply."))
        return empty
    except json.JSONDecodeError as error:
        faults.add(
            number,
            "line",
            _("This is not JSON: %(what)s at character %(at)s.")
            % {"what": error.msg, "at": error.pos + 1},
        )
        return empty
    except ValueError as error:  # a number with thousands of digits, for example
        faults.add(number, "line", _("This cannot be read: %(what)s.") % {"what": error})
        return empty
    if not isinstance(line, dict):
        faults.add(number, "line", _("Each line is one JSON object, {…}."))
        return empty
    replaced = 0
    for name, wanted in fields.items():
        value = line.get(name)
        if replace and wanted.replaceable and isinstance(value, str):
            line[name], count = storable.storable(value)
            replaced += count
    return Record(number, dict(_sound(number, line, fields, faults)), replaced)


def _sound(
    number: int, line: dict[str, Any], fields: Mapping[str, Field], faults: Faults
) -> Iterator[tuple[str, Any]]:
    for name in line:
        if name not in fields:
            faults.add(
                number,
                as_path(name),
                _("There is no such field. There are: %(names)s.") % {"names": ", ".join(fields)},
            )
    for name, wanted in fields.items():
        value = line.get(name)
        if value is None:
            if wanted.required:
                faults.add(number, name, _("This field is missing."))
            continue
        before = len(faults.found)
        if wanted.replaceable and isinstance(value, str) and (n := storable.storable(value)[1]):
            faults.add(number, name, _replaceable(n))
            continue
        for where, sentence in wanted.check(value):
            faults.add(number, f"{name}{where}", sentence)
        if len(faults.found) == before:
            yield name, value


def _replaceable(n: int) -> str:
    found = ngettext(
        "This text holds %(n)s character that cannot be stored: an invisible NUL, or half of a "
        "character pair.",
        "This text holds %(n)s characters that cannot be stored: an invisible NUL, or half of a "
        "character pair.",
        n,
    ) % {"n": f"{n:,}"}
    option = _("Remove it, or import with --replace-unstorable, which puts U+FFFD in its place.")
    return f"{found} {option}"


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """An object whose names differ; json would silently keep the last of two."""
    found = dict(pairs)
    if len(found) < len(pairs):
        seen: set[str] = set()
        for name, _value in pairs:
            if name in seen:
                raise _RefusedError(
                    _("The name %(name)s stands there twice.") % {"name": shown(name)}
                )
            seen.add(name)
    return found


def _no_constant(name: str) -> NoReturn:
    raise _RefusedError(_("%(name)s is not a number that can be stored.") % {"name": name})


# --- checks -------------------------------------------------------------------------------------
def shown(value: Any, limit: int = 40) -> str:
    """A value as it may stand in a sentence: short, on one line, printable."""
    written = json.dumps(value, ensure_ascii=False, default=str)
    written = written.encode("utf-8", "backslashreplace").decode()
    written = "".join(c if c.isprintable() else f"\\x{ord(c):02x}" for c in written)
    return written if len(written) <= limit else written[: limit - 1] + "…"


def as_path(name: str) -> str:
    """A name of the file's as part of the path to a fault."""
    return shown(name, limit=80).removeprefix('"').removesuffix('"')


def a_text(*, limit: int = LONGEST, blank: bool = True) -> Check:
    """A text that can be stored; `blank` allows one in which nothing can be seen."""

    def check(value: Any) -> Iterator[tuple[str, str]]:
        problem = storable.problem_with(value, limit=limit)
        if problem and not isinstance(value, str):
            yield "", _not("a text", value)
        elif problem and storable.storable(value)[1]:
            yield "", _in_a_file(value)
        elif problem:
            yield "", problem
        elif not blank and storable.is_blank(value):
            yield "", _("There is nothing in this text.")

    return check


def _in_a_file(value: str) -> str:
    if "\x00" in value:
        return _("This text contains an invisible NUL character. Remove it from the file.")
    return _("This text contains half of a character pair. Write the whole character in the file.")


def a_name(limit: int) -> Check:
    """An id or a name: one line, not empty, no white space around it."""

    def check(value: Any) -> Iterator[tuple[str, str]]:
        problem = storable.problem_with_name(value, limit=limit)
        if problem:
            yield "", problem if isinstance(value, str) else _not("a text", value)

    return check


def a_choice(*options: str) -> Check:
    """One of some words."""

    def check(value: Any) -> Iterator[tuple[str, str]]:
        if value not in options:
            yield (
                "",
                _("This is one of %(options)s, not %(value)s.")
                % {"options": ", ".join(options), "value": shown(value)},
            )

    return check


def a_flag(value: Any) -> Iterator[tuple[str, str]]:
    """True or false."""
    if not isinstance(value, bool):
        yield "", _not("true or false", value)


def a_number(*, low: float = -math.inf, high: float = math.inf) -> Check:
    """A finite number between two bounds."""

    def check(value: Any) -> Iterator[tuple[str, str]]:
        if isinstance(value, bool) or not isinstance(value, int | float):
            yield "", _not("a number", value)
        elif not (low <= value <= high) or not abs(value) <= 1.7e308:
            yield (
                "",
                _("This number lies outside of what can be stored: %(value)s.")
                % {"value": shown(value)},
            )

    return check


def names_in_a_list(limit: int) -> Check:
    """A list of short texts."""
    one = a_name(limit)

    def check(value: Any) -> Iterator[tuple[str, str]]:
        if not isinstance(value, list):
            yield "", _not("a list", value)
            return
        for n, item in enumerate(value, start=1):
            for _where, sentence in one(item):
                yield f"[{n}]", sentence

    return check


def _not(wanted: str, value: Any) -> str:
    sentences = {
        "a text": _("This must be a text, not %(value)s."),
        "a number": _("This must be a number, not %(value)s."),
        "a list": _("This must be a list, not %(value)s."),
        "true or false": _("This must be true or false, not %(value)s."),
    }
    return sentences[wanted] % {"value": shown(value)}


def twice(records: Iterable[Record], name: str, faults: Faults) -> None:
    """Note every id that stands in the file a second time."""
    first: dict[str, int] = {}
    for record in records:
        value = record.get(name)
        if value is None:
            continue
        if value in first:
            faults.add(
                record.line,
                name,
                _("%(id)s stands on line %(n)s already.") % {"id": shown(value), "n": first[value]},
            )
        else:
            first[value] = record.line
