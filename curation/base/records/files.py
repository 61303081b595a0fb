"""A file as tables: its encoding and separator are found, or the sheets of a workbook."""

import csv
import io
import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from curation.base.file_contents import limits
from curation.base.file_contents.reading import read_sheets
from curation.base.web.csv_export import cell
from curation.base.web.tables import BrokenTableError, csv_rows, separator_of

CSV, EXCEL, JSON_LINES = "csv", "xlsx", "jsonl"
_ARCHIVE, _OLD_OFFICE = b"PK\x03\x04", b"\xd0\xcf\x11\xe0"
_OTHER = (b"%PDF", b"\x89PNG", b"\xff\xd8\xff", b"\x1f\x8b")

Row = tuple[int, list[Any]]  # its number, as a spreadsheet shows it, and its cells


class UnreadableTableError(ValueError):
    """A file is no table that can be read.

    Attributes:
        row: where that is, from 1; 0 for the whole file.
        sentence: why, for people.
    """

    def __init__(self, sentence: str, row: int = 0) -> None:
        self.row, self.sentence = row, sentence
        super().__init__(sentence)


class NotInEncodingError(UnreadableTableError):
    """A file is no text in the encoding, or in any that is known here."""


@dataclass(frozen=True)
class Sheet:
    """A table: its rows that are not empty. Cells are texts; those of Excel also numbers."""

    name: str
    rows: list[Row]

    @property
    def head(self) -> list[str]:
        """The names of the columns: the cells of the first row, as words on one line."""
        cells: Sequence[Any] = self.rows[0][1] if self.rows else ()
        return [" ".join(str(name).split()) for name in cells]


@dataclass(frozen=True)
class TableFile:
    """What a file is.

    Attributes:
        shape: CSV, EXCEL or JSON_LINES.
        text: of JSON lines, decoded.
        encoding: a key of `encodings.LABELS`; "" for Excel.
    """

    shape: str
    sheets: list[Sheet] = field(default_factory=list)
    text: str = ""
    encoding: str = ""
    separator: str = ""


def read_file(data: bytes, *, name: str = "", encoding: str = "") -> TableFile:
    """Read a file whose kind is found in its content.

    Call it outside of a transaction: a workbook is read in a process of its own.

    Args:
        name: of the only sheet of a CSV.
        encoding: of a text; "" to find it out.

    Raises:
        UnreadableTableError: it is neither a table nor JSON lines, or a part cannot be read.
    """
    if data.startswith(_ARCHIVE):
        return TableFile(EXCEL, _sheets(data))
    text, found = text_of(data, encoding)
    if not text.strip():
        raise UnreadableTableError(_("There is nothing in this file."))
    if text.lstrip()[:1] in ("{", "["):
        return TableFile(JSON_LINES, text=text, encoding=found)
    return TableFile(CSV, [Sheet(name, _rows(text))], "", found, separator_of(text))


def as_csv(sheet: Sheet) -> str:
    """Return a table as CSV with commas; its rows stand on the lines with their numbers."""
    file = io.StringIO()
    writer = csv.writer(file, lineterminator="\n")
    at = 1
    for number, cells in sheet.rows:
        file.write("\n" * (number - at))
        writer.writerow([cell(value) for value in cells])
        at = number + 1
    return file.getvalue()


def text_of(data: bytes, encoding: str = "") -> tuple[str, str]:
    """Return the text of a file that is no workbook, and its encoding.

    Raises:
        UnreadableTableError: it is no text.
    """
    if data.startswith(_OLD_OFFICE):
        raise UnreadableTableError(
            _("This is an old Excel file, or one with a password. Save it as .xlsx without one.")
        )
    if data.startswith(_OTHER):
        raise UnreadableTableError(_("This is no table. Choose a CSV, Excel or JSON lines file."))
    try:
        return decoded(data, encoding)
    except UnknownEncodingError:
        sentence = (
            _("The file cannot be read in this encoding. Choose another one.")
            if encoding and encoding != UTF_16
            else _("This is no text in an encoding that is known here. Save it as “CSV UTF-8”.")
        )
        raise NotInEncodingError(sentence) from None


def _rows(text: str) -> list[Row]:
    rows: list[Row] = []
    number, left = 0, limits.SHEET_CELLS
    separator = separator_of(text)
    if any(line.count(separator) >= left for line in io.StringIO(text, newline="")):
        raise _too_many_cells()  # one row of them would fill the memory before it is counted
    try:
        for number, (_line, cells) in enumerate(csv_rows(text), start=1):
            left -= max(1, len(cells))
            if left < 0:
                raise _too_many_cells()
            if any(words.strip() for words in cells):
                rows.append((number, cells))
    except BrokenTableError as broken:
        raise UnreadableTableError(broken.sentence, number + 1) from None
    return rows


def _too_many_cells() -> UnreadableTableError:
    most = f"{limits.SHEET_CELLS:,}"
    return UnreadableTableError(
        _("This table has more than %(n)s cells, which is too many to be read here. Split it.")
        % {"n": most}
    )


def _sheets(data: bytes) -> list[Sheet]:
    found = read_sheets(data)
    if found["reason"]:
        raise UnreadableTableError(_why(found["reason"]))
    sheets = [
        Sheet(
            sheet["name"],
            [(number, cells) for number, cells in enumerate(sheet["rows"], start=1) if cells],
        )
        for sheet in found["sheets"]
    ]
    sheets = [sheet for sheet in sheets if sheet.rows]
    if not sheets:
        raise UnreadableTableError(_("There is nothing in this file."))
    return sheets


def _why(reason: str) -> str:
    if reason in ("too_slow", "too_large"):
        return _("This workbook is too large to be read here. Save it as “CSV UTF-8”.")
    return _("This workbook cannot be read. Open it, save it again as .xlsx or as “CSV UTF-8”.")


# --- encodings -----------------------------------------------------------------------------------
UTF_8, UTF_16, GB18030, WESTERN = "utf-8", "utf-16", "gb18030", "cp1252"
LABELS: dict[str, Any] = {
    UTF_8: "UTF-8",
    UTF_16: "UTF-16",
    GB18030: gettext_lazy("GB18030 (Chinese)"),
    WESTERN: gettext_lazy("Windows-1252 (Western Europe)"),
}
_MARKS = {
    b"\xef\xbb\xbf": "utf-8-sig",
    b"\xff\xfe": "utf-16",
    b"\xfe\xff": "utf-16",
}
_LOOKED_AT = 200_000  # bytes
# Most Chinese characters are two bytes from this range; a Western text has such bytes one by one.
_PAIR = re.compile(rb"[\xb0-\xf7][\xa1-\xfe]")
_SIGNS = re.compile(r"[,;\t\n]")  # of a table; JSON lines have them too
_HIGH = re.compile(rb"[\x80-\xff]")


class UnknownEncodingError(ValueError):
    """A file is no text in an encoding that is read here."""


def decoded(data: bytes, encoding: str = "") -> tuple[str, str]:
    """Return the text of a file without its byte order mark, and the encoding it is in.

    Args:
        encoding: a key of `LABELS`; "" to find it out.

    Raises:
        UnknownEncodingError: it is no text in this encoding, or in any that is known here.
    """
    for mark, codec in _MARKS.items():
        if data.startswith(mark) and encoding in ("", codec.removesuffix("-sig")):
            return _text(data, codec), codec.removesuffix("-sig")
    if encoding:
        return _text(data, _without_mark(data) if encoding == UTF_16 else encoding), encoding
    if b"\x00" in data[:_LOOKED_AT]:
        text = _text(data, _without_mark(data))
        if not _SIGNS.search(text):  # a file with a zero somewhere is no text
            raise UnknownEncodingError
        return text, UTF_16
    try:
        return _text(data, UTF_8), UTF_8
    except UnknownEncodingError:
        likely = _more_likely(data)
    return _text(data, likely), likely


def _without_mark(data: bytes) -> str:
    """Return the byte order of a UTF-16 text: the zeros of ASCII letters come second, or first."""
    seen = data[:_LOOKED_AT]
    return "utf-16-le" if seen[1::2].count(0) >= seen[::2].count(0) else "utf-16-be"


def _more_likely(data: bytes) -> str:
    """Return the encoding of a text that is not UTF-8."""
    seen = data[:_LOOKED_AT]
    high = len(_HIGH.findall(seen))
    if 2 * len(_PAIR.findall(seen)) < high / 2:
        return WESTERN
    try:
        _text(data, GB18030)
    except UnknownEncodingError:
        return WESTERN
    return GB18030


def _text(data: bytes, codec: str) -> str:
    try:
        text = data.decode(codec)
    except UnicodeDecodeError:
        raise UnknownEncodingError from None
    if "\x00" in text:
        raise UnknownEncodingError
    return text
