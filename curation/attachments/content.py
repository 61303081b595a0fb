"""What may be uploaded: found in the content of a file, never believed from its name.

`examine` reads a file and says what it is, under which name it is kept and what its readers should
know; or it refuses in the words of whoever uploads. Nothing here touches the database.
"""

import re
import unicodedata
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import IO, Any

import puremagic
from django.conf import settings
from django.utils.translation import gettext as _

from curation.attachments import office_files, pictures
from curation.attachments.office_xml import TooLarge, Unreadable
from curation.web.refusals import BadInput

FILES_PER_THING = 10
NAME_LIMIT = 200  # characters, with the ending
_HEAD = 8192  # bytes; more than any signature needs

OFFICE = "application/vnd.openxmlformats-officedocument."
TYPES = {  # ending as kept -> type as served
    ".pdf": "application/pdf",
    ".png": "image/png",
    ".jpg": "image/jpeg",
    ".webp": "image/webp",
    ".docx": f"{OFFICE}wordprocessingml.document",
    ".xlsx": f"{OFFICE}spreadsheetml.sheet",
    ".pptx": f"{OFFICE}presentationml.presentation",
    ".csv": "text/csv",
    ".txt": "text/plain",
    ".md": "text/markdown",
}
ACCEPT = ",".join((*TYPES, ".jpeg"))  # for the file chooser; a hint, no check
PICTURES = {".png", ".jpg", ".webp"}
DOCUMENTS = {".docx", ".xlsx", ".pptx"}
_TEXTS = {".csv": ".csv", ".txt": ".txt", ".md": ".md", ".markdown": ".md"}
# What a browser or a shell would run, however the file is called.
_RUNS = re.compile(
    rb"\s*(?:<!--.*?-->\s*)*(?:#!|<\?xml|<\?php|<!doctype|<(?:html|head|body|svg|script|iframe|math)\b)",
    re.IGNORECASE | re.DOTALL,
)


def _pdf_name(name: str) -> bytes:
    """A pattern for a name in a PDF; any of its letters may be written as # and two digits."""
    letters = b"".join(b"(?:%c|#(?i:%02x))" % (letter, letter) for letter in name.encode())
    return b"/" + letters + rb"(?![^\x00\t\n\f\r ()<>\[\]{}/%])"


_PDF_ACTS = re.compile(
    b"|".join(
        map(_pdf_name, ("JavaScript", "Launch", "EmbeddedFile", "EmbeddedFiles", "RichMedia"))
    )
)
_PDF_AUTHOR = re.compile(
    _pdf_name("Author") + rb"\s*(?:\(((?:\\.|[^\\)]){1,400})\)|<([0-9A-Fa-f\s]{1,800})>)"
    rb"|<dc:creator>(.{1,400}?)</dc:creator>",
    re.DOTALL,
)
_OLD_OFFICE = b"\xd0\xcf\x11\xe0"
_RESERVED = re.compile(r"(?:con|prn|aux|nul|com\d|lpt\d)", re.IGNORECASE)


@dataclass(frozen=True)
class Found:
    """A file that may be kept.

    Attributes:
        ending: one of `TYPES`.
        people: whom its properties name as authors, as far as that can be read.
    """

    ending: str
    people: frozenset[str] = frozenset()

    @property
    def content_type(self) -> str:
        return TYPES[self.ending]


@dataclass(frozen=True)
class Cleaned:
    """A name ready to be shown and downloaded.

    Attributes:
        hidden: words of the uploader's name were taken out.
    """

    name: str
    hidden: bool = field(default=False)


def size_limit() -> int:
    """The most bytes one file may have."""
    return int(settings.ATTACHMENT_MAX_MB) * 1024 * 1024


def examine(stream: IO[bytes], *, name: str, size: int) -> Found:
    """Find out what a file is.

    Args:
        stream: seekable; read from its beginning and left anywhere.
        name: as the uploader typed it; only tells one kind of text from another.
        size: in bytes.

    Raises:
        BadInput: it may not be kept, with a sentence that says why and what to do.
    """
    if size == 0:
        raise refused(_("This file is empty. Choose another one, or save it again."))
    if size > size_limit():
        raise refused(
            _("This file has %(have)s MB; at most %(most)s MB fit. Make it smaller or split it.")
            % {"have": f"{size / 1024 / 1024:.1f}", "most": settings.ATTACHMENT_MAX_MB}
        )
    stream.seek(0)
    head = stream.read(_HEAD)
    ending = _signature(head)
    if ending == ".pdf":
        return _pdf(stream, size)
    if ending in PICTURES:
        return _picture(stream, ending, size)
    if ending == ".zip":
        return _office(stream)
    return _text(stream, head, name)


def refused(sentence: str) -> BadInput:
    """A refusal of a file, at its field."""
    return BadInput(sentence, code="file_refused", fields={"file": [sentence]})


def _signature(head: bytes) -> str:
    """The ending of what the first bytes are, if it is something we keep; else nothing."""
    try:
        known = {match.extension for match in puremagic.magic_string(head)}
    except (puremagic.PureError, ValueError):
        return ""
    # The first bytes themselves: a signature found further in is a file inside another one.
    if head.startswith(b"%PDF-") and ".pdf" in known:
        return ".pdf"
    if head.startswith(b"\x89PNG") and ".png" in known:
        return ".png"
    if head.startswith(b"\xff\xd8\xff") and known & {".jpg", ".jpeg", ".jfif"}:
        return ".jpg"
    if head.startswith(b"RIFF") and ".webp" in known:
        return ".webp"
    return ".zip" if head.startswith(b"PK\x03\x04") else ""


def _pdf(stream: IO[bytes], size: int) -> Found:
    stream.seek(0)
    data = stream.read(size)
    if b"%%EOF" not in data[-1024:]:
        raise refused(_("This PDF breaks off before its end. Save or scan it again."))
    _refuse_two_in_one(data)
    if _PDF_ACTS.search(data):
        raise refused(
            _("This PDF runs scripts or holds other files. Print it to a new PDF and add that.")
        )
    return Found(".pdf", people=_pdf_people(data))


def _pdf_people(data: bytes) -> frozenset[str]:
    """Whom a PDF's open properties name. Those in compressed objects are not seen."""
    people = set()
    for literal, hexadecimal, described in _PDF_AUTHOR.findall(data):
        if hexadecimal:
            digits = re.sub(rb"\s", b"", hexadecimal)
            raw = bytes.fromhex((digits + b"0" * (len(digits) % 2)).decode())
        else:
            raw = literal or re.sub(rb"<[^>]*>", b" ", described)
        coding = "utf-16-be" if raw.startswith(b"\xfe\xff") else "utf-8"
        people.add(raw.removeprefix(b"\xfe\xff").decode(coding, "replace").strip())
    return frozenset(people - {""})


def _picture(stream: IO[bytes], ending: str, size: int) -> Found:
    stream.seek(0)
    data = stream.read(size)
    _refuse_two_in_one(data)
    try:
        width, height = pictures.measure(data, ending)
    except ValueError:
        raise refused(
            _("This picture is damaged or holds more than a picture. Save it again as PNG or JPEG.")
        ) from None
    if width * height > pictures.MOST_PIXELS:
        raise refused(
            _("This picture has %(n)s million pixels; at most %(most)s million can be opened.")
            % {"n": width * height // 1_000_000, "most": pictures.MOST_PIXELS // 1_000_000}
        )
    return Found(ending)


def _refuse_two_in_one(data: bytes) -> None:
    """A picture or PDF with an archive behind it is read as either, by whoever opens it."""
    if b"PK\x05\x06" in data[-66_000:] or (
        not data.startswith(b"%PDF") and b"%PDF-" in data[:1024]
    ):
        raise refused(_("This file is two files in one. Save the document alone, then add it."))


def _office(stream: IO[bytes]) -> Found:
    try:
        ending, people = office_files.office_document(stream)
    except office_files.Macros:
        raise refused(
            _("This document contains macros. Save it without them (as docx, xlsx or pptx).")
        ) from None
    except TooLarge:
        raise refused(
            _("Unpacked, this document would be far larger than what can be opened here.")
        ) from None
    except office_files.Protected:
        raise refused(_("This document is protected by a password. Save it without one.")) from None
    except Unreadable:
        raise refused(
            _(
                "A part of this document cannot be read. Open it, save it again as docx, xlsx or "
                "pptx, then add it."
            )
        ) from None
    except ValueError:
        raise refused(
            _(
                "Archives are not taken. Add the documents in it one by one: PDF, Word, Excel, "
                "PowerPoint, pictures, CSV or text."
            )
        ) from None
    return Found(ending, people=people)


def _text(stream: IO[bytes], head: bytes, name: str) -> Found:
    other_kind = refused(
        _(
            "Files of this kind are not taken. Add PDF, PNG, JPEG, WebP, docx, xlsx, pptx, CSV, "
            "TXT or Markdown."
        )
    )
    ending = _TEXTS.get(_ending(name))
    if _RUNS.match(head.removeprefix(b"\xef\xbb\xbf")):
        raise refused(
            _(
                "Web pages, drawings with code and scripts are not taken. Add what people should "
                "read as PDF or text."
            )
        )
    if head.startswith(_OLD_OFFICE):
        raise refused(
            _(
                "This is an old Office format, or a password is needed. Save it as docx, xlsx or "
                "pptx without one."
            )
        )
    if head.startswith((b"\xff\xfe", b"\xfe\xff")) and ending:
        raise refused(_("This text is in UTF-16. Save it again as UTF-8, then add it."))
    if ending is None or b"\x00" in head:
        raise other_kind
    stream.seek(0)
    try:
        text = stream.read(size_limit()).decode("utf-8-sig")
    except UnicodeDecodeError:
        raise refused(
            _("This text is not in UTF-8. Save it again as UTF-8 (in Excel: CSV UTF-8).")
        ) from None
    if "\x00" in text:
        raise other_kind
    return Found(ending)


# --- names ----------------------------------------------------------------------------------
def clean_name(raw: str, ending: str, *, hide: Iterable[str] = ()) -> Cleaned:
    """The name a file is shown and downloaded under; its ending follows the content.

    Args:
        raw: as typed; paths, control and direction characters are taken out of it.
        hide: words that must not stand in it (the parts of somebody's name).
    """
    name = unicodedata.normalize("NFC", raw).replace("\\", "/").rsplit("/", 1)[-1]
    # Cf holds the characters that turn the reading direction: "annex‮fdp.exe" reads as a PDF.
    # A half pair (Cs) cannot be stored.
    name = "".join(c for c in name if unicodedata.category(c) not in {"Cc", "Cf", "Cs", "Co"})
    name = re.sub(r'[<>:"|?*%;]', " ", name)
    stem = name[: -len(_ending(name))] if _ending(name) else name
    before = stem
    for word in hide:
        stem = re.sub(re.escape(word), " ", stem, flags=re.IGNORECASE)
    hidden = stem != before
    stem = " ".join(stem.split()).strip(" ._-") or _("file")
    if _RESERVED.fullmatch(stem):
        stem = f"_{stem}"
    return Cleaned(stem[: NAME_LIMIT - len(ending)].rstrip() + ending, hidden)


def names(people: Iterable[str], words: Iterable[str]) -> bool:
    """Whether one of these people is whom the words tell of."""
    folded = [word.casefold() for word in words]
    return any(word in person.casefold() for person in people for word in folded)


def words_of(user: Any) -> list[str]:
    """The words that tell who somebody is: of the name, of the address, the employer."""
    parts = re.split(r"[\W_]+", user.display_name) + re.split(r"[\W\d_]+", user.email.split("@")[0])
    whole = [user.display_name.strip(), user.affiliation.strip()]
    words = {word for word in parts if len(word) >= (3 if word.isascii() else 2)}
    return sorted({word for word in whole if len(word) >= 2} | words, key=len, reverse=True)


def _ending(name: str) -> str:
    """The ending with its dot, in small letters; empty if there is none."""
    match = re.search(r"(?:^|[^.])\s*(\.[A-Za-z0-9]{1,10})\s*$", name)
    return match[1].lower() if match else ""
