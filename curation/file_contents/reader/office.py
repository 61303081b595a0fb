"""Word documents and presentations."""

import io
from collections.abc import Iterable, Iterator
from typing import Any

import docx
import pptx
from docx.oxml import parse_xml
from docx.oxml.ns import qn
from pptx.shapes.base import BaseShape

from curation.file_contents import limits
from curation.file_contents.reader.found import Found, TextBudget
from curation.file_contents.reader.tables import as_csv

# Removed and moved words, and copies of drawings for old programs, which would be read twice.
_FALLBACK = "{http://schemas.openxmlformats.org/markup-compatibility/2006}Fallback"
_NOT_READ = {qn("w:del"), qn("w:moveFrom"), _FALLBACK}
_SIGNS = {qn("w:tab"): "\t", qn("w:br"): "\n", qn("w:cr"): "\n", qn("w:noBreakHyphen"): "-"}


def read_document(data: bytes) -> Found:
    """Read paragraphs, headings, tables and notes of a Word document, as Markdown.

    Tracked changes are read as accepted. Comments are not read: they are no part of the text, and
    they name people.
    """
    found = Found()
    document = docx.Document(io.BytesIO(data))
    headings = {
        style.style_id: style.name.lower()
        for style in document.styles
        if style.name and style.name.lower().startswith(("heading ", "title"))
    }
    body = document.element.body
    lines = list(_blocks(body, headings))
    for part in document.part.package.iter_parts():
        if part.partname in ("/word/footnotes.xml", "/word/endnotes.xml"):
            notes = [_words(note) for note in parse_xml(part.blob)]
            lines += [f"[Note {n}] {note}" for n, note in enumerate(filter(None, notes), start=1)]
    found.unread_pictures = sum(1 for _picture in body.iter(qn("w:drawing"), qn("w:pict")))
    TextBudget(found).add("markdown", "\n\n".join(lines))
    if not found.sections:
        found.reason = "only_pictures" if found.unread_pictures else "empty"
    return found


def _blocks(parent: Any, headings: dict[str, str]) -> Iterator[str]:
    for element in parent:
        if element.tag == qn("w:p"):
            text = _words(element)
            if text:
                yield _heading(element, headings) + text
        elif element.tag == qn("w:tbl"):
            yield _table(element)
        elif element.tag not in _NOT_READ and isinstance(element.tag, str):
            yield from _blocks(element, headings)  # content controls, custom XML


def _heading(paragraph: Any, headings: dict[str, str]) -> str:
    style = paragraph.find(f"{qn('w:pPr')}/{qn('w:pStyle')}")
    name = headings.get(style.get(qn("w:val"), "")) if style is not None else None
    if name is None:
        return ""
    level = name.removeprefix("heading ")
    return "#" * (min(int(level), 6) if level.isdigit() else 1) + " "


def _words(element: Any) -> str:
    return "".join(_letters(element)).strip()


def _letters(element: Any) -> Iterator[str]:
    for child in element:
        if child.tag in _NOT_READ or not isinstance(child.tag, str):
            continue
        if child.tag in (qn("w:t"), qn("m:t")):
            yield child.text or ""
        elif child.tag in _SIGNS:
            yield _SIGNS[child.tag]
        else:
            yield from _letters(child)
        if child.tag == qn("w:p"):  # within a cell or a text box
            yield "\n"


def _table(table: Any) -> str:
    rows = [
        [_words(cell).replace("\n", " ").replace("|", "\\|") for cell in row.iter(qn("w:tc"))]
        for row in table.iter(qn("w:tr"))
    ]
    width = max(map(len, rows), default=0)
    lines = ["| " + " | ".join(row + [""] * (width - len(row))) + " |" for row in rows]
    return "\n".join([*lines[:1], "|" + " --- |" * width, *lines[1:]])


def read_slides(data: bytes) -> Found:
    """Read the texts, tables and notes of each slide of a presentation."""
    found = Found()
    show = pptx.Presentation(io.BytesIO(data))
    slides = list(show.slides)
    found.pages = len(slides)
    budget = TextBudget(found)
    for number, slide in enumerate(slides[: limits.SLIDES], start=1):
        texts, pictures = _texts_of(slide.shapes)
        found.unread_pictures += pictures
        if slide.has_notes_slide and slide.notes_slide.notes_text_frame is not None:
            notes = slide.notes_slide.notes_text_frame.text.strip()
            texts += [f"Notes: {notes}"] if notes else []
        budget.add("text", "\n".join(texts), part="slide", label=str(number))
    if len(slides) > limits.SLIDES:
        found.cut["slides"] = [limits.SLIDES, len(slides)]
    if not found.sections:
        found.reason = "only_pictures" if found.unread_pictures else "empty"
    return found


def _texts_of(shapes: Iterable[BaseShape]) -> tuple[list[str], int]:
    """Return the texts of shapes, groups included, and the number of pictures and charts."""
    texts: list[str] = []
    pictures = 0
    for shape in shapes:
        inner: Any = shape  # what a shape holds depends on its kind
        if hasattr(inner, "shapes"):
            more, count = _texts_of(inner.shapes)
            texts += more
            pictures += count
        elif shape.has_text_frame:
            texts += [inner.text_frame.text] if inner.text_frame.text.strip() else []
        elif getattr(inner, "has_table", False):
            rows = [[cell.text for cell in row.cells] for row in inner.table.rows]
            texts.append(as_csv(rows))
        else:
            pictures += bool(hasattr(inner, "image") or getattr(inner, "has_chart", False))
    return [text.replace("\x0b", "\n") for text in texts], pictures
