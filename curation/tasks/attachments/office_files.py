"""Office documents: zip archives, inspected without unpacking them to disk."""

import shutil
import struct
import tempfile
import zipfile
import zlib
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import partial
from pathlib import PurePosixPath
from typing import IO, TypeVar

from curation.tasks.attachments import office_xml, pictures
from curation.tasks.attachments.naming import Named
from curation.tasks.attachments.office_loads import Loads, refuse_loading
from curation.tasks.attachments.office_xml import DocumentType, TooLarge, Unreadable

__all__ = [
    "Loads",
    "Macros",
    "OfficeDocument",
    "Protected",
    "TooLarge",
    "Unreadable",
    "office_document",
    "without_metadata",
]

MOST_ENTRIES = 5_000
MOST_BYTES = 200 * 1024 * 1024  # of all entries, unpacked, embedded documents included
_MOST_INSIDE = 2  # levels of embedding: a table in a document in a document
_BYTES_PER_ENTRY = 500  # in the central directory; a generous bound
_TAIL_BYTES = 66_000  # the end of the file, which holds the size of the central directory
_CONTENT_TYPES = "[Content_Types].xml"
_CONTENT_TYPES_BYTES = 1024 * 1024
_MAIN = {
    b"wordprocessingml.document.main+xml": ".docx",
    b"spreadsheetml.sheet.main+xml": ".xlsx",
    b"presentationml.presentation.main+xml": ".pptx",
    b"presentationml.slideshow.main+xml": ".pptx",
}
_ACTIVE = ("vbaproject", "activex", "macrosheets", "customui")
# What the name of a part holds -> where its author finds the names in it, the first that fits.
_PLACE_BY_SIGN = (
    (".rels", "links"),
    ("docprops/", "properties"),
    ("comment", "comments"),
    ("author", "comments"),
    ("person", "comments"),
    ("people", "comments"),
    ("thread", "comments"),
)
_ZIP = b"PK\x03\x04"
_PICTURES = {b"\x89PNG": ".png", b"\xff\xd8\xff": ".jpg", b"RIFF": ".webp"}
_MOST_OF_A_PICTURE = 32 * 1024 * 1024
_HEAD = 64
_IN_MEMORY = 1024 * 1024
_FIXED_DATE = (1980, 1, 1, 0, 0, 0)  # of every entry in a copy without metadata

Outcome = TypeVar("Outcome")


class Macros(ValueError):  # noqa: N818
    """The document contains macros or other active content."""


class Protected(ValueError):  # noqa: N818
    """The document is encrypted with a password."""


@dataclass(frozen=True)
class OfficeDocument:
    """What an inspection found.

    Attributes:
        ending: of its kind.
        people: named in its properties, comments, tracked changes and paths.
        parts: the names of its parts, without folders and endings.

    People and parts of embedded documents are included.
    """

    ending: str
    people: frozenset[Named]
    parts: frozenset[str]


@dataclass
class _Budget:
    """What may still be unpacked of one upload, embedded documents included."""

    entries: int = MOST_ENTRIES
    size: int = MOST_BYTES
    xml: office_xml.Budget = field(default_factory=office_xml.Budget)

    def take(self, entries: list[zipfile.ZipInfo]) -> None:
        self.entries -= len(entries)
        self.size -= sum(entry.file_size for entry in entries)
        if self.entries < 0 or self.size < 0:
            raise TooLarge


def office_document(stream: IO[bytes]) -> OfficeDocument:
    """Inspect a Word, Excel or PowerPoint document.

    Raises:
        Loads, Macros, TooLarge, Protected, Unreadable: see there.
        ValueError: no Office document, a damaged archive, or one with unsafe entry names.
    """
    return _with_archive(stream, partial(_inspect, budget=_Budget(), depth=0))


def without_metadata(stream: IO[bytes]) -> IO[bytes]:
    """Return a copy with empty properties: no author, employer, account, title or history.

    Metadata of pictures and embedded documents, and the dates of the entries, are removed too.

    Args:
        stream: a document that `office_document` accepted.
    """
    return _with_archive(stream, _stripped_copy)


def _with_archive(stream: IO[bytes], use: Callable[[zipfile.ZipFile], Outcome]) -> Outcome:
    """Open a file as an archive and pass it on. Raises what `office_document` raises."""
    try:
        _refuse_long_directory(stream)
        with zipfile.ZipFile(stream) as archive:
            return use(archive)
    except (zipfile.BadZipFile, NotImplementedError, EOFError, OSError, zlib.error) as error:
        raise ValueError("damaged archive") from error
    except RuntimeError as error:  # what zipfile raises for an encrypted entry
        raise Protected from error


def _refuse_long_directory(stream: IO[bytes]) -> None:
    """Refuse a central directory of millions of entries before zipfile loads it into memory."""
    end = stream.seek(0, 2)
    stream.seek(max(0, end - _TAIL_BYTES))
    tail = stream.read(_TAIL_BYTES)
    for signature, layout, offset in ((b"PK\x05\x06", "<I", 12), (b"PK\x06\x06", "<Q", 40)):
        at = tail.rfind(signature)
        if at < 0 or at + offset + struct.calcsize(layout) > len(tail):
            continue
        (size,) = struct.unpack_from(layout, tail, at + offset)
        if MOST_ENTRIES * _BYTES_PER_ENTRY < size < 0xFFFFFFFF:
            raise TooLarge
    stream.seek(0)


def _inspect(archive: zipfile.ZipFile, *, budget: _Budget, depth: int) -> OfficeDocument:
    entries = archive.infolist()
    budget.take(entries)
    seen = set()
    for entry in entries:
        _refuse_unsafe_entry(entry)
        if entry.filename.lower() in seen:
            raise ValueError("two entries of one name")
        seen.add(entry.filename.lower())
    if _CONTENT_TYPES.lower() not in seen:
        raise ValueError("no office document")
    if any(word in name for name in seen for word in _ACTIVE):
        raise Macros
    with archive.open(_CONTENT_TYPES) as part:
        contents = part.read(_CONTENT_TYPES_BYTES)
    if b"macroEnabled" in contents or b"vbaProject" in contents:
        raise Macros
    ending = next((end for kind, end in _MAIN.items() if kind in contents), None)
    if ending is None:
        raise ValueError("no office document")
    people: set[Named] = set()
    parts = {PurePosixPath(entry.filename).stem for entry in entries}
    for entry in entries:
        head = _head(archive, entry)
        if head.startswith(_ZIP):
            inside = _inspect_inside(archive, entry, budget, depth)
            people |= inside.people
            parts |= inside.parts
        elif _is_of_office(entry) or office_xml.looks_like_xml(head):
            place = _place_of(entry.filename)
            people |= {Named(place, name) for name in _people(archive, entry, budget)}
    return OfficeDocument(ending, frozenset(people), frozenset(parts))


def _place_of(part: str) -> str:
    """Return where the names in a part stand for its author, as `Named.place` says it."""
    found = (place for sign, place in _PLACE_BY_SIGN if sign in part.lower())
    return next(found, "text")


def _refuse_unsafe_entry(entry: zipfile.ZipInfo) -> None:
    name = entry.filename
    parts = name.split("/")
    if name.startswith("/") or "\\" in name or ":" in name or ".." in parts or "\0" in name:
        raise ValueError("a path that leaves its folder")
    if entry.external_attr >> 16 & 0o170000 == 0o120000:
        raise ValueError("a link to another file")
    if entry.flag_bits & 0x1:
        raise Protected


def _inspect_inside(
    archive: zipfile.ZipFile, entry: zipfile.ZipInfo, budget: _Budget, depth: int
) -> OfficeDocument:
    if depth == _MOST_INSIDE:
        raise TooLarge
    with _unpacked(archive, entry) as inside:
        return _with_archive(inside, partial(_inspect, budget=budget, depth=depth + 1))


def _people(archive: zipfile.ZipFile, entry: zipfile.ZipInfo, budget: _Budget) -> set[str]:
    """Return everybody whom a part names, and refuse one that loads something."""
    opened = partial(archive.open, entry)
    try:
        refuse_loading(opened, budget.xml)
        return office_xml.people_in(opened, budget.xml)
    except DocumentType as error:
        if _is_of_office(entry):
            raise ValueError("a document type") from error
    except Unreadable:
        if _is_of_office(entry):
            raise
    return set()  # embedded drawings and web pages need not be well-formed


def _is_of_office(entry: zipfile.ZipInfo) -> bool:
    return entry.filename.lower().endswith((".xml", ".rels"))


def _head(archive: zipfile.ZipFile, entry: zipfile.ZipInfo) -> bytes:
    with archive.open(entry) as part:
        return part.read(_HEAD)


def _unpacked(archive: zipfile.ZipFile, entry: zipfile.ZipInfo) -> IO[bytes]:
    """Return an embedded document as a file, which the caller closes."""
    file = tempfile.SpooledTemporaryFile(max_size=_IN_MEMORY)  # noqa: SIM115
    with archive.open(entry) as part:
        shutil.copyfileobj(part, file)
    file.seek(0)
    return file


# --- copies without metadata ----------------------------------------------------------------------
def _stripped_copy(archive: zipfile.ZipFile) -> IO[bytes]:
    file = tempfile.SpooledTemporaryFile(max_size=_IN_MEMORY)  # noqa: SIM115 - the caller closes it
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as written:
        for entry in archive.infolist():
            info = zipfile.ZipInfo(entry.filename, _FIXED_DATE)
            info.compress_type = zipfile.ZIP_DEFLATED
            with _stripped_entry(archive, entry) as part, written.open(info, "w") as target:
                shutil.copyfileobj(part, target)
    file.seek(0)
    return file


def _stripped_entry(archive: zipfile.ZipFile, entry: zipfile.ZipInfo) -> IO[bytes]:
    """Return the content of an entry without its metadata."""
    head = _head(archive, entry)
    if head.startswith(_ZIP):
        with _unpacked(archive, entry) as inside:
            return without_metadata(inside)
    ending = next((end for start, end in _PICTURES.items() if head.startswith(start)), None)
    if ending and entry.file_size <= _MOST_OF_A_PICTURE:
        try:
            return _as_file(pictures.without_metadata(archive.read(entry), ending))
        except ValueError:
            return archive.open(entry)  # a damaged picture is copied as it is
    if office_xml.looks_like_xml(head):
        empty = office_xml.without_properties(partial(archive.open, entry))
        if empty is not None:
            return _as_file(empty)
    return archive.open(entry)


def _as_file(data: bytes) -> IO[bytes]:
    file = tempfile.SpooledTemporaryFile(max_size=_IN_MEMORY)  # noqa: SIM115 - the caller closes it
    file.write(data)
    file.seek(0)
    return file
