"""Word documents and presentations: texts, and the pictures that stand in them."""

import io
import re
from collections.abc import Collection, Iterable, Iterator, Mapping
from typing import Any

import docx
import pptx
from docx.oxml import parse_xml
from docx.oxml.ns import qn
from docx.parts.image import ImagePart
from pptx.shapes.base import BaseShape

from curation.base.file_contents import limits
from curation.base.file_contents.reader import office_inside
from curation.base.file_contents.reader.figures import WHOLE, Box, Figures, Shown
from curation.base.file_contents.reader.found import Found, TextBudget
from curation.base.file_contents.reader.tables import as_csv

# Removed and moved words, and copies of drawings for old programs, which would be read twice.
_FALLBACK = "{http://schemas.openxmlformats.org/markup-compatibility/2006}Fallback"
_NOT_READ = {qn("w:del"), qn("w:moveFrom"), _FALLBACK}
_SIGNS = {qn("w:tab"): "\t", qn("w:br"): "\n", qn("w:cr"): "\n", qn("w:noBreakHyphen"): "-"}
_DRAWINGS = {qn("w:drawing"), qn("w:pict"), qn("w:object")}
_OLD_PICTURE = "{urn:schemas-microsoft-com:vml}imagedata"
_LEAST_SIZE = 4  # in half points, as Word states sizes
_LIGHT = re.compile("(?:[EF][0-9A-F]){3}", re.IGNORECASE)  # each of red, green and blue
_SQUARE_POINT = 12_700**2  # in the unit of Office's drawings, the EMU, squared


def read_document(data: bytes) -> Found:
    """Read paragraphs, headings, tables, notes and pictures of a Word document, as Markdown.

    Where a picture stands that models get, the text says [Figure 1] and so on. Tracked changes are
    read as accepted. Comments are not read: they are no part of the text, and they name people.
    Nor is text that readers do not see: hidden, below two points, or nearly white on no colour.
    """
    found = Found()
    document = docx.Document(io.BytesIO(data))
    headings = {
        style.style_id: style.name.lower()
        for style in document.styles
        if style.name and style.name.lower().startswith(("heading ", "title"))
    }
    hidden = {
        style.style_id
        for style in document.styles
        if _is_on(style.element.find(f"{qn('w:rPr')}/{qn('w:vanish')}"))
    }
    reader = _Reader(headings, document.part.related_parts, Figures(found), hidden)
    lines = list(reader.blocks(document.element.body))
    for part in document.part.package.iter_parts():
        if part.partname in ("/word/footnotes.xml", "/word/endnotes.xml"):
            notes = [_Reader({}, {}, reader.figures).words(note) for note in parse_xml(part.blob)]
            lines += [f"[Note {n}] {note}" for n, note in enumerate(filter(None, notes), start=1)]
    budget = TextBudget(found)
    budget.add("markdown", "\n\n".join(lines))
    if unseen := "\n".join(reader.unseen).strip():
        found.add_elsewhere("hidden", unseen)
        found.cut["hidden"] = [budget.all, budget.all + len(unseen)]
    office_inside.add_texts(data, found)
    return _with_reason(found)


def _with_reason(found: Found) -> Found:
    if not found.sections and not found.pictures:
        found.reason = "only_pictures" if found.unread_pictures else "empty"
    return found


class _Reader:
    """Reads the elements of a Word document.

    Args:
        headings: id of a style -> the name of the heading.
        parts: id of a relation -> part of the package, among them the pictures.
        hidden: ids of the styles whose text is hidden.

    Attributes:
        unseen: the texts that readers do not see, which are left out.
    """

    def __init__(
        self,
        headings: Mapping[str, str],
        parts: Mapping[str, Any],
        figures: Figures,
        hidden: Collection[str] = (),
    ) -> None:
        self.headings = headings
        self.parts = parts
        self.figures = figures
        self.hidden = hidden
        self.unseen: list[str] = []

    def blocks(self, parent: Any) -> Iterator[str]:
        """Yield paragraphs and tables as Markdown."""
        for element in parent:
            if element.tag == qn("w:p"):
                text = self.words(element)
                if text:
                    yield self._heading(element) + text
            elif element.tag == qn("w:tbl"):
                yield self._table(element)
            elif element.tag not in _NOT_READ and isinstance(element.tag, str):
                yield from self.blocks(element)  # content controls, custom XML

    def words(self, element: Any) -> str:
        """Return the text within an element."""
        return "".join(self._letters(element)).strip()

    def _heading(self, paragraph: Any) -> str:
        style = paragraph.find(f"{qn('w:pPr')}/{qn('w:pStyle')}")
        name = self.headings.get(style.get(qn("w:val"), "")) if style is not None else None
        if name is None:
            return ""
        level = name.removeprefix("heading ")
        return "#" * (min(int(level), 6) if level.isdigit() else 1) + " "

    def _letters(self, element: Any) -> Iterator[str]:
        for child in element:
            if child.tag in _NOT_READ or not isinstance(child.tag, str):
                continue
            if child.tag == qn("w:r") and _is_unseen(child, self.hidden):
                self.unseen.append("".join(text.text or "" for text in child.iter(qn("w:t"))))
            elif child.tag in (qn("w:t"), qn("m:t")):
                yield child.text or ""
            elif child.tag in _SIGNS:
                yield _SIGNS[child.tag]
            else:
                if child.tag in _DRAWINGS:
                    yield from self._drawing(child)
                yield from self._letters(child)
            if child.tag == qn("w:p"):  # within a cell or a text box
                yield "\n"

    def _drawing(self, drawing: Any) -> Iterator[str]:
        """Yield where its pictures stand; without a picture or a text it counts as unread."""
        pictures = [
            picture
            for picture in drawing.iter(qn("a:blip"), _OLD_PICTURE)
            if next(picture.iterancestors(*_DRAWINGS, _FALLBACK)) is drawing
        ]
        if not pictures and next(drawing.iter(qn("w:t")), None) is None:
            self.figures.skip()
        for picture in pictures:
            part = self.parts.get(picture.get(qn("r:embed")) or picture.get(qn("r:id")) or "")
            if not isinstance(part, ImagePart):  # linked, or a damaged reference
                self.figures.skip()
                continue
            area = _area_of(drawing, picture) if len(pictures) == 1 else None
            if number := self.figures.add(Shown(part.blob, area, _crop_of(picture))):
                yield f" [Figure {number}] "

    def _table(self, table: Any) -> str:
        rows = [
            [
                self.words(cell).replace("\n", " ").replace("|", "\\|")
                for cell in _own(row, "w:tc", "w:tr")
            ]
            for row in _own(table, "w:tr", "w:tbl")
        ]
        width = max(map(len, rows), default=0)
        lines = ["| " + " | ".join(row + [""] * (width - len(row))) + " |" for row in rows]
        return "\n".join([*lines[:1], "|" + " --- |" * width, *lines[1:]])


def _is_on(switch: Any) -> bool:
    """Return whether a property that is there or not is on."""
    return switch is not None and switch.get(qn("w:val"), "true") not in ("0", "false", "off")


def _is_unseen(run: Any, hidden_styles: Collection[str]) -> bool:
    """Return whether readers do not see a run of letters in Word."""
    paragraph = next(run.iterancestors(qn("w:p")), None)
    styles = [run.find(f"{qn('w:rPr')}/{qn('w:rStyle')}")]
    if paragraph is not None:
        styles.append(paragraph.find(f"{qn('w:pPr')}/{qn('w:pStyle')}"))
    in_style = any(s is not None and s.get(qn("w:val")) in hidden_styles for s in styles)
    own = run.find(qn("w:rPr"))
    if own is None:
        return in_style
    vanish, size, colour = (own.find(qn(name)) for name in ("w:vanish", "w:sz", "w:color"))
    if _is_on(vanish) or (vanish is None and in_style):
        return True
    points = size.get(qn("w:val"), "") if size is not None else ""
    if points.isdigit() and int(points) < _LEAST_SIZE:
        return True
    return colour is not None and _is_white(colour.get(qn("w:val"), "")) and not _is_on_colour(run)


def _is_white(colour: str) -> bool:
    return _LIGHT.fullmatch(colour) is not None


def _is_on_colour(run: Any) -> bool:
    """Return whether letters may stand on a colour: shaded, in a styled table or in a text box."""
    own = (qn("w:shd"), qn("w:highlight"), qn("w:tblStyle"))
    for holder in (run, *run.iterancestors()):
        if holder.tag == qn("w:txbxContent"):
            return True
        for properties in ("w:rPr", "w:pPr", "w:tcPr", "w:tblPr"):
            found = holder.find(qn(properties))
            if found is not None and any(found.find(name) is not None for name in own):
                return True
    background = next(run.iterancestors(qn("w:document")), run).find(qn("w:background"))
    return background is not None


def _own(parent: Any, tag: str, within: str) -> Iterator[Any]:
    """Yield the rows of a table, or the cells of a row, without those of tables in its cells."""
    for element in parent.iter(qn(tag)):
        if next(element.iterancestors(qn(within))) is parent:
            yield element


def _area_of(drawing: Any, picture: Any) -> float | None:
    """Return the square points on which a drawing's only picture is shown; None if it is unknown.

    Old drawings (VML) state their size as words in a style, which is not read.
    """
    for size in drawing.iter(qn("wp:extent")):
        try:
            return int(size.get("cx")) * int(size.get("cy")) / _SQUARE_POINT
        except (TypeError, ValueError):
            break
    return None


def _crop_of(picture: Any) -> Box:
    """Return what is cut off of a picture, which the document states in 1/1000 %."""
    cut = picture.getparent().find(qn("a:srcRect"))
    if cut is None:
        return WHOLE
    try:
        left, top, right, bottom = (int(cut.get(side, "0")) / 100_000 for side in "ltrb")
    except ValueError:
        return WHOLE
    return left, top, right, bottom


def read_slides(data: bytes) -> Found:
    """Read the texts, tables, notes and pictures of each slide of a presentation."""
    found = Found()
    show = pptx.Presentation(io.BytesIO(data))
    slides = list(show.slides)
    found.pages = len(slides)
    budget, figures = TextBudget(found), Figures(found)
    for number, slide in enumerate(slides[: limits.SLIDES], start=1):
        texts = list(_texts_of(slide.shapes, figures, str(number)))
        if slide.has_notes_slide and slide.notes_slide.notes_text_frame is not None:
            notes = slide.notes_slide.notes_text_frame.text.strip()
            texts += [f"Notes: {notes}"] if notes else []
        budget.add("text", "\n".join(texts), part="slide", label=str(number))
    if len(slides) > limits.SLIDES:
        found.cut["slides"] = [limits.SLIDES, len(slides)]
    office_inside.add_texts(data, found)
    return _with_reason(found)


def _texts_of(shapes: Iterable[BaseShape], figures: Figures, slide: str) -> Iterator[str]:
    """Yield the texts of shapes, groups included; collect their pictures, count their charts."""
    for shape in shapes:
        inner: Any = shape  # what a shape holds depends on its kind
        if hasattr(inner, "shapes"):
            yield from _texts_of(inner.shapes, figures, slide)
        elif shape.has_text_frame:
            if inner.text_frame.text.strip():
                yield inner.text_frame.text.replace("\x0b", "\n")
        elif getattr(inner, "has_table", False):
            rows = [[cell.text for cell in row.cells] for row in inner.table.rows]
            yield as_csv(rows).replace("\x0b", "\n")
        elif getattr(inner, "has_chart", False):
            figures.skip()
        else:
            _add_picture(inner, figures, slide)


def _add_picture(shape: Any, figures: Figures, slide: str) -> None:
    """Add the picture of a shape that is one; a linked one counts as unread."""
    try:
        data = shape.image.blob
    except AttributeError:  # a line or a frame
        return
    except (ValueError, KeyError):  # linked, or a damaged reference
        figures.skip()
        return
    area = shape.width * shape.height / _SQUARE_POINT if shape.width and shape.height else None
    crop = (shape.crop_left, shape.crop_top, shape.crop_right, shape.crop_bottom)
    figures.add(Shown(data, area, crop, place=slide))
