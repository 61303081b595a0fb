"""PDF, by PDFium: the text of each page, and pictures of pages."""

import hashlib
from collections import Counter
from collections.abc import Iterator
from itertools import islice

from pypdfium2 import PdfDocument, PdfImage, PdfiumError, PdfObject, PdfPage

from curation.file_contents import limits, pdf_marks
from curation.file_contents.reader import pdf_inside
from curation.file_contents.reader.found import Found, Picture, TextBudget
from curation.file_contents.reader.pictures import encoded

_LETTERS = 8  # characters of a page that has a text; scanned pages may carry a number or a stamp
_DEEP = 5  # forms within forms
_IMAGES = 50  # of one page that are told apart


def read(data: bytes) -> Found:
    """Read the text of a PDF; pages without one, and pages with figures, become pictures.

    A figure is an image that covers a notable share of its page and is not part of the layout,
    as a letterhead or the background of slides is: that stands on more than half of the pages.
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
        images: dict[int, set[bytes]] = {}  # of each page with a text
        for number in range(1, min(found.pages, limits.PAGES) + 1):
            page = document[number - 1]
            text = _text(page)
            if sum(map(str.isalnum, text)) >= _LETTERS:
                budget.add("text", text, part="page", label=str(number))
                images[number] = set(islice(_notable_images(page), _IMAGES))
            elif any(True for _object in page.get_objects(max_depth=1)):
                without_text.append(number)
            page.close()
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


def _text(page: PdfPage) -> str:
    part = page.get_textpage()
    try:
        text: str = part.get_text_bounded()
    finally:
        part.close()
    return text.replace("\r\n", "\n").replace("\r", "\n").replace("\ufffe", "-")


def _with_figures(images: dict[int, set[bytes]]) -> list[int]:
    """Return the pages that have an image which is not on more than half of the pages."""
    times = Counter(image for some in images.values() for image in some)
    layout = {image for image, n in times.items() if n > 1 and 2 * n > len(images)}
    return [number for number, some in images.items() if some - layout]


def _notable_images(page: PdfPage) -> Iterator[bytes]:
    """Yield the hash of each image that covers a notable share of a page."""
    box = page.get_bbox()
    least = limits.FIGURE_SHARE * _area(box)
    for part in islice(page.get_objects(max_depth=_DEEP), limits.PARTS):
        if isinstance(part, PdfImage) and _area(_shared(_place(part), box)) >= least > 0:
            yield hashlib.sha256(part.get_data()).digest()


def _place(part: PdfObject) -> tuple[float, float, float, float]:
    """Return left, bottom, right and top on the page, out of all forms that hold the object."""
    found = part.get_bounds()
    form = part.container
    while form is not None:
        found = form.get_matrix().on_rect(*found)
        form = form.container
    return found


def _shared(
    one: tuple[float, float, float, float], other: tuple[float, float, float, float]
) -> tuple[float, float, float, float]:
    """Return the rectangle that two share; one without an area if they share none."""
    return (
        max(one[0], other[0]),
        max(one[1], other[1]),
        min(one[2], other[2]),
        min(one[3], other[3]),
    )


def _area(box: tuple[float, float, float, float]) -> float:
    return max(0.0, box[2] - box[0]) * max(0.0, box[3] - box[1])


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
