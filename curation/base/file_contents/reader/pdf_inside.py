"""What a PDF holds beside its pages: scripts, other files, and texts such as properties and notes.

PDFium writes the document again, with every object of its own and nothing encrypted. So one search
sees what was within compressed or encrypted objects, whichever way they were packed.
"""

import io
import re
import zlib
from collections.abc import Iterator

from pypdfium2 import PdfDocument
from pypdfium2.raw import FPDF_REMOVE_SECURITY

from curation.base.file_contents import pdf_marks

_STREAM = re.compile(rb"stream\r?\n(.*?)endstream", re.DOTALL)
_DESCRIPTION = re.compile(rb"/Type\s*/Metadata")
_PACKED = re.compile(rb"/Filter\s*\[?\s*/FlateDecode")
_OBJECT = re.compile(rb"(?<!\d)\d{1,10} \d{1,5} obj(.*?)endobj", re.DOTALL)
_STRING = re.compile(rb"\(((?:[^()\\]|\\.)*)\)|<([0-9A-Fa-f]{6,})>", re.DOTALL)
_ESCAPED = re.compile(rb"\\(.)", re.DOTALL)
_ESCAPES = {b"n": b"\n", b"r": b"\r", b"t": b"\t"}
_DESCRIPTION_BYTES = 2_000_000  # of XMP that are unpacked


def rewritten(document: PdfDocument) -> bytes:
    """Return the document with every object in the open."""
    file = io.BytesIO()
    document.save(file, flags=FPDF_REMOVE_SECURITY)
    return file.getvalue()


def texts(data: bytes) -> dict[str, str]:
    """Return place -> every string in the objects of a rewritten PDF, and its XMP.

    Places are "comments" (also links and the fields of forms) and "properties" (all others, such
    as title, author, bookmarks and descriptions of pictures).
    """
    found: dict[str, dict[str, None]] = {"properties": {}, "comments": {}}  # each text once
    for place, text in _strings(data):
        found[place][text] = None
    return {place: "\n".join(some) for place, some in found.items()}


def _strings(data: bytes) -> Iterator[tuple[str, str]]:
    for found in _OBJECT.finditer(data):
        body = found[1]
        head = body.partition(b">>stream")[0]
        place = "comments" if b"/Subtype" in head and b"/Rect" in head else "properties"
        for literal, hexadecimal in _STRING.findall(head):
            raw = bytes.fromhex(hexadecimal[: len(hexadecimal) // 2 * 2].decode()) or literal
            raw = _ESCAPED.sub(lambda sign: _ESCAPES.get(sign[1], sign[1]), raw)
            yield place, pdf_marks.as_text(raw)
        if _DESCRIPTION.search(head) and (stream := _STREAM.search(body)):
            yield "properties", _described(stream[1], packed=_PACKED.search(head) is not None)


def _described(stream: bytes, *, packed: bool) -> str:
    """Return the words of XMP: without tags."""
    if packed:
        try:
            stream = zlib.decompressobj().decompress(stream, _DESCRIPTION_BYTES)
        except zlib.error:
            return ""
    stream = stream[:_DESCRIPTION_BYTES]
    coding = "utf-16" if stream.startswith((b"\xff\xfe", b"\xfe\xff")) else "utf-8"
    return re.sub(r"<[^<>]*+>", " ", stream.decode(coding, "replace"))
