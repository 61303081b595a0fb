"""PDF, by PDFium: the text of each page, and pictures of pages."""

import ctypes
import hashlib
import math
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice
from typing import Any

from pypdfium2 import (
    PdfDocument,
    PdfImage,
    PdfiumError,
    PdfObject,
    PdfPage,
    PdfTextObj,
    PdfTextPage,
)
from pypdfium2 import raw as pdfium

from curation.base.file_contents import limits, pdf_marks
from curation.base.file_contents.reader import pdf_inside
from curation.base.file_contents.reader.found import Found, Picture, TextBudget
from curation.base.file_contents.reader.pictures import encoded

Box = tuple[float, float, float, float]


def place_of(part: PdfObject) -> Box:
    """Return where an object stands on the page, out of all forms that hold it."""
    found: Box = part.get_bounds()
    form = part.container
    while form is not None:
        found = form.get_matrix().on_rect(*found)
        form = form.container
    return found


def shared(one: Box, other: Box) -> Box:
    """Return the rectangle that two share; one without an area if they share none."""
    return (
        max(one[0], other[0]),
        max(one[1], other[1]),
        min(one[2], other[2]),
        min(one[3], other[3]),
    )


def area(box: Box) -> float:
    """Return the area of a box in square points."""
    return max(0.0, box[2] - box[0]) * max(0.0, box[3] - box[1])


# Such is text outside of the page, smaller than one point, or invisible, transparent or nearly
# white where the drawn page shows nothing. So the text behind a scan counts as seen, since the
# scan shows it, and white text on a dark ground does too. Text below a picture, and dark text on
# the same dark colour, are taken as seen.


_LEAST_SIZE = 1.0  # points
_LIGHT = 230  # of 255, of each of red, green and blue
_FAINT = 26  # of 255, the opacity below which nobody sees a colour
_EVEN = 16  # of 255; a part of a page whose pixels differ by less shows nothing
_INVISIBLE = {
    pdfium.FPDF_TEXTRENDERMODE_INVISIBLE,
    pdfium.FPDF_TEXTRENDERMODE_CLIP,
}
_MOST_PIXELS = 4_000_000  # of a drawn page; a larger one is drawn smaller


def unseen(page: PdfPage, texts: list[PdfTextObj]) -> list[PdfTextObj]:
    """Return those of the page's texts that its readers do not see."""
    box = page.get_bbox()
    found, doubtful = [], []
    for text in texts:
        place = place_of(text)
        if _is_outside(place, box) or 0 < _size(text) < _LEAST_SIZE:
            found.append(text)
        elif _is_doubtful(text):
            doubtful.append((text, place))
    if doubtful:
        found += _not_drawn(page, box, doubtful)
    return found


def divided(part: PdfTextPage, texts: list[PdfTextObj]) -> tuple[str, str]:
    """Return the text of a page without these texts, and these alone."""
    out = {_address(text.raw) for text in texts}
    kept: list[list[int]] = []
    left: list[list[int]] = []
    for index in range(part.count_chars()):
        raw = pdfium.FPDFText_GetTextObject(part, index)
        ranges = left if raw and _address(raw) in out else kept
        if ranges and ranges[-1][1] == index:
            ranges[-1][1] = index + 1
        else:
            ranges.append([index, index + 1])
    return _joined(part, kept), _joined(part, left)


def _joined(part: PdfTextPage, ranges: list[list[int]]) -> str:
    return "".join(part.get_text_range(start, end - start) for start, end in ranges)


def _address(raw: Any) -> int:
    return ctypes.addressof(raw.contents)


def _is_outside(place: Box, box: Box) -> bool:
    left, bottom, right, top = shared(place, box)
    return left > right or bottom > top


def _size(text: PdfTextObj) -> float:
    """Return the size of its letters on the page, in points; 0 if it has none."""
    size = float(text.get_font_size())
    held: PdfObject | None = text
    while held is not None:
        a, b, c, d, _e, _f = held.get_matrix().get()
        size *= math.sqrt(abs(a * d - b * c))
        held = held.container
    return size


def _is_doubtful(text: PdfTextObj) -> bool:
    if pdfium.FPDFTextObj_GetTextRenderMode(text) in _INVISIBLE:
        return True
    red, green, blue, opacity = (ctypes.c_uint() for _ in range(4))
    if not pdfium.FPDFPageObj_GetFillColor(text, red, green, blue, opacity):
        return False
    return opacity.value < _FAINT or min(red.value, green.value, blue.value) >= _LIGHT


def _not_drawn(
    page: PdfPage, box: Box, doubtful: list[tuple[PdfTextObj, Box]]
) -> Iterator[PdfTextObj]:
    """Yield the texts at whose places the drawn page has one colour."""
    width, height = page.get_width(), page.get_height()
    scale = min(1.0, math.sqrt(_MOST_PIXELS / max(1.0, width * height)))
    bitmap = page.render(scale=scale, rotation=-page.get_rotation() % 360)
    try:
        drawn = bitmap.to_pil().convert("RGB")
    finally:
        bitmap.close()
    for text, (left, bottom, right, top) in doubtful:
        region = (
            max(0, math.floor((left - box[0]) * scale)),
            max(0, math.floor((box[3] - top) * scale)),
            min(drawn.width, math.ceil((right - box[0]) * scale)),
            min(drawn.height, math.ceil((box[3] - bottom) * scale)),
        )
        colours = drawn.crop(region).getextrema() if _has_area(region) else ()
        if all(high - low < _EVEN for low, high in colours):
            yield text


def _has_area(region: tuple[int, int, int, int]) -> bool:
    return region[0] < region[2] and region[1] < region[3]


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
