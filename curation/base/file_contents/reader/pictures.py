"""Pictures as models and pages get them: upright, of bounded size, without metadata."""

import io
import warnings

from PIL import Image, ImageOps

from curation.base.file_contents import limits
from curation.base.file_contents.reader.found import Found, Picture

# Uploads have at most 60 million pixels (`curation.tasks.attachments.pictures`), read from their
# heads.
Image.MAX_IMAGE_PIXELS = 61_000_000
_ROUGH = 88  # quality of a JPEG


def read(data: bytes) -> Found:
    """Read a PNG, JPEG or WebP; of an animation, the first picture."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("error", Image.DecompressionBombWarning)
            with Image.open(io.BytesIO(data), formats=("PNG", "JPEG", "WEBP")) as opened:
                opened.seek(0)
                if opened.format == "JPEG":
                    opened.draft("RGB", (2 * limits.EDGE, 2 * limits.EDGE))  # decodes it smaller
                upright = ImageOps.exif_transpose(opened)
                return Found(pictures=[encoded(upright, number=1)])
    except (OSError, ValueError, SyntaxError, Image.DecompressionBombWarning):
        return Found(reason="unreadable")


def encoded(picture: Image.Image, *, number: int, place: str = "") -> Picture:
    """Return a picture on white, scaled down to the limit: a PNG, or a JPEG if that is large."""
    if picture.mode in ("RGBA", "LA", "PA") or "transparency" in picture.info:
        layer = picture.convert("RGBA")
        flat = Image.new("RGB", layer.size, "white")
        flat.paste(layer, mask=layer.getchannel("A"))
    else:
        flat = picture.convert("RGB")
    flat.thumbnail((limits.EDGE, limits.EDGE), Image.Resampling.LANCZOS)
    for kind, options in (("PNG", {"optimize": True}), ("JPEG", {"quality": _ROUGH})):
        file = io.BytesIO()
        flat.save(file, kind, **options)
        if file.tell() <= limits.PICTURE_BYTES:
            break
    data = file.getvalue()
    return Picture(number, f"image/{kind.lower()}", flat.width, flat.height, data, place)
