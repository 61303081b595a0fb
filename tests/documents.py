"""Documents as people make them: PDF, Word, Excel, PowerPoint and pictures, built for tests."""

import io
import random
import zlib
from collections.abc import Mapping, Sequence
from typing import Any

import docx
import openpyxl
import pptx
from docx.shared import Cm
from openpyxl.drawing.image import Image as SheetImage
from PIL import Image


def pdf_drawing(stream: str) -> bytes:
    """A PDF of one page with this content; /F1 is a font, /G a state without any opacity."""
    data = pdf_with("X").replace(b"BT /F1 14 Tf 40 700 Td (X) Tj ET", stream.encode())
    return data.replace(b"/Resources<<", b"/Resources<</ExtGState<</G<</ca 0>>>>", 1).replace(
        b"<</Length 32>>", b"<</Length %d>>" % len(stream)
    )


def pdf_with(*pages: str, figures: Sequence[tuple[int, str, float]] = ()) -> bytes:
    """A PDF with a line of text on each page; "" is a page without anything on it.

    Args:
        figures: images on a page: its number, the colour, and the side of the square in points.
    """
    objects = [
        "<</Type/Catalog/Pages 2 0 R>>",
        "",
        "<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>",
    ]
    kids = []
    for page, text in enumerate(pages, start=1):
        stream = f"BT /F1 14 Tf 40 700 Td ({text}) Tj ET" if text else ""
        images = ""
        for n, (on, colour, side) in enumerate(figures):
            if on != page:
                continue
            pixels = Image.new("RGB", (2, 2), colour).tobytes().hex()
            objects.append(
                "<</Type/XObject/Subtype/Image/Width 2/Height 2/ColorSpace/DeviceRGB"
                f"/BitsPerComponent 8/Filter/ASCIIHexDecode/Length {len(pixels) + 1}>>\n"
                f"stream\n{pixels}>\nendstream"
            )
            images += f"/I{n} {len(objects)} 0 R"
            stream += f" q {side} 0 0 {side} 40 100 cm /I{n} Do Q"
        objects.append(f"<</Length {len(stream)}>>\nstream\n{stream}\nendstream")
        objects.append(
            "<</Type/Page/Parent 2 0 R/MediaBox[0 0 595 842]/Resources<</Font<</F1 3 0 R>>"
            f"/XObject<<{images}>>>>/Contents {len(objects)} 0 R>>"
        )
        kids.append(f"{len(objects)} 0 R")
    objects[1] = f"<</Type/Pages/Count {len(pages)}/Kids[{' '.join(kids)}]>>"
    file, places = b"%PDF-1.4\n", []
    for number, content in enumerate(objects, start=1):
        places.append(len(file))
        file += f"{number} 0 obj\n{content}\nendobj\n".encode("latin-1")
    rows = "".join(f"{place:010} 00000 n \n" for place in places)
    head = f"xref\n0 {len(objects) + 1}\n0000000000 65535 f \n{rows}"
    tail = f"trailer<</Size {len(objects) + 1}/Root 1 0 R>>\nstartxref\n{len(file)}\n%%EOF\n"
    return file + (head + tail).encode()


def picture(
    kind: str = "PNG", size: tuple[int, int] = (40, 20), colour: Any = "navy", **options: Any
) -> bytes:
    """A picture of one colour."""
    return _saved(Image.new("RGB", size, colour), kind, **options)


def noise(size: tuple[int, int], seed: int = 1) -> bytes:
    """A PNG that cannot be made small."""
    drawn = Image.frombytes("RGB", size, random.Random(seed).randbytes(3 * size[0] * size[1]))
    return _saved(drawn, "PNG")


def scan(pages: int = 1) -> bytes:
    """A PDF whose pages are pictures, as a scanner makes it."""
    drawn = [Image.new("RGB", (300, 400), (10 * n, 60, 90)) for n in range(pages)]
    return _saved(drawn[0], "PDF", save_all=True, append_images=drawn[1:])


def word(*paragraphs: str | bytes, table: Sequence[Sequence[str]] = (), cm: float = 5) -> bytes:
    """A Word document; a paragraph that begins with "# " is a heading, bytes are a picture.

    Args:
        cm: the width at which pictures are shown.
    """
    document = docx.Document()
    for text in paragraphs:
        if isinstance(text, bytes):
            document.add_picture(io.BytesIO(text), width=Cm(cm))
        elif text.startswith("# "):
            document.add_heading(text[2:], 1)
        else:
            document.add_paragraph(text)
    if table:
        grid = document.add_table(len(table), len(table[0]))
        for row, cells in enumerate(table):
            for column, text in enumerate(cells):
                grid.cell(row, column).text = text
    file = io.BytesIO()
    document.save(file)
    return file.getvalue()


def workbook(**sheets: Sequence[Sequence[Any] | bytes]) -> bytes:
    """An Excel workbook; bytes in place of a row are a picture."""
    book = openpyxl.Workbook()
    book.remove(book.worksheets[0])
    for name, rows in sheets.items():
        sheet = book.create_sheet(name)
        for row in rows:
            if isinstance(row, bytes):
                sheet.add_image(SheetImage(io.BytesIO(row)), "C3")
            else:
                sheet.append(list(row))
    file = io.BytesIO()
    book.save(file)
    return file.getvalue()


def slides(*texts: tuple[str, str], pictures: Mapping[int, bytes] | None = None) -> bytes:
    """A presentation: a title and the speaker's notes of each slide.

    Args:
        pictures: number of a slide -> a picture on it, twice, five centimetres wide.
    """
    show = pptx.Presentation()
    for number, (title, notes) in enumerate(texts, start=1):
        slide = show.slides.add_slide(show.slide_layouts[5])
        slide.shapes.title.text = title
        if notes:
            slide.notes_slide.notes_text_frame.text = notes
        if picture := (pictures or {}).get(number):
            for _twice in range(2):
                slide.shapes.add_picture(io.BytesIO(picture), 0, 0, width=Cm(5))
    file = io.BytesIO()
    show.save(file)
    return file.getvalue()


def _saved(drawn: Image.Image, kind: str, **options: Any) -> bytes:
    file = io.BytesIO()
    drawn.save(file, kind, **options)
    return file.getvalue()


def packed_pdf(*objects: str, text: str = "Covenant of 3.5x", root: str = "") -> bytes:
    """A PDF of one page whose objects are within a compressed stream, as most programs write them.

    Args:
        objects: further ones, numbered from 6.
        root: more entries of the catalog.
    """
    page = f"BT /F1 14 Tf 40 700 Td ({text}) Tj ET".encode()
    held = {
        1: f"<</Type/Catalog/Pages 2 0 R{root}>>",
        2: "<</Type/Pages/Count 1/Kids[3 0 R]>>",
        3: "<</Type/Page/Parent 2 0 R/MediaBox[0 0 595 842]/Resources<</Font<</F1 4 0 R>>>>"
        "/Contents 5 0 R>>",
        4: "<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>",
        **dict(enumerate(objects, start=6)),
    }
    last = 6 + len(objects)
    body = heads = ""
    for number, content in held.items():
        heads += f"{number} {len(body)} "
        body += content + " "
    packed = zlib.compress((heads + body).encode("latin-1"))
    file, places = b"%PDF-1.5\n", {}
    for number, entries, stream in (
        (5, "", page),
        (last, f"/Type/ObjStm/N {len(held)}/First {len(heads)}/Filter/FlateDecode", packed),
    ):
        places[number] = len(file)
        file += f"{number} 0 obj\n<<{entries}/Length {len(stream)}>>\nstream\n".encode()
        file += stream + b"\nendstream\nendobj\n"
    rows = {0: (0, 0, 255), last + 1: (1, len(file), 0)}
    rows |= {number: (1, place, 0) for number, place in places.items()}
    rows |= {number: (2, last, n) for n, number in enumerate(held)}
    table = b"".join(
        bytes([kind]) + place.to_bytes(4, "big") + bytes([n])
        for _number, (kind, place, n) in sorted(rows.items())
    )
    head = f"<</Type/XRef/Size {last + 2}/W[1 4 1]/Root 1 0 R/Length {len(table)}>>"
    return file + b"%d 0 obj\n%b\nstream\n%b\nendstream\nendobj\nstartxref\n%d\n%%%%EOF\n" % (
        last + 1, head.encode(), table, len(file),
    )  # fmt: skip
