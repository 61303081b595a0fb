"""Which files may be uploaded, decided by their content and never by their name.

`examine` returns the kind of a file and the people its properties name, or refuses it with a
sentence for the person who uploads it. Nothing here touches the database.
"""

import re
import unicodedata
from collections.abc import Collection, Iterable
from dataclasses import dataclass
from typing import IO

import puremagic
from django.conf import settings
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from curation.base.file_contents import pdf_marks
from curation.base.web.refusals import BadInput
from curation.tasks.attachments import office_files, pictures
from curation.tasks.attachments.naming import Named
from curation.tasks.attachments.office_xml import TooLarge, Unreadable

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
ENDINGS = {kind: ending for ending, kind in TYPES.items()}
ACCEPT = ",".join((*TYPES, ".jpeg"))  # for the file chooser only; nothing is checked by it
PICTURES = {".png", ".jpg", ".webp"}
DOCUMENTS = {".docx", ".xlsx", ".pptx"}
_TEXTS = {".csv": ".csv", ".txt": ".txt", ".md": ".md", ".markdown": ".md"}
# Beginnings of files that a browser or a shell would run, whatever their name, after comments.
_COMMENT = re.compile(rb"\s*<!--.*?-->", re.DOTALL)
_EXECUTABLE = re.compile(
    rb"\s*(?:#!|<\?xml|<\?php|<!doctype|<(?:html|head|body|svg|script|iframe|math)\b)",
    re.IGNORECASE,
)


def _is_executable(head: bytes) -> bool:
    """Return whether a browser or a shell would run a file that begins like this.

    Comments are passed one by one: a pattern for all of them could divide many in more ways than
    there is time to try.
    """
    at = 0
    while comment := _COMMENT.match(head, at):
        at = comment.end()
    return _EXECUTABLE.match(head, at) is not None


_LOADS = {  # what an Office document loads -> why it is refused
    "template": gettext_lazy(
        "When somebody opens this document, it asks %(target)s for its template, and so tells who "
        "reads it. In Word, choose Developer, Document Template and attach Normal, save it, then "
        "add it."
    ),
    "data": gettext_lazy(
        "When somebody opens this workbook, it asks for data (%(target)s), and so tells who reads "
        "it. Replace the formula or the connection by its values, save it, then add it."
    ),
    "content": gettext_lazy(
        "When somebody opens this document, it loads a part of itself from elsewhere "
        "(%(target)s), and so tells who reads it. Put the picture or the table itself into the "
        "document, or break the link (Word: File, Info, Edit Links to Files; Excel: Data, Edit "
        "Links), save it, then add it."
    ),
}
_OLD_OFFICE = b"\xd0\xcf\x11\xe0"
_RESERVED = re.compile(r"(?:con|prn|aux|nul|com\d|lpt\d)", re.IGNORECASE)


@dataclass(frozen=True)
class ExaminedFile:
    """The kind of a file that is accepted.

    Attributes:
        ending: a key of `TYPES`.
        people: named in its properties, comments, links or tracked changes, as far as these can be
            read.
        parts: the names of the files inside an Office document.
    """

    ending: str
    people: frozenset[Named] = frozenset()
    parts: frozenset[str] = frozenset()

    @property
    def content_type(self) -> str:
        return TYPES[self.ending]


def size_limit() -> int:
    """Return the largest size of one file, in bytes."""
    return int(settings.ATTACHMENT_MAX_MB) * 1024 * 1024


def examine(stream: IO[bytes], *, name: str, size: int) -> ExaminedFile:
    """Find out what kind of file this is.

    Args:
        stream: seekable; read from the start, the position afterwards is undefined.
        name: as the uploader typed it; used only to tell kinds of text apart.
        size: in bytes.

    Raises:
        BadInput: the file is not accepted; the sentence says why and what to do.
    """
    if size == 0:
        raise file_refusal(_("This file is empty. Choose another one, or save it again."))
    if size > size_limit():
        raise file_refusal(
            _("This file is %(have)s MB; the limit is %(most)s MB. Make it smaller or split it.")
            % {"have": f"{size / 1024 / 1024:.1f}", "most": settings.ATTACHMENT_MAX_MB}
        )
    stream.seek(0)
    head = stream.read(_HEAD)
    ending = _detected_ending(head)
    if ending == ".pdf":
        return _pdf(stream, size)
    if ending in PICTURES:
        return _picture(stream, ending, size)
    if ending == ".zip":
        return _office(stream)
    return _text(stream, head, name)


def file_refusal(sentence: str) -> BadInput:
    """Build the refusal of a file, shown at the field `file`."""
    return BadInput(sentence, code="file_refused", fields={"file": [sentence]})


def _detected_ending(head: bytes) -> str:
    """Return the ending for the file's signature; "" for anything that has none we accept."""
    try:
        known = {match.extension for match in puremagic.magic_string(head)}
    except (puremagic.PureError, ValueError):
        return ""
    # Check the first bytes too: a signature further in belongs to a file inside this one.
    if head.startswith(b"%PDF-") and ".pdf" in known:
        return ".pdf"
    if head.startswith(b"\x89PNG") and ".png" in known:
        return ".png"
    if head.startswith(b"\xff\xd8\xff") and known & {".jpg", ".jpeg", ".jfif"}:
        return ".jpg"
    if head.startswith(b"RIFF") and ".webp" in known:
        return ".webp"
    return ".zip" if head.startswith(b"PK\x03\x04") else ""


def _pdf(stream: IO[bytes], size: int) -> ExaminedFile:
    stream.seek(0)
    data = stream.read(size)
    if b"%%EOF" not in data[-1024:]:
        raise file_refusal(_("This PDF is cut off before its end. Save or scan it again."))
    _refuse_polyglot(data)
    if pdf_marks.is_active(data):
        raise file_refusal(
            _("This PDF runs scripts or holds other files. Print it to a new PDF and add that.")
        )
    authors = frozenset(Named("properties", name) for name in pdf_marks.authors(data))
    return ExaminedFile(".pdf", people=authors)


def _picture(stream: IO[bytes], ending: str, size: int) -> ExaminedFile:
    stream.seek(0)
    data = stream.read(size)
    _refuse_polyglot(data)
    try:
        width, height = pictures.measure(data, ending)
    except ValueError:
        raise file_refusal(
            _("This picture is damaged or holds more than a picture. Save it again as PNG or JPEG.")
        ) from None
    if width * height > pictures.MOST_PIXELS:
        raise file_refusal(
            _("This picture has %(n)s million pixels; at most %(most)s million can be opened.")
            % {"n": width * height // 1_000_000, "most": pictures.MOST_PIXELS // 1_000_000}
        )
    return ExaminedFile(ending)


def _refuse_polyglot(data: bytes) -> None:
    """Refuse a picture or PDF that is a valid archive, or a picture that is a PDF, as well."""
    if b"PK\x05\x06" in data[-66_000:] or (
        not data.startswith(b"%PDF") and b"%PDF-" in data[:1024]
    ):
        raise file_refusal(
            _("This file is two files in one. Save the document alone, then add it.")
        )


def _office(stream: IO[bytes]) -> ExaminedFile:
    try:
        found = office_files.office_document(stream)
    except office_files.Loads as loads:
        raise file_refusal(_LOADS[loads.what] % {"target": loads.target}) from None
    except office_files.Macros:
        raise file_refusal(
            _("This document contains macros. Save it without them (as docx, xlsx or pptx).")
        ) from None
    except TooLarge:
        raise file_refusal(
            _("Unpacked, this document would be far larger than what can be opened here.")
        ) from None
    except office_files.Protected:
        raise file_refusal(
            _("This document is protected by a password. Save it without one.")
        ) from None
    except Unreadable:
        raise file_refusal(
            _(
                "A part of this document cannot be read. Open it, save it again as docx, xlsx or "
                "pptx, then add it."
            )
        ) from None
    except ValueError:
        raise file_refusal(
            _(
                "Archives are not accepted. Add the documents in them one by one: PDF, Word, "
                "Excel, PowerPoint, pictures, CSV or text."
            )
        ) from None
    return ExaminedFile(found.ending, found.people, found.parts)


def _text(stream: IO[bytes], head: bytes, name: str) -> ExaminedFile:
    other_kind = file_refusal(
        _(
            "Files of this kind are not accepted. Add PDF, PNG, JPEG, WebP, docx, xlsx, pptx, "
            "CSV, TXT or Markdown."
        )
    )
    ending = _TEXTS.get(_ending(name))
    if _is_executable(head.removeprefix(b"\xef\xbb\xbf")):
        raise file_refusal(
            _(
                "Web pages, drawings with code and scripts are not accepted. Add what people "
                "should read as PDF or text."
            )
        )
    if head.startswith(_OLD_OFFICE):
        raise file_refusal(
            _(
                "This is an old Office format, or a password is needed. Save it as docx, xlsx or "
                "pptx without one."
            )
        )
    if head.startswith((b"\xff\xfe", b"\xfe\xff")) and ending:
        raise file_refusal(_("This text is in UTF-16. Save it again as UTF-8, then add it."))
    if ending is None or b"\x00" in head:
        raise other_kind
    stream.seek(0)
    try:
        text = stream.read(size_limit()).decode("utf-8-sig")
    except UnicodeDecodeError:
        raise file_refusal(
            _("This text is not in UTF-8. Save it again as UTF-8 (in Excel: CSV UTF-8).")
        ) from None
    if "\x00" in text:
        raise other_kind
    return ExaminedFile(ending)


# --- names ----------------------------------------------------------------------------------
def clean_name(raw: str, ending: str, *, hide: Iterable[str] = ()) -> str:
    """Return the name under which a file is shown and downloaded.

    Args:
        raw: as typed; folders, control and direction characters are removed.
        ending: of the file's content; it replaces the typed one.
        hide: words to remove (the parts of the author's name).
    """
    name = unicodedata.normalize("NFC", raw).replace("\\", "/").rsplit("/", 1)[-1]
    # Category Cf has the characters that turn the reading direction: "annex‮fdp.exe" looks like a
    # PDF. Lone surrogates (Cs) cannot be stored.
    name = "".join(c for c in name if unicodedata.category(c) not in {"Cc", "Cf", "Cs", "Co"})
    name = re.sub(r'[<>:"|?*%;]', " ", name)
    stem = name[: -len(_ending(name))] if _ending(name) else name
    for word in hide:
        stem = re.sub(re.escape(word), " ", stem, flags=re.IGNORECASE)
    stem = " ".join(stem.split()).strip(" ._-") or _("file")
    if _RESERVED.fullmatch(stem):
        stem = f"_{stem}"
    return stem[: NAME_LIMIT - len(ending)].rstrip() + ending


def free_name(name: str, taken: Collection[str]) -> str:
    """Return a name that is not taken: the name itself, or one with a number before the ending."""
    ending = _ending(name)
    stem = name[: -len(ending)] if ending else name
    free, number = name, 2
    while free in taken:
        mark = f" ({number})"
        free = stem[: NAME_LIMIT - len(ending) - len(mark)] + mark + ending
        number += 1
    return free


def _ending(name: str) -> str:
    """Return the ending with its dot, in lower case; "" if there is none."""
    match = re.search(r"(?<!\.)\.[A-Za-z0-9]{1,10}$", name.rstrip())
    return match[0].lower() if match else ""
