"""The texts of an Office document beside those that are read: headers, comments, names of things.

Every part is searched, whatever it is called, because a list of places would miss one. Left out
are what `office` and `workbooks` read already, and names of fonts and styles.
"""

import io
import re
import zipfile
from collections.abc import Iterator
from html import unescape
from typing import Any

from lxml import etree

from curation.base.file_contents.reader.found import Found

_DEEP = 2  # documents within documents
_PART_BYTES = 50_000_000  # of one part that are searched
_PLACES = (  # beginning of a part's path -> what people call it
    ("word/header", "headers"),
    ("word/footer", "headers"),
    ("word/comments", "comments"),
    ("word/people", "comments"),
    ("ppt/comment", "comments"),
    ("ppt/authors", "comments"),
    ("xl/comments", "comments"),
    ("xl/threadedComments", "comments"),
    ("xl/persons", "comments"),
    ("ppt/slideMasters", "masters"),
    ("ppt/slideLayouts", "masters"),
    ("ppt/notesMasters", "masters"),
    ("ppt/handoutMasters", "masters"),
    ("xl/worksheets", "headers"),
    ("docProps", "properties"),
    ("customXml", "properties"),
    ("word/settings", "properties"),
    ("xl/workbook", "properties"),
)
_READ = re.compile(  # parts whose text is read for models; names of things in them are not
    r"word/(?:document|footnotes|endnotes)\.xml|ppt/(?:slides|notesSlides)/[^/]+\.xml"
    r"|xl/sharedStrings\.xml"
)
_SHEET = re.compile(r"xl/worksheets/[^/]+\.xml")
_SKIPPED = re.compile(
    r".*/(?:styles|stylesWithEffects|fontTable|numbering|webSettings|theme\d*|tableStyles)\.xml"
    r"|\[Content_Types\]\.xml"
)
_FONTS = {"rFonts", "latin", "ea", "cs", "sym", "font", "lang", "themeFontLang", "clrMap"}
_REMOVED = {"delText", "instrText"}  # in parts that are read, these are not
_RUNS = {"t", "delText", "instrText"}  # a word may be divided among several of them
_ENDS_A_LINE = {"p", "si", "br", "cr", "tab"}
_LETTERS = re.compile(r"[^\W\d_]{2,}")
_CODE = re.compile(r"[0-9A-Fa-f{}-]+")
_MARKUP = re.compile(r'"([^"<>]{3,2000})"|>([^<>]{2,20000})<')


def add_texts(data: bytes, found: Found) -> None:
    """Add the texts of a document to those in which names are looked for."""
    for place, text in _texts(data, _DEEP):
        found.add_elsewhere(place, text)


def _texts(data: bytes, deep: int) -> Iterator[tuple[str, str]]:
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        for entry in archive.infolist():
            path = entry.filename
            if entry.file_size > _PART_BYTES or _SKIPPED.fullmatch(path):
                continue
            content = archive.read(entry)
            if content.startswith(b"PK\x03\x04") and deep:
                yield from _texts(content, deep - 1)
            elif content.lstrip(b"\xef\xbb\xbf \r\n\t").startswith(
                (b"<", b"\xff\xfe", b"\xfe\xff")
            ):
                yield _place(path), _part(path, content)


def _place(path: str) -> str:
    return next((place for start, place in _PLACES if path.startswith(start)), "parts")


def _part(path: str, content: bytes) -> str:
    if _SHEET.fullmatch(path):  # the cells are read already; there may be millions
        content = content[content.rfind(b"</sheetData>") + 1 :]
        words = _MARKUP.findall(content.decode("utf-8", "replace"))
        return "\n".join(unescape(one or other) for one, other in words)
    collected = _Words(read=_READ.fullmatch(path) is not None)
    try:
        etree.fromstring(
            content,
            etree.XMLParser(
                target=collected, resolve_entities=False, no_network=True, recover=True
            ),
        )
    except etree.XMLSyntaxError:
        pass  # what came before the damage counts
    return collected.text()


class _Words:
    """Collects the words of a part: paragraphs as lines, and each attribute with letters once.

    Args:
        read: whether models get the text of this part, so that only its attributes are collected,
            and what was removed.
    """

    def __init__(self, *, read: bool) -> None:
        self._read = read
        self._pieces: list[str] = []
        self._attributes: dict[str, None] = {}
        self._open: list[tuple[str, bool]] = []  # name of each open element, whether it has words

    def start(self, tag: str, attributes: Any) -> None:
        name = tag.rpartition("}")[2]
        self._open.append((name, False))
        if name == "Relationship":  # of links, addresses; the others lead to parts of the document
            attributes = {"": attributes.get("Target", "") if "TargetMode" in attributes else ""}
        if name not in _FONTS:
            for value in attributes.values():
                if _LETTERS.search(value) and not _CODE.fullmatch(value):
                    self._attributes[value] = None

    def data(self, text: str) -> None:
        name = self._open[-1][0]
        if not self._read or name in _REMOVED:
            self._pieces.append(text)
            self._open[-1] = (name, True)

    def end(self, tag: str) -> None:
        name, has_words = self._open.pop()
        if name in _ENDS_A_LINE or (has_words and name not in _RUNS):
            self._pieces.append("\n")

    def comment(self, text: str) -> None:
        self._pieces.append(f"{text}\n")

    def close(self) -> None:
        """Do nothing; the words stay."""

    def text(self) -> str:
        """Return the lines that say something, then the attributes."""
        lines = filter(None, map(str.strip, "".join(self._pieces).split("\n")))
        return "\n".join([*dict.fromkeys(lines), *self._attributes])
