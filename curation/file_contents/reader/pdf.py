"""PDF, by PDFium: the text of each page, and pictures of pages."""

from pypdfium2 import PdfDocument, PdfiumError, PdfPage

from curation.file_contents import limits
from curation.file_contents.reader.found import Found, Picture, TextBudget
from curation.file_contents.reader.pictures import encoded

_LETTERS = 8  # characters of a page that has a text; scanned pages may carry a number or a stamp


def read(data: bytes) -> Found:
    """Read the text of a PDF; pages without one become pictures."""
    found = Found()
    try:
        document = PdfDocument(data)
    except PdfiumError:
        return Found(reason="protected" if b"/Encrypt" in data else "unreadable")
    with document:
        found.pages = len(document)
        budget = TextBudget(found)
        without_text = []
        for number in range(1, min(found.pages, limits.PAGES) + 1):
            page = document[number - 1]
            text = _text(page)
            if sum(map(str.isalnum, text)) >= _LETTERS:
                budget.add("text", text, part="page", label=str(number))
            elif any(True for _object in page.get_objects(max_depth=1)):
                without_text.append(number)
            page.close()
        if found.pages > limits.PAGES:
            found.cut["pages"] = [limits.PAGES, found.pages]
        for number in without_text[: limits.PICTURES]:
            found.pictures.append(_picture(document, number))
        if len(without_text) > limits.PICTURES:
            found.cut["pictures"] = [limits.PICTURES, len(without_text)]
    if not found.sections and not found.pictures:
        found.reason = "empty"
    return found


def page(data: bytes, number: int) -> Found:
    """Return the picture of one page, counted from 1; nothing if there is no such page."""
    try:
        with PdfDocument(data) as document:
            if not 1 <= number <= len(document):
                return Found(pages=len(document), reason="no_page")
            return Found(pages=len(document), pictures=[_picture(document, number)])
    except PdfiumError:
        return Found(reason="protected" if b"/Encrypt" in data else "unreadable")


def _text(page: PdfPage) -> str:
    part = page.get_textpage()
    try:
        text: str = part.get_text_bounded()
    finally:
        part.close()
    return text.replace("\r\n", "\n").replace("\r", "\n").replace("\ufffe", "-")


def _picture(document: PdfDocument, number: int) -> Picture:
    page = document[number - 1]
    width, height = page.get_size()  # points; a page may be as large as its author likes
    scale = limits.EDGE / max(width, height, 1)
    bitmap = page.render(scale=scale, rev_byteorder=True)
    try:
        return encoded(bitmap.to_pil(), number=number)
    finally:
        bitmap.close()
        page.close()
