"""The XML parts of Office documents: the people they name, what they load, and emptying properties.

A part is parsed to its end in pieces. No document type, entity or external file is resolved, and
the number of elements and the length of one tag are bounded.
"""

import re
from collections.abc import Callable, Collection
from dataclasses import dataclass
from typing import IO, Any
from urllib.parse import unquote
from xml.sax import SAXException
from xml.sax.handler import ContentHandler
from xml.sax.saxutils import quoteattr

from defusedxml import sax
from defusedxml.common import DTDForbidden

Open = Callable[[], IO[bytes]]

_PIECE = 1024 * 1024  # bytes read at a time
_MOST_ELEMENTS = 3_000_000  # of one document; a thousand pages have some 500,000
_MOST_PIECES = 4  # without a parser event: one tag; Word keeps small pictures in an attribute
_MOST_LETTERS = 10_000  # of one name
_MOST_PEOPLE = 10_000
_DEEPEST = 10_000
_OVERLAP = 64  # bytes; longer than any hint

# Elements whose text names a person, an employer or an account.
_ELEMENTS = frozenset(
    {
        "Company",
        "CompanyEmail",
        "DisplayName",
        "Manager",
        "SignatureText",
        "X509SubjectName",
        "author",
        "contributor",
        "creator",
        "initial-creator",
        "lastModifiedBy",
        "printed-by",
    }
)
# Attributes that name somebody on any element, and those that do on one element only.
_ATTRIBUTES = frozenset({"author", "refreshedBy", "suggestedsigner", "userId", "userName"})
_PAIRS = frozenset(
    {
        ("person", "displayName"),
        ("cmAuthor", "name"),
        ("author", "name"),
        ("chgData", "name"),
        ("userInfo", "name"),
        ("scenario", "user"),
        ("customWorkbookView", "name"),
    }
)
# The account in a path: Excel stores the path of the workbook, Word the path of its template.
_HOME_FOLDER = re.compile(
    r"[\\/](?:users|home|documents and settings)[\\/]+([^\\/]+)", re.IGNORECASE
)
# A part that contains none of these byte strings names nobody and need not be parsed.
_HINTS = tuple(
    hint.encode()
    for hint in (
        *_ELEMENTS | _ATTRIBUTES | {element for element, _attribute in _PAIRS},
        *("Users", "users", "USERS", "/home", "\\home", "ocuments and "),
        "<!DOCTYPE",
    )
)
_DECLARED = re.compile(rb"(?:\xef\xbb\xbf)?\s*<\?xml[^>]*?\sencoding\s*=\s*[\"']([^\"']+)")
_ENCODINGS = {b"utf-8", b"utf-16", b"us-ascii", b"ascii", b"iso-8859-1"}
_WIDE = (b"\xff\xfe", b"\xfe\xff", b"<\0", b"\0<")
_PROPERTIES = {"coreProperties", "Properties"}


class TooLarge(ValueError):  # noqa: N818
    """The document is larger than any real work: a decompression bomb or a mistake."""


class Unreadable(ValueError):  # noqa: N818
    """The XML is not what Office writes."""


class DocumentType(ValueError):  # noqa: N818
    """The XML declares a document type, which Office never does: a way to load external content."""


@dataclass
class Budget:
    """What may still be parsed of one document, embedded documents included."""

    elements: int = _MOST_ELEMENTS


def looks_like_xml(head: bytes) -> bool:
    """Return whether a part that begins with these bytes may be XML."""
    return head.removeprefix(b"\xef\xbb\xbf").lstrip()[:1] == b"<" or head.startswith(_WIDE)


def people_in(open_part: Open, budget: Budget) -> set[str]:
    """Return everybody named in a part's properties, comments, tracked changes and paths.

    Raises:
        TooLarge, Unreadable, DocumentType: see there.
    """
    if not holds_one_of(open_part, _HINTS):
        return set()
    reader = _People(budget)
    with open_part() as part:
        parse(part, reader)
    return reader.people


def without_properties(open_part: Open) -> bytes | None:
    """Return an empty version of a property part; None for every other part."""
    root = _Root()
    with open_part() as part:
        try:
            parse(part, root)
        except _RootRead:
            pass
        except ValueError:
            return None
    name, namespaces = root.name, root.namespaces
    known = any("properties" in namespace.lower() for namespace in namespaces.values())
    if name.rpartition(":")[2] not in _PROPERTIES or not known:
        return None
    written = "".join(f" {key}={quoteattr(namespace)}" for key, namespace in namespaces.items())
    return f'<?xml version="1.0" encoding="UTF-8"?>\n<{name}{written}/>'.encode()


def holds_one_of(open_part: Open, hints: Collection[bytes], *, any_case: bool = False) -> bool:
    """Return whether a part has to be parsed. Searching bytes is much faster than parsing.

    Args:
        hints: each shorter than 64 bytes; a part in UTF-16 is parsed in any case.
        any_case: whether capitals do not matter; the hints are in lower case then.
    """
    with open_part() as part:
        piece = part.read(_PIECE)
        if piece.startswith(_WIDE):
            return True
        declared = _DECLARED.match(piece)
        if declared and declared[1].lower() not in _ENCODINGS:
            raise Unreadable("an encoding that Office does not write")
        before = b""
        while piece:
            text = before + (piece.lower() if any_case else piece)
            if any(hint in text for hint in hints):
                return True
            before, piece = text[-_OVERLAP:], part.read(_PIECE)
    return False


def parse(part: IO[bytes], reader: "Reader") -> None:
    """Read a part to its end in pieces, and tell the reader what is in it.

    Raises:
        TooLarge, Unreadable, DocumentType: see there.
    """
    parser = sax.make_parser()
    parser.forbid_dtd = True
    parser.setContentHandler(reader)
    pieces_without_event = 0
    try:
        while piece := part.read(_PIECE):
            events = reader.events
            parser.feed(piece)
            pieces_without_event = pieces_without_event + 1 if reader.events == events else 0
            if pieces_without_event > _MOST_PIECES:
                raise TooLarge("one endless tag")
        parser.close()
    except DTDForbidden as error:
        raise DocumentType from error
    except SAXException as error:
        raise Unreadable from error


class Reader(ContentHandler):
    """Counts events, so that a tag without an end is noticed, and elements, which have a bound."""

    events = 0

    def __init__(self, budget: "Budget | None" = None) -> None:
        super().__init__()
        self._budget = budget or Budget()
        self._depth = 0

    def startElement(self, name: str, attrs: Any) -> None:  # noqa: N802
        self.events += 1
        self._budget.elements -= 1
        self._depth += 1
        if self._budget.elements < 0 or self._depth > _DEEPEST:
            raise TooLarge("too many elements")

    def endElement(self, name: str) -> None:  # noqa: N802
        self._depth -= 1

    def characters(self, content: str) -> None:
        self.events += 1


class _RootRead(Exception):  # noqa: N818
    """Ends parsing once the root element was read."""


class _Root(Reader):
    """Reads the root element's name and namespaces."""

    name = ""

    def __init__(self) -> None:
        super().__init__()
        self.namespaces: dict[str, str] = {}

    def startElement(self, name: str, attrs: Any) -> None:  # noqa: N802
        self.name = name
        self.namespaces = {key: value for key, value in attrs.items() if key.startswith("xmlns")}
        raise _RootRead


class _People(Reader):
    """Collects names of people. Prefixes are ignored, so that every dialect is understood."""

    def __init__(self, budget: Budget) -> None:
        super().__init__(budget)
        self.people: set[str] = set()
        self._naming = 0  # depth inside an element whose text names somebody; 0 outside
        self._text = ""

    def startElement(self, name: str, attrs: Any) -> None:  # noqa: N802
        super().startElement(name, attrs)
        local = name.rpartition(":")[2]
        if self._naming or local in _ELEMENTS:
            self._naming += 1
        for key, value in attrs.items():
            attribute = key.rpartition(":")[2]
            if attribute in _ATTRIBUTES or (local, attribute) in _PAIRS:
                self._add(value)
            elif len(value) > 5:
                for account in _HOME_FOLDER.findall(unquote(value)):
                    self._add(account)

    def endElement(self, name: str) -> None:  # noqa: N802
        super().endElement(name)
        if self._naming:
            self._naming -= 1
            if not self._naming:
                self._add(self._text)
                self._text = ""

    def characters(self, content: str) -> None:
        self.events += 1
        if self._naming:
            self._text += content
            if len(self._text) > _MOST_LETTERS:
                raise TooLarge("a name without an end")

    def _add(self, name: str) -> None:
        if len(name) > _MOST_LETTERS:
            raise TooLarge("a name without an end")
        if name := " ".join(name.split()):
            self.people.add(name)
        if len(self.people) > _MOST_PEOPLE:
            raise TooLarge("too many names")
