"""Documents as people make them: PDF, Word, Excel, PowerPoint and pictures, built for tests."""

import io
import random
from collections.abc import Sequence
from typing import Any

import docx
import openpyxl
import pptx
from PIL import Image


def pdf_with(*pages: str) -> bytes:
    """A PDF with a line of text on each page; "" is a page without anything on it."""
    objects = [
        "<</Type/Catalog/Pages 2 0 R>>",
        "",
        "<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>",
    ]
    kids = []
    for text in pages:
        stream = f"BT /F1 14 Tf 40 700 Td ({text}) Tj ET" if text else ""
        objects.append(f"<</Length {len(stream)}>>\nstream\n{stream}\nendstream")
        objects.append(
            "<</Type/Page/Parent 2 0 R/MediaBox[0 0 595 842]/Resources<</Font<</F1 3 0 R>>>>"
            f"/Contents {len(objects)} 0 R>>"
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


def word(*paragraphs: str, table: Sequence[Sequence[str]] = ()) -> bytes:
    """A Word document; a paragraph that begins with "# " is a heading."""
    document = docx.Document()
    for text in paragraphs:
        if text.startswith("# "):
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


def workbook(**sheets: Sequence[Sequence[Any]]) -> bytes:
    """An Excel workbook."""
    book = openpyxl.Workbook()
    book.remove(book.worksheets[0])
    for name, rows in sheets.items():
        sheet = book.create_sheet(name)
        for row in rows:
            sheet.append(list(row))
    file = io.BytesIO()
    book.save(file)
    return file.getvalue()


def slides(*texts: tuple[str, str]) -> bytes:
    """A presentation: a title and the speaker's notes of each slide."""
    show = pptx.Presentation()
    for title, notes in texts:
        slide = show.slides.add_slide(show.slide_layouts[5])
        slide.shapes.title.text = title
        if notes:
            slide.notes_slide.notes_text_frame.text = notes
    file = io.BytesIO()
    show.save(file)
    return file.getvalue()


def _saved(drawn: Image.Image, kind: str, **options: Any) -> bytes:
    file = io.BytesIO()
    drawn.save(file, kind, **options)
    return file.getvalue()
