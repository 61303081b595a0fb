"""Office documents: zip archives that are looked into without being unpacked to disk."""

import shutil
import struct
import tempfile
import zipfile
import zlib
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import partial
from typing import IO, TypeVar

from curation.attachments import office_xml, pictures
from curation.attachments.office_xml import DocumentType, TooLarge, Unreadable

__all__ = ["Macros", "Protected", "TooLarge", "Unreadable", "office_document", "without_traces"]

MOST_ENTRIES = 5_000
MOST_BYTES = 200 * 1024 * 1024  # of all entries, unpacked, with the documents inside
_MOST_INSIDE = 2  # a table in a document in a document
_DIRECTORY = 500  # bytes of one entry's row in the list of entries, and that is plenty
_TAIL = 66_000  # bytes at the end in which that list is announced
_CONTENTS = "[Content_Types].xml"
_CONTENTS_BYTES = 1024 * 1024
_MAIN = {
    b"wordprocessingml.document.main+xml": ".docx",
    b"spreadsheetml.sheet.main+xml": ".xlsx",
    b"presentationml.presentation.main+xml": ".pptx",
    b"presentationml.slideshow.main+xml": ".pptx",
}
_ACTIVE = ("vbaproject", "activex", "macrosheets", "customui")
_ZIP = b"PK\x03\x04"
_PICTURES = {b"\x89PNG": ".png", b"\xff\xd8\xff": ".jpg", b"RIFF": ".webp"}
_MOST_OF_A_PICTURE = 32 * 1024 * 1024
_HEAD = 64
_IN_MEMORY = 1024 * 1024
_THEN = (1980, 1, 1, 0, 0, 0)  # when every entry of a document read blind was written

Outcome = TypeVar("Outcome")


class Macros(ValueError):  # noqa: N818
    """The document brings programs along."""


class Protected(ValueError):  # noqa: N818
    """A password is needed."""


@dataclass
class _Budget:
    """What may still be unpacked of an upload, with the documents inside it."""

    entries: int = MOST_ENTRIES
    size: int = MOST_BYTES
    xml: office_xml.Budget = field(default_factory=office_xml.Budget)

    def take(self, entries: list[zipfile.ZipInfo]) -> None:
        self.entries -= len(entries)
        self.size -= sum(entry.file_size for entry in entries)
        if self.entries < 0 or self.size < 0:
            raise TooLarge


def office_document(stream: IO[bytes]) -> tuple[str, frozenset[str]]:
    """What an archive is, if it is a Word, Excel or PowerPoint document.

    Returns:
        its ending, and whom its properties, comments, tracked changes and paths name, those of
        documents inside it as well.

    Raises:
        Macros, TooLarge, Protected, Unreadable: see there.
        ValueError: another archive, a damaged one, or one that plays tricks with names.
    """
    return _opened(stream, partial(_look, budget=_Budget(), depth=0))


def without_traces(stream: IO[bytes]) -> IO[bytes]:
    """The same document with empty properties: no author, employer, account, title or history.

    Pictures inside lose their notes, documents inside their properties, entries their dates.

    Args:
        stream: a document that `office_document` has taken.
    """
    return _opened(stream, _rewritten)


def _opened(stream: IO[bytes], use: Callable[[zipfile.ZipFile], Outcome]) -> Outcome:
    """Use a file as an archive. Raises what `office_document` raises."""
    try:
        _refuse_long_directory(stream)
        with zipfile.ZipFile(stream) as archive:
            return use(archive)
    except (zipfile.BadZipFile, NotImplementedError, EOFError, OSError, zlib.error) as error:
        raise ValueError("damaged archive") from error
    except RuntimeError as error:  # zipfile's word for an encrypted entry
        raise Protected from error


def _refuse_long_directory(stream: IO[bytes]) -> None:
    """Refuse a list of millions of entries before it is read: each takes memory."""
    end = stream.seek(0, 2)
    stream.seek(max(0, end - _TAIL))
    tail = stream.read(_TAIL)
    for mark, layout, place in ((b"PK\x05\x06", "<I", 12), (b"PK\x06\x06", "<Q", 40)):
        at = tail.rfind(mark)
        if at < 0 or at + place + struct.calcsize(layout) > len(tail):
            continue
        (size,) = struct.unpack_from(layout, tail, at + place)
        if MOST_ENTRIES * _DIRECTORY < size < 0xFFFFFFFF:
            raise TooLarge
    stream.seek(0)


def _look(archive: zipfile.ZipFile, *, budget: _Budget, depth: int) -> tuple[str, frozenset[str]]:
    entries = archive.infolist()
    budget.take(entries)
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
    return ending, frozenset(
        name for entry in entries for name in _people(archive, entry, budget, depth)
    )


def _refuse_tricks(entry: zipfile.ZipInfo) -> None:
    name = entry.filename
    parts = name.split("/")
    if name.startswith("/") or "\\" in name or ":" in name or ".." in parts or "\0" in name:
        raise ValueError("a path that leaves its folder")
    if entry.external_attr >> 16 & 0o170000 == 0o120000:
        raise ValueError("a link to another file")
    if entry.flag_bits & 0x1:
        raise Protected


def _people(
    archive: zipfile.ZipFile, entry: zipfile.ZipInfo, budget: _Budget, depth: int
) -> set[str] | frozenset[str]:
    """Everybody whom one entry names."""
    head = _head(archive, entry)
    if head.startswith(_ZIP):
        if depth == _MOST_INSIDE:
            raise TooLarge
        with _unpacked(archive, entry) as inside:
            return _opened(inside, partial(_look, budget=budget, depth=depth + 1))[1]
    read = partial(office_xml.people_in, partial(archive.open, entry), budget.xml)
    if entry.filename.lower().endswith((".xml", ".rels")):
        try:
            return read()
        except DocumentType as error:
            raise ValueError("a document type") from error
    if not office_xml.looks_like_xml(head):
        return set()
    try:
        return read()
    except (DocumentType, Unreadable):
        return set()  # a drawing or a web page in a document need not be sound


def _head(archive: zipfile.ZipFile, entry: zipfile.ZipInfo) -> bytes:
    with archive.open(entry) as part:
        return part.read(_HEAD)


def _unpacked(archive: zipfile.ZipFile, entry: zipfile.ZipInfo) -> IO[bytes]:
    """A document inside another one, as a file of its own. Whoever asks closes it."""
    file = tempfile.SpooledTemporaryFile(max_size=_IN_MEMORY)  # noqa: SIM115
    with archive.open(entry) as part:
        shutil.copyfileobj(part, file)
    file.seek(0)
    return file


# --- what blind readers get -----------------------------------------------------------------------
def _rewritten(archive: zipfile.ZipFile) -> IO[bytes]:
    file = tempfile.SpooledTemporaryFile(max_size=_IN_MEMORY)  # noqa: SIM115 - the caller closes it
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as written:
        for entry in archive.infolist():
            bare = zipfile.ZipInfo(entry.filename, _THEN)
            bare.compress_type = zipfile.ZIP_DEFLATED
            with _bare(archive, entry) as part, written.open(bare, "w") as target:
                shutil.copyfileobj(part, target)
    file.seek(0)
    return file


def _bare(archive: zipfile.ZipFile, entry: zipfile.ZipInfo) -> IO[bytes]:
    """What an entry of a document read blind holds."""
    head = _head(archive, entry)
    if head.startswith(_ZIP):
        with _unpacked(archive, entry) as inside:
            return without_traces(inside)
    ending = next((end for start, end in _PICTURES.items() if head.startswith(start)), None)
    if ending and entry.file_size <= _MOST_OF_A_PICTURE:
        try:
            return _held(pictures.without_traces(archive.read(entry), ending))
        except ValueError:
            return archive.open(entry)  # damaged: kept as it is
    if office_xml.looks_like_xml(head):
        empty = office_xml.emptied(partial(archive.open, entry))
        if empty is not None:
            return _held(empty)
    return archive.open(entry)


def _held(data: bytes) -> IO[bytes]:
    file = tempfile.SpooledTemporaryFile(max_size=_IN_MEMORY)  # noqa: SIM115
    file.write(data)
    file.seek(0)
    return file
