"""Office documents: zip archives that are looked into without being unpacked to disk."""

import re
import zipfile
import zlib
from html import unescape
from typing import IO

MOST_ENTRIES = 5_000
MOST_BYTES = 200 * 1024 * 1024  # of all entries, unpacked
_CONTENTS = "[Content_Types].xml"
_CONTENTS_BYTES = 1024 * 1024
_MAIN = {
    b"wordprocessingml.document.main+xml": ".docx",
    b"spreadsheetml.sheet.main+xml": ".xlsx",
    b"presentationml.presentation.main+xml": ".pptx",
    b"presentationml.slideshow.main+xml": ".pptx",
}
_ACTIVE = ("vbaproject", "activex", "macrosheets", "customui")
_PEOPLE = re.compile(
    rb"<(?:dc:creator|cp:lastModifiedBy|Company|Manager|(?:\w+:)?author)>([^<]{1,200})<"
    rb"|\b\w+:author=\"([^\"]{1,200})\""
)
_DOCTYPE = re.compile(rb"<!(?:doctype|entity)", re.IGNORECASE)
_LOOKED_AT = 64 * 1024  # bytes of each part: a document type stands in the first lines


class Macros(ValueError):  # noqa: N818
    """The document brings programs along."""


class TooLarge(ValueError):  # noqa: N818
    """Unpacked it would be larger than anybody's work: a bomb, or a mistake."""


class Protected(ValueError):  # noqa: N818
    """A password is needed."""


def office_document(stream: IO[bytes]) -> tuple[str, frozenset[str]]:
    """What an archive is, if it is a Word, Excel or PowerPoint document.

    Returns:
        its ending, and whom its properties, comments and tracked changes name.

    Raises:
        Macros, TooLarge, Protected: see there.
        ValueError: another archive, a damaged one, or one that plays tricks with names.
    """
    try:
        with zipfile.ZipFile(stream) as archive:
            return _look(archive)
    except (zipfile.BadZipFile, NotImplementedError, EOFError, OSError, zlib.error) as error:
        raise ValueError("damaged archive") from error
    except RuntimeError as error:  # zipfile's word for an encrypted entry
        raise Protected from error


def _look(archive: zipfile.ZipFile) -> tuple[str, frozenset[str]]:
    entries = archive.infolist()
    if len(entries) > MOST_ENTRIES or sum(entry.file_size for entry in entries) > MOST_BYTES:
        raise TooLarge
    seen = set()
    for entry in entries:
        _refuse_tricks(entry)
        if entry.filename.lower() in seen:
            raise ValueError("two entries of one name")
        seen.add(entry.filename.lower())
    if _CONTENTS.lower() not in seen:
        raise ValueError("no office document")
    if any(word in name for name in seen for word in _ACTIVE):
        raise Macros
    with archive.open(_CONTENTS) as part:
        contents = part.read(_CONTENTS_BYTES)
    if b"macroEnabled" in contents or b"vbaProject" in contents:
        raise Macros
    ending = next((end for kind, end in _MAIN.items() if kind in contents), None)
    if ending is None:
        raise ValueError("no office document")
    return ending, _people(archive, entries)


def _refuse_tricks(entry: zipfile.ZipInfo) -> None:
    name = entry.filename
    parts = name.split("/")
    if name.startswith("/") or "\\" in name or ":" in name or ".." in parts or "\0" in name:
        raise ValueError("a path that leaves its folder")
    if entry.external_attr >> 16 & 0o170000 == 0o120000:
        raise ValueError("a link to another file")
    if entry.flag_bits & 0x1:
        raise Protected


def _people(archive: zipfile.ZipFile, entries: list[zipfile.ZipInfo]) -> frozenset[str]:
    """Everybody whom properties, comments or tracked changes name; XML with a doctype is refused.

    Office writes no document types; whoever adds one wants a reader to load something.
    """
    named: set[str] = set()
    for entry in entries:
        if not entry.filename.lower().endswith((".xml", ".rels")):
            continue
        with archive.open(entry) as part:
            text = part.read(_LOOKED_AT)
        if _DOCTYPE.search(text[:4096]):
            raise ValueError("a document type")
        for one, other in _PEOPLE.findall(text):
            named.add(unescape((one or other).decode("utf-8", "replace")).strip())
    return frozenset(named - {""})
