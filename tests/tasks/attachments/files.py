"""Files made byte by byte: good ones, and those that are not what they say."""

import io
import struct
import zipfile
import zlib
from typing import Any

from django.core.files.uploadedfile import SimpleUploadedFile

CONTENT_TYPES = """<?xml version="1.0" encoding="UTF-8"?><Types xmlns="http://schemas.openxmlformats\
.org/package/2006/content-types"><Override PartName="/word/document.xml" ContentType="application/\
vnd.openxmlformats-officedocument.{main}+xml"/></Types>"""
MAIN = {
    "docx": "wordprocessingml.document.main",
    "xlsx": "spreadsheetml.sheet.main",
    "pptx": "presentationml.presentation.main",
}


def upload(name: str, data: bytes) -> SimpleUploadedFile:
    return SimpleUploadedFile(name, data)


def pdf(more: bytes = b"") -> bytes:
    return (
        b"%PDF-1.4\n1 0 obj<</Type/Catalog/Pages 2 0 R>>endobj\n2 0 obj<</Type/Pages/Kids[]"
        b"/Count 0>>endobj\n" + more + b"\ntrailer<</Root 1 0 R>>\n%%EOF\n"
    )


def chunk(kind: bytes, body: bytes) -> bytes:
    return struct.pack(">I", len(body)) + kind + body + struct.pack(">I", zlib.crc32(kind + body))


def png(*notes: bytes, width: int = 1, height: int = 1) -> bytes:
    return (
        b"\x89PNG\r\n\x1a\n"
        + chunk(b"IHDR", struct.pack(">IIBBBBB", width, height, 8, 0, 0, 0, 0))
        + b"".join(notes)
        + chunk(b"IDAT", zlib.compress(b"\0\0"))
        + chunk(b"IEND", b"")
    )


def segment(marker: int, body: bytes) -> bytes:
    return b"\xff" + bytes([marker]) + struct.pack(">H", len(body) + 2) + body


def jpeg(*notes: bytes, after: bytes = b"") -> bytes:
    frame = struct.pack(">BHHB", 8, 2, 3, 1) + b"\x01\x11\0"
    return (
        b"\xff\xd8"
        + segment(0xE0, b"JFIF\0\x01\x01\0\0\x01\0\x01\0\0")
        + b"".join(notes)
        + segment(0xC0, frame)
        + segment(0xDA, b"\x01\x01\0\0\x3f\0")
        + b"\x12\xff\x00\x34\xff\xd9"
        + after
    )


def exif(orientation: int, author: bytes) -> bytes:
    entry = struct.pack("<HHIHH", 0x0112, 3, 1, orientation, 0)
    body = b"II*\0" + struct.pack("<IH", 8, 1) + entry + struct.pack("<I", 0) + author
    return segment(0xE1, b"Exif\0\0" + body)


def webp(*more: bytes) -> bytes:
    extended = b"VP8X" + struct.pack("<I", 10) + b"\x0c\0\0\0" + b"\x02\0\0" + b"\x01\0\0"
    picture = b"VP8L" + struct.pack("<I", 6) + b"\x2f\x02\x40\0\0\0"
    body = b"WEBP" + extended + picture + b"".join(more)
    return b"RIFF" + struct.pack("<I", len(body)) + body


def office(kind: str = "docx", **more: Any) -> bytes:
    """An Office document; `more` are further entries, name -> content ("__" for "/")."""
    held = io.BytesIO()
    with zipfile.ZipFile(held, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("[Content_Types].xml", CONTENT_TYPES.format(main=MAIN[kind]))
        archive.writestr("word/document.xml", "<w:document/>")
        for name, content in more.items():
            archive.writestr(name.replace("__", "/"), content)
    return held.getvalue()


def archive(*entries: tuple[str, bytes]) -> bytes:
    held = io.BytesIO()
    with zipfile.ZipFile(held, "w", zipfile.ZIP_DEFLATED) as packed:
        packed.writestr("[Content_Types].xml", CONTENT_TYPES.format(main=MAIN["docx"]))
        for name, content in entries:
            packed.writestr(name, content)
    return held.getvalue()
