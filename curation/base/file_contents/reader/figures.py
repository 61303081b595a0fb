"""Pictures within an Office document, chosen, cut to what is shown, and made ready for models."""

import hashlib
import io
import warnings
from dataclasses import dataclass

from PIL import Image

from curation.base.file_contents import limits
from curation.base.file_contents.reader.found import Found, Picture
from curation.base.file_contents.reader.pictures import encoded

_FORMATS = ("PNG", "JPEG", "WEBP", "GIF", "BMP")
_BEGINNINGS = (b"\x89PNG\r\n\x1a\n", b"\xff\xd8\xff", b"RIFF", b"GIF8", b"BM")
_PLACE = 60  # letters of a place that are kept; Excel allows 31 for the name of a sheet

Box = tuple[float, float, float, float]
WHOLE: Box = (0.0, 0.0, 0.0, 0.0)


@dataclass(frozen=True)
class Shown:
    """A picture as the document shows it.

    Attributes:
        data: the picture's file.
        area: in square points; None if the document does not say.
        crop: the shares that are cut off at the left, the top, the right and the bottom.
        place: see `Picture`.
    """

    data: bytes
    area: float | None
    crop: Box = WHOLE
    place: str = ""


class Figures:
    """Collects the pictures of a document, up to the limits of one file.

    Small ones, such as logos, formats that models do not take, such as EMF, and what is damaged
    count as unread. A picture that is shown several times is kept once.
    """

    def __init__(self, found: Found) -> None:
        self.found = found
        self._numbers: dict[tuple[bytes, Box, bool], int] = {}
        self._pixels = limits.PIXELS
        self._left_out = 0  # for the limit of pictures

    def add(self, shown: Shown) -> int:
        """Add a picture; return its number, 0 if models do not get it."""
        small = shown.area is not None and shown.area < limits.FIGURE_AREA
        key = (hashlib.sha256(shown.data).digest(), shown.crop, small)
        if key not in self._numbers:
            self._numbers[key] = self._keep(shown, small=small)
        return self._numbers[key]

    def skip(self) -> None:
        """Count a chart or a drawing, of which there is no picture."""
        self.found.unread_pictures += 1

    def _keep(self, shown: Shown, *, small: bool) -> int:
        pictures = self.found.pictures
        if small or not shown.data.startswith(_BEGINNINGS):
            self.skip()
            return 0
        if len(pictures) == limits.PICTURES:
            self._left_out += 1
            self.found.cut["pictures"] = [len(pictures), len(pictures) + self._left_out]
            return 0
        drawn = self._drawn(shown, len(pictures) + 1)
        if drawn is None:
            self.skip()
            return 0
        pictures.append(drawn)
        return drawn.number

    def _drawn(self, shown: Shown, number: int) -> Picture | None:
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("error", Image.DecompressionBombWarning)
                with Image.open(io.BytesIO(shown.data), formats=_FORMATS) as opened:
                    self._pixels -= opened.width * opened.height
                    if self._pixels < 0:
                        return None
                    if opened.format == "JPEG":
                        opened.draft("RGB", (2 * limits.EDGE, 2 * limits.EDGE))
                    part = opened.crop(_box(shown.crop, *opened.size))
                    return encoded(part, number=number, place=shown.place[:_PLACE])
        except (
            Exception
        ):  # damaged in a way no library has a name for; the text is read all the same
            return None


def _box(crop: Box, width: int, height: int) -> tuple[int, int, int, int]:
    """Return what is left of a picture in pixels; all of it if nothing would be left."""
    left, top, right, bottom = (min(max(share, 0.0), 1.0) for share in crop)
    box = (
        round(left * width),
        round(top * height),
        round((1 - right) * width),
        round((1 - bottom) * height),
    )
    return box if box[0] < box[2] and box[1] < box[3] else (0, 0, width, height)
