"""Text of a PDF page that its readers do not see.

Such is text outside of the page, smaller than one point, or invisible, transparent or nearly white
where the drawn page shows nothing. So the text behind a scan counts as seen, since the scan shows
it, and white text on a dark ground does too. Text below a picture, and dark text on the same dark
colour, are taken as seen.
"""

import ctypes
import math
from collections.abc import Iterator
from typing import Any

from pypdfium2 import PdfObject, PdfPage, PdfTextObj, PdfTextPage
from pypdfium2 import raw as pdfium

from curation.base.file_contents.reader.places import Box, place_of, shared

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
