"""From a stored file to the text that its readers see, capped and cleaned.

Nothing of a file is carried out or fetched; PDF and Word are read in a process of their own
(`curation.base.file_contents`).
"""

import codecs
import hashlib
import re
from dataclasses import dataclass
from pathlib import Path

from curation.base.file_contents.reading import read_unstored
from judge.asking.candidates import steering_rules
from judge.asking.prompts.cleaning import clean, inline
from judge.methods.evidence.search import html_text
from judge.methods.evidence.search.interface import PAGE_CHARACTERS, Gap, Note

TEXT_BYTES = 5_000_000  # of a text or HTML page that are read
FILE_BYTES = 20_000_000  # of a PDF or Word document; a larger one is not read at all
_TEXTS = {".txt", ".md", ".html", ".htm"}
_FILES = {".pdf", ".docx"}
_META = re.compile(rb"<meta[^<>]{0,300}?charset\s*=\s*[\"']?([\w.:-]{1,40})", re.IGNORECASE)
_MARKS = ((codecs.BOM_UTF8, "utf-8-sig"), (codecs.BOM_UTF16_LE, "utf-16"),
          (codecs.BOM_UTF16_BE, "utf-16"))  # fmt: skip
# What pages may be in; everything else Python knows under this name (zip, idna) is no encoding.
_ENCODINGS = re.compile(
    r"utf_8|utf_16(_[lb]e)?|gb2312|gbk|gb18030|big5(hkscs)?|shift_jis|euc_jp|euc_kr|cp949|koi8_[ru]"
    r"|iso8859_\d+|cp125\d|ascii"
)
_WIDER = {"gb2312": "gb18030", "gbk": "gb18030", "iso8859_1": "cp1252", "ascii": "cp1252"}


@dataclass(frozen=True, slots=True)
class Read:
    """What a file says; `gap` is None if and only if there is a text."""

    title: str = ""
    text: str = ""
    notes: tuple[Note, ...] = ()
    gap: Gap | None = None
    sha256: str = ""


def read_file(folder: Path, name: str, charset: str = "") -> Read:
    """Return the text of a file of the store.

    Args:
        name: its path within the folder.
        charset: the encoding that was sent with it; "" if none was.
    """
    root = folder.resolve()
    try:
        path = (root / name).resolve()
        if not path.is_relative_to(root):
            return Read(gap=Gap.OUTSIDE)
        if not path.is_file():
            return Read(gap=Gap.DEAD)
        ending, size = path.suffix.lower(), path.stat().st_size
        if ending not in _TEXTS | _FILES:
            return Read(gap=Gap.UNREADABLE)
        if ending in _FILES and size > FILE_BYTES:
            return Read(gap=Gap.TOO_LARGE)
        with path.open("rb") as file:
            data = file.read(TEXT_BYTES if ending in _TEXTS else FILE_BYTES)
            digest = _digest(path) if size > len(data) else hashlib.sha256(data).hexdigest()
    except (OSError, ValueError):  # too long a name, or one with NUL
        return Read(gap=Gap.UNREADABLE)
    notes = {Note.CUT} if size > len(data) else set()
    if ending in _FILES:
        found = read_unstored(data, ending)
        if found["reason"]:
            gap = Gap.EMPTY if found["reason"] == "empty" else Gap.UNREADABLE
            return Read(gap=gap, sha256=digest)
        notes |= {Note.HIDDEN if what == "hidden" else Note.CUT for what in found["cut"]}
        title, text = "", "\n\n".join(section[-1] for section in found["sections"])
    else:
        text, sure = decoded(data, charset, html=ending in (".html", ".htm"))
        notes |= set() if sure else {Note.ENCODING}
        title = ""
        if ending in (".html", ".htm"):
            title, text, hidden = html_text.seen(text)
            notes |= {Note.HIDDEN} if hidden else set()
    return _cleaned(title, text, notes, digest)


def decoded(data: bytes, charset: str = "", *, html: bool = False) -> tuple[str, bool]:
    """Return a text, and whether its encoding is the one that was named (UTF-8 without a name).

    Otherwise UTF-8, GB 18030 and Windows-1252 are tried in this order: the first that fits counts.
    """
    for mark, encoding in _MARKS:
        if data.startswith(mark):
            return data.decode(encoding, errors="replace"), True
    if not charset and html and (meta := _META.search(data[:4096])):
        charset = meta[1].decode("ascii")
    named = _encoding(charset) if charset else "utf_8"
    order = (named, "utf_8", "gb18030")
    if not data.isascii() and not named.startswith("utf_16"):
        order = ("utf_8", named, "gb18030")  # little that is not UTF-8 can be read as it by chance
    for encoding in order:
        if encoding:
            try:
                return _strictly(data, encoding), encoding == named
            except UnicodeDecodeError:
                continue
    return data.decode("cp1252", errors="replace"), False


def _strictly(data: bytes, encoding: str) -> str:
    """Decode without a fault; half a character at the end of what was cut is left out."""
    final = len(data) < TEXT_BYTES
    return codecs.getincrementaldecoder(encoding)().decode(data, final)


def _encoding(name: str) -> str:
    try:
        found = codecs.lookup(name).name.replace("-", "_")
    except (LookupError, ValueError):
        return ""
    return _WIDER.get(found, found) if _ENCODINGS.fullmatch(found) else ""


def _cleaned(title: str, text: str, notes: set[Note], digest: str) -> Read:
    text = text.replace("\r\n", "\n").replace("\r", "\n")
    if len(text) > PAGE_CHARACTERS:
        text, notes = text[:PAGE_CHARACTERS], notes | {Note.CUT}
    kinds = {mark.kind for mark in steering_rules.marks(f"{title}\n{text}")}
    if kinds & {steering_rules.INSTRUCTION, steering_rules.VERDICT, steering_rules.FENCE}:
        notes = notes | {Note.INSTRUCTIONS}
    if kinds & {steering_rules.INVISIBLE, steering_rules.DIRECTION}:
        notes = notes | {Note.INVISIBLE}
    text = clean(text).replace("\x00", "").strip()
    if not text:
        return Read(gap=Gap.EMPTY, notes=tuple(sorted(notes)), sha256=digest)
    return Read(inline(title)[:300], text, tuple(sorted(notes)), None, digest)


def _digest(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()
