"""What an Office program would load from elsewhere when somebody opens a document.

A document that loads something tells its author's server who reads it, when, and from where. Links
that a reader has to press are no such thing.
"""

import re
from typing import Any

from curation.tasks.attachments.office_xml import Budget, Open, Reader, holds_one_of, parse

_MOST_LETTERS = 200  # of an address in a sentence
_MOST_OF_A_FIELD = 100_000  # letters of one field or formula
# Fields of Word that fetch what they show, and formulas of Excel that ask a server.
_FIELD = re.compile(
    r"\s*(?:INCLUDEPICTURE|INCLUDETEXT|INCLUDE|IMPORT|DDEAUTO|DDE|LINK|DATABASE|RD)\b(.*)",
    re.IGNORECASE | re.DOTALL,
)
_FORMULA = re.compile(r"\b(?:WEBSERVICE|IMAGE)\s*\((.*)", re.IGNORECASE | re.DOTALL)
_YES = ("1", "true")
# In lower case. Values may be written in character references, names of elements may not.
_HINTS = (
    *(b"relationship ", b"relationship\n", b"relationship\r", b"relationship\t"),
    *(b"instrtext", b"fldsimple", b":link", b"ddelink", b"webpr", b"refreshonload"),
    *(b"webservice", b"image(", b"image (", b"&#"),
)


class Loads(ValueError):  # noqa: N818
    """The document loads something when it is opened.

    Attributes:
        what: "template", "data" (of a workbook) or "content".
        target: the address, shortened.
    """

    def __init__(self, what: str, target: str) -> None:
        super().__init__(what, target)
        self.what = what
        self.target = " ".join(target.split())[:_MOST_LETTERS]


def refuse_loading(open_part: Open, budget: Budget) -> None:
    """Raise Loads if a part of a document makes a program load something.

    Raises:
        Loads, TooLarge, Unreadable, DocumentType: see there.
    """
    if holds_one_of(open_part, _HINTS, any_case=True):
        with open_part() as part:
            parse(part, _Part(budget))


class _Part(Reader):
    """Looks at relationships, fields, formulas and connections, whatever their prefixes."""

    def __init__(self, budget: Budget) -> None:
        super().__init__(budget)
        self._field = ""  # the instruction of the field that is open
        self._inside = ""

    def startElement(self, name: str, attrs: Any) -> None:  # noqa: N802
        super().startElement(name, attrs)
        local = name.rpartition(":")[2]
        own = {key.rpartition(":")[2]: value for key, value in attrs.items()}
        if local == "Relationship":
            _refuse_relation(own)
        elif local == "fldSimple":
            _refuse_field(own.get("instr", ""))
        elif local == "fldChar":
            self._end_field()
        elif local in ("instrText", "f"):
            self._inside = local
            self._field = "" if local == "f" else self._field
        elif local == "ddeLink":
            raise Loads("data", f"{own.get('ddeService', '')} {own.get('ddeTopic', '')}")
        elif local == "webPr" or (local == "connection" and own.get("refreshOnLoad") in _YES):
            raise Loads("data", own.get("url", own.get("name", "")))
        elif local == "blip" and "link" in own:
            raise Loads("content", own["link"])

    def endElement(self, name: str) -> None:  # noqa: N802
        super().endElement(name)
        local = name.rpartition(":")[2]
        if local == "f" and (found := _FORMULA.search(self._field)):
            raise Loads("data", found[1])
        if local == self._inside:
            self._inside = ""

    def characters(self, content: str) -> None:
        super().characters(content)
        if self._inside and len(self._field) < _MOST_OF_A_FIELD:
            self._field += content

    def endDocument(self) -> None:  # noqa: N802
        self._end_field()

    def _end_field(self) -> None:
        _refuse_field(self._field)
        self._field = ""


def _refuse_relation(own: dict[str, str]) -> None:
    kind, target = own.get("Type", ""), own.get("Target", "")
    if kind.endswith("/aFChunk"):  # a web page or an old document that becomes part of the text
        raise Loads("content", target)
    if own.get("TargetMode", "").lower() == "external" and not kind.endswith("/hyperlink"):
        raise Loads("template" if kind.endswith("/attachedTemplate") else "content", target)


def _refuse_field(instruction: str) -> None:
    if found := _FIELD.match(instruction):
        raise Loads("content", found[1])
