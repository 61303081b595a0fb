"""PDF, by PDFium: the text of each page, and pictures of pages."""

import hashlib
from collections import Counter
from dataclasses import dataclass
from itertools import islice

from pypdfium2 import PdfDocument, PdfImage, PdfiumError, PdfPage, PdfTextObj

from curation.base.file_contents import limits, pdf_marks
from curation.base.file_contents.reader import pdf_inside
from curation.base.file_contents.reader.found import Found, Picture, TextBudget
from curation.base.file_contents.reader.pictures import encoded
from curation.base.file_contents.reader.places import area, place_of, shared
from curation.base.file_contents.reader.unseen import divided, unseen

_LETTERS = 8  # characters of a page that has a text; scanned pages may carry a number or a stamp
_DEEP = 5  # forms within forms
_IMAGES = 50  # of one page that are told apart


def read(data: bytes) -> Found:
    """Read the text of a PDF; pages without one, and pages with figures, become pictures.

    A figure is an image that covers a notable share of its page and is not part of the layout,
    as a letterhead or the background of slides is: that stands on more than half of the pages.
    Text that nobody sees on a page is left out (`unseen`).
    """
    found = Found()
    try:
        document = PdfDocument(data)
    except PdfiumError:
        return Found(reason="protected" if b"/Encrypt" in data else "unreadable")
    with document:
        inside = pdf_inside.rewritten(document)
        if pdf_marks.is_active(inside):
            return Found(reason="active")
        for place, text in pdf_inside.texts(inside).items():
            found.add_elsewhere(place, text)
        del inside
        found.pages = len(document)
        budget = TextBudget(found)
        without_text = []
        hidden = 0  # characters that nobody sees on the pages
        images: dict[int, set[bytes]] = {}  # of each page with a text
        for number in range(1, min(found.pages, limits.PAGES) + 1):
            page = document[number - 1]
            seen = _look(page)
            page.close()
            if seen.hidden.strip():
                hidden += len(seen.hidden.strip())
                found.add_elsewhere("hidden", seen.hidden)
            if sum(map(str.isalnum, seen.text)) >= _LETTERS:
                budget.add("text", seen.text, part="page", label=str(number))
                images[number] = seen.images
            elif not seen.is_empty:
                without_text.append(number)
        if hidden:
            found.cut["hidden"] = [budget.all, budget.all + hidden]
        if found.pages > limits.PAGES:
            found.cut["pages"] = [limits.PAGES, found.pages]
        wanted = [*without_text, *_with_figures(images)]  # scans first: their text is on them only
        for number in sorted(wanted[: limits.PICTURES]):
            found.pictures.append(_picture(document, number))
        if len(wanted) > limits.PICTURES:
            found.cut["pictures"] = [limits.PICTURES, len(wanted)]
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


@dataclass(frozen=True)
class _Page:
    """What stands on a page: its text, what of it nobody sees, and the hashes of its figures."""

    text: str
    hidden: str
    images: set[bytes]
    is_empty: bool


def _look(page: PdfPage) -> _Page:
    part = page.get_textpage()
    box = page.get_bbox()
    least = limits.FIGURE_SHARE * area(box)
    texts: list[PdfTextObj] = []
    images: set[bytes] = set()
    is_empty = True
    try:
        text, hidden = part.get_text_bounded(), ""
        objects = page.get_objects(max_depth=_DEEP, textpage=part)
        for one in islice(objects, limits.PARTS):
            is_empty = False
            if isinstance(one, PdfTextObj):
                texts.append(one)
            elif (
                isinstance(one, PdfImage)
                and len(images) < _IMAGES
                and area(shared(place_of(one), box)) >= least > 0
            ):
                images.add(hashlib.sha256(one.get_data()).digest())
        if out := unseen(page, texts):
            text, hidden = divided(part, out)
    finally:
        part.close()
    return _Page(_clean(text), _clean(hidden), images, is_empty)


def _clean(text: str) -> str:
    return text.replace("\r\n", "\n").replace("\r", "\n").replace("\ufffe", "-")


def _with_figures(images: dict[int, set[bytes]]) -> list[int]:
    """Return the pages that have an image which is not on more than half of the pages."""
    times = Counter(image for some in images.values() for image in some)
    layout = {image for image, n in times.items() if n > 1 and 2 * n > len(images)}
    return [number for number, some in images.items() if some - layout]


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
