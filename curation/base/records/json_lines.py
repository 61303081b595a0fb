"""Reading of JSON lines that reports all faults of a file with their lines and fields."""

import json
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, ClassVar, NoReturn

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext
from pydantic import AfterValidator, BaseModel, ConfigDict, ValidationError, model_validator
from pydantic_core import ErrorDetails

from curation.base.records.faults import Advised, Faults
from curation.base.text.storable import problem_with, problem_with_name, storable

# Characters of one text of an imported benchmark; some have whole papers as materials.
LONGEST = 5_000_000


@dataclass(frozen=True)
class Record:
    """A line of the file: its number and its valid fields; a null counts as a missing field."""

    line: int
    values: dict[str, Any]
    replaced: int = 0  # characters that cannot be stored and were replaced by U+FFFD
    words: bool = False  # whether it comes from a table, whose values are texts

    def get(self, name: str, default: Any = None) -> Any:
        return self.values.get(name, default)


class Line(BaseModel):
    """Base of the kinds of lines: strict types, no unknown fields; a null counts as missing.

    A line is only checked against its model and read as a `Record`: lines with faults have no
    model, but their valid fields are compared with other lines. So a default says no more than
    that the field may be missing.

    Attributes:
        parts: field -> the kind of the objects in its list.
        replaceable: fields in which characters that cannot be stored may be replaced on request.
    """

    model_config = ConfigDict(strict=True, extra="forbid")
    parts: ClassVar[Mapping[str, type["Line"]]] = {}
    replaceable: ClassVar[tuple[str, ...]] = ()

    @model_validator(mode="before")
    @classmethod
    def _drop_nulls(cls, given: Any) -> Any:
        if not isinstance(given, dict):
            return given
        known = cls.model_fields
        return {n: value for n, value in given.items() if value is not None or n not in known}

    @classmethod
    def repetitions(cls, line: Mapping[str, Any], context: Any) -> Iterable[tuple[str, str]]:
        """Return (path, sentence) for what is in this line twice."""
        return ()


class _RefusedError(ValueError):
    """A line is JSON to Python's lenient parser but is refused here."""


def check_first_line(path: str | Path, kind: type[Line]) -> None:
    """Check by its first line that a file exists and is of the right kind.

    Raises:
        FileRefused: it does not exist or is of another kind.
    """
    next(_lines(path, kind, Faults(str(path))), None)


def objects(
    path: str | Path, kind: type[Line], faults: Faults
) -> Iterator[tuple[int, dict[str, Any] | None]]:
    """Yield number and object of each line that is not empty; None where there is no object.

    A byte order mark, CRLF and empty lines are accepted.

    Raises:
        FileRefused: the file cannot be read or is of another kind.
    """
    for number, raw in _lines(path, kind, faults):
        yield number, object_on(number, raw, faults)


# How a file of some format is read as numbered objects with the fields of JSON lines.
Format = Callable[[str | Path, type[Line], Faults], Iterable[tuple[int, dict[str, Any] | None]]]


def read(
    path: str | Path,
    kind: type[Line],
    *,
    form: Format = objects,
    context: Any = None,
    replace: bool = False,
    progress: Callable[[int], None] = lambda line: None,
) -> tuple[list[Record], Faults]:
    """Read a file; return its objects with their valid fields, and the faults of the others.

    Args:
        form: the format of the file.
        context: given to the rules of `kind`.
        replace: whether U+FFFD replaces characters that cannot be stored in `replaceable` fields.
        progress: gets the number of each line that is read.

    Raises:
        FileRefused: the file cannot be read, is of another kind or has no line.
    """
    faults = Faults(str(path))
    records = []
    for number, line in form(path, kind, faults):
        progress(number)
        records.append(_record(number, line, kind, faults, context=context, replace=replace))
    if not records:
        faults.add(1, "file", _("There is no line in this file."))
        faults.refuse()
    return records, faults


def _lines(path: str | Path, kind: type[Line], faults: Faults) -> Iterator[tuple[int, bytes]]:
    """Yield the lines that are not empty with their numbers."""
    try:
        with Path(path).open("rb") as file:
            for number, raw in enumerate(file, start=1):
                if number == 1:
                    _check_encoding(raw, faults)
                    raw = raw.removeprefix(b"\xef\xbb\xbf")
                    _check_kind(raw, kind, faults)
                if raw.strip():
                    yield number, raw
    except OSError as error:
        faults.add(1, "file", _("The file cannot be read: %(why)s.") % {"why": error.strerror})
        faults.refuse()


def _check_encoding(raw: bytes, faults: Faults) -> None:
    if raw.startswith((b"\xff\xfe", b"\xfe\xff")):
        faults.add(1, "file", _("The file is UTF-16. Save it as UTF-8."))
        faults.refuse()


def _check_kind(raw: bytes, kind: type[Line], faults: Faults) -> None:
    """Refuse another kind of file by its first line, instead of reporting each of its lines."""
    start = raw.strip()
    cells = {cell.strip(b" \"'").decode(errors="replace") for cell in re.split(rb"[,;\t]", start)}
    if start.startswith(b"PK\x03\x04"):
        sentence = _("This is a workbook or an archive. Save it as text: one object {…} a line.")
    elif start in (b"[", b"{"):
        sentence = _("This is JSON over several lines. Write each object {…} on one line.")
    elif len(cells) > 1 and cells & set(kind.model_fields) and not start.startswith((b"{", b"[")):
        sentence = _("This is a table (CSV). The import reads JSON lines: one object {…} a line.")
    else:
        return
    faults.add(1, "file", sentence)
    faults.refuse()


def object_on(number: int, raw: bytes | str, faults: Faults) -> dict[str, Any] | None:
    """Return the JSON object on a line of a file; None, and a fault, where there is none."""
    try:
        text = raw.decode("utf-8") if isinstance(raw, bytes) else raw
        line = json.loads(text, object_pairs_hook=_unique_names, parse_constant=_no_constant)
    except UnicodeDecodeError as error:
        sentence = _("Byte %(n)s is not UTF-8 text.") % {"n": error.start + 1}
    except _RefusedError as refusal:
        sentence = str(refusal)
    except RecursionError:
        sentence = _("The line is nested too deeply.")
    except json.JSONDecodeError as error:
        sentence = _("This is not JSON: %(what)s at character %(at)s.")
        sentence %= {"what": error.msg, "at": error.pos + 1}
    except ValueError:  # Python reads no whole number of more than some thousand digits
        sentence = _("A number in it has too many digits.")
    else:
        if isinstance(line, dict):
            return line
        sentence = _("Each line is one JSON object, {…}.")
    faults.add(number, "line", sentence)
    return None


def _record(
    number: int,
    line: dict[str, Any] | None,
    kind: type[Line],
    faults: Faults,
    *,
    context: Any,
    replace: bool,
) -> Record:
    if line is None:
        return Record(number, {})
    replaced = 0
    for name in kind.replaceable if replace else ():
        if isinstance(line.get(name), str):
            line[name], count = storable(line[name])
            replaced += count
    refused = set()
    for name, path, sentence in _faults_of(line, kind, context):
        faults.add(number, path, sentence)
        refused.add(name)
    valid = {
        name: line[name]
        for name in kind.model_fields
        if name not in refused and line.get(name) is not None
    }
    return Record(number, valid, replaced)


def _faults_of(
    line: dict[str, Any], kind: type[Line], context: Any
) -> Iterator[tuple[str, str, str]]:
    """Yield (field, path, sentence) for each fault of a line, unknown fields first."""
    try:
        kind.model_validate(line, context=context)
    except ValidationError as refusal:
        errors = refusal.errors(include_url=False)
        errors.sort(key=lambda error: error["type"] != "extra_forbidden" or len(error["loc"]) > 1)
        for error in errors:
            at = error["loc"]
            steps = [f"[{i + 1}]" if isinstance(i, int) else f".{as_path(i)}" for i in at]
            yield str(at[0]), "".join(steps).removeprefix("."), _sentence(error, kind)
    for path, sentence in kind.repetitions(line, context):
        yield re.split(r"[.\[]", path)[0], path, sentence


_OUTSIDE = gettext_lazy("This number is outside the range that can be stored: %(value)s.")
_SENTENCES = {  # by the types of pydantic's errors
    "missing": gettext_lazy("This field is missing."),
    "too_short": gettext_lazy("There is no line in it."),
    "string_type": gettext_lazy("This must be text, not %(value)s."),
    "int_type": gettext_lazy("This must be a whole number, not %(value)s."),
    "bool_type": gettext_lazy("This must be true or false, not %(value)s."),
    "float_type": gettext_lazy("This must be a number, not %(value)s."),
    "finite_number": _OUTSIDE,
    "greater_than_equal": _OUTSIDE,
    "less_than_equal": _OUTSIDE,
    "list_type": gettext_lazy("This must be a list, not %(value)s."),
    "dict_type": gettext_lazy("This must be an object of criterion ids, not %(value)s."),
    "model_type": gettext_lazy("A line is one JSON object, not %(value)s."),
}


def _sentence(error: ErrorDetails, kind: type[Line]) -> str:
    """Return the sentence for an error of pydantic; a rule of ours raises its own sentence."""
    name, value, field = error["type"], error["input"], str(error["loc"][0])
    if name == "value_error":
        words = error["ctx"]["error"].args[0]
        return words if isinstance(words, Advised) else str(words)
    if name == "extra_forbidden":
        owner = kind.parts[field] if len(error["loc"]) > 1 else kind
        known = ", ".join(owner.model_fields)
        return _("There is no such field. Available: %(names)s.") % {"names": known}
    if name == "list_type" and field in kind.parts:
        return _("This must be a list of lines, not %(value)s.") % {"value": quoted(value)}
    if name == "float_type" and type(value) is int:  # it has more than 300 digits
        name = "finite_number"
    return str(_SENTENCES[name]) % {"value": quoted(value)}


def _replaceable(n: int) -> str:
    found = ngettext(
        "This text holds %(n)s character that cannot be stored: an invisible NUL, or half of a "
        "character pair.",
        "This text holds %(n)s characters that cannot be stored: an invisible NUL, or half of a "
        "character pair.",
        n,
    ) % {"n": f"{n:,}"}
    advice = _("Remove it, or import with --replace-unstorable, which puts U+FFFD in its place.")
    return Advised(found, advice, "--replace-unstorable")


def _unique_names(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """Build an object and refuse a repeated name, of which json would silently keep the last.

    Half of a character pair in a name is escaped, because pydantic checks nothing after it.
    """
    found: dict[str, Any] = {}
    for name, value in pairs:
        if not name.isascii():
            name = name.encode("utf-8", "backslashreplace").decode()
        if name in found:
            raise _RefusedError(_("The name %(name)s occurs twice.") % {"name": quoted(name)})
        found[name] = value
    return found


def _no_constant(name: str) -> NoReturn:
    raise _RefusedError(_("%(name)s is not a number that can be stored.") % {"name": name})


# --- rules --------------------------------------------------------------------------------------
def quoted(value: Any, limit: int = 40) -> str:
    """Format a value for a message: as JSON, shortened, on one line, printable."""
    written = json.dumps(value, ensure_ascii=False, default=str)
    written = written.encode("utf-8", "backslashreplace").decode()
    written = "".join(c if c.isprintable() else f"\\x{ord(c):02x}" for c in written)
    return written if len(written) <= limit else written[: limit - 1] + "…"


def as_path(name: str) -> str:
    """Format a name from the file as part of the path to a fault."""
    return quoted(name, limit=80).removeprefix('"').removesuffix('"')


def accepted(value: Any, problem: str | None) -> Any:
    """Return a value that has no problem.

    Raises:
        ValueError: it has one.
    """
    if problem:
        raise ValueError(problem)
    return value


def a_name(limit: int) -> AfterValidator:
    """Return the rule of an id or a name: one line, not empty, no white space around it."""
    return AfterValidator(lambda text: accepted(text, problem_with_name(text, limit=limit)))


def text_problem(text: str, *, limit: int = LONGEST, replaceable: bool = False) -> str | None:
    """Say why a text cannot be stored; None if it can."""
    if n := storable(text)[1]:
        return _replaceable(n) if replaceable else _unstorable(text)
    return problem_with(text, limit=limit)


def _unstorable(value: str) -> str:
    if "\x00" in value:
        return _("This text contains an invisible NUL character. Remove it from the file.")
    return _("This text contains half of a character pair. Write the whole character in the file.")


def check_unique(records: Iterable[Record], name: str, faults: Faults) -> None:
    """Add a fault for each value of a field that is in the file a second time."""
    first: dict[str, int] = {}
    for record in records:
        value = record.get(name)
        if value is None:
            continue
        if value in first:
            faults.add(
                record.line,
                name,
                _("%(id)s is already on line %(n)s.") % {"id": quoted(value), "n": first[value]},
            )
        else:
            first[value] = record.line
