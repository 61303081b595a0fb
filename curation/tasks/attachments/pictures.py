"""The size of pictures, and copies without metadata, without a picture library.

Formats: PNG (ISO/IEC 15948), JPEG (ITU-T T.81 with JFIF and Exif), WebP (its RIFF container).
Only the containers are read; the compressed picture is never decoded.
"""

import struct
from collections.abc import Iterator

MOST_PIXELS = 60_000_000  # the largest pictures of phones; browsers struggle with more
_PNG = b"\x89PNG\r\n\x1a\n"
_PNG_METADATA = {b"tEXt", b"zTXt", b"iTXt", b"eXIf", b"tIME"}
_WEBP_METADATA = {b"EXIF", b"XMP "}
_EXIF_FLAG, _XMP_FLAG = 0x08, 0x04
_ORIENTATION = 0x0112
_FRAMES = {*range(0xC0, 0xD0)} - {0xC4, 0xC8, 0xCC}


def measure(data: bytes, ending: str) -> tuple[int, int]:
    """Return width and height in pixels.

    Raises:
        ValueError: the file is damaged, cut off, or has data after the picture.
    """
    try:
        return {".png": _png_size, ".jpg": _jpeg_size, ".webp": _webp_size}[ending](data)
    except (struct.error, IndexError) as error:
        raise ValueError("cut off") from error


def without_metadata(data: bytes, ending: str) -> bytes:
    """Return the picture without its metadata: author, place, time, camera, editing history.

    The orientation of a JPEG is kept, so that it is still shown upright.

    Raises:
        ValueError: the file is damaged.
    """
    try:
        return {".png": _stripped_png, ".jpg": _stripped_jpeg, ".webp": _stripped_webp}[ending](
            data
        )
    except (struct.error, IndexError) as error:
        raise ValueError("cut off") from error


# --- PNG ----------------------------------------------------------------------------------------
def _png_chunks(data: bytes) -> Iterator[tuple[bytes, bytes]]:
    """Yield (type, whole chunk with length and checksum), up to the end chunk."""
    if not data.startswith(_PNG):
        raise ValueError("no PNG")
    at = len(_PNG)
    while True:
        (length,) = struct.unpack_from(">I", data, at)
        kind, end = data[at + 4 : at + 8], at + 12 + length
        if end > len(data) or not kind.isalpha():
            raise ValueError("damaged chunk")
        yield kind, data[at:end]
        at = end
        if kind == b"IEND":
            break
    if at != len(data):
        raise ValueError("something follows the picture")


def _png_size(data: bytes) -> tuple[int, int]:
    kinds = [kind for kind, _chunk in _png_chunks(data)]
    if kinds[0] != b"IHDR" or b"IDAT" not in kinds:
        raise ValueError("no picture in it")
    width, height = struct.unpack_from(">II", data, 16)
    return _checked(width, height)


def _stripped_png(data: bytes) -> bytes:
    kept = (chunk for kind, chunk in _png_chunks(data) if kind not in _PNG_METADATA)
    return _PNG + b"".join(kept)


# --- JPEG ---------------------------------------------------------------------------------------
def _jpeg_parts(data: bytes) -> Iterator[tuple[int, bytes]]:
    """Yield (marker, bytes) of each segment up to the end of the picture.

    What follows is left out: some cameras put a second, hidden picture behind the first.
    """
    at = 2
    while True:
        if data[at] != 0xFF:
            raise ValueError("damaged segment")
        marker = data[at + 1]
        if marker == 0xFF:  # padding
            at += 1
            continue
        if marker == 0xD9:
            yield marker, data[at : at + 2]
            return
        if marker == 0x01 or 0xD0 <= marker <= 0xD7:
            yield marker, data[at : at + 2]
            at += 2
            continue
        (length,) = struct.unpack_from(">H", data, at + 2)
        end = at + 2 + length
        if length < 2 or end > len(data):
            raise ValueError("damaged segment")
        if marker == 0xDA:  # the compressed picture follows, up to the next real marker
            end = _end_of_scan(data, end)
        yield marker, data[at:end]
        at = end


def _end_of_scan(data: bytes, at: int) -> int:
    while True:
        at = data.find(b"\xff", at)
        if at < 0 or at + 1 >= len(data):
            raise ValueError("cut off")
        following = data[at + 1]
        if following not in (0x00, 0xFF) and not 0xD0 <= following <= 0xD7:
            return at
        at += 1 if following == 0xFF else 2


def _jpeg_size(data: bytes) -> tuple[int, int]:
    size = None
    scans = 0
    for marker, part in _jpeg_parts(data):
        if marker in _FRAMES and size is None:
            height, width = struct.unpack_from(">HH", part, 5)
            size = _checked(width, height)
        scans += marker == 0xDA
    if size is None or not scans:
        raise ValueError("no picture in it")
    return size


def _stripped_jpeg(data: bytes) -> bytes:
    kept, orientation = [b"\xff\xd8"], 1
    for marker, part in _jpeg_parts(data):
        if marker == 0xE1 and part[4:10] == b"Exif\0\0":
            orientation = _orientation(part[10:])
        # Drop application segments and comments, except those that decoding needs: JFIF (E0), the
        # colour profile (E2) and Adobe's (EE).
        if (0xE0 <= marker <= 0xEF and marker not in (0xE0, 0xE2, 0xEE)) or marker == 0xFE:
            continue
        if marker == 0xE2 and part[4:15] != b"ICC_PROFILE":
            continue
        kept.append(part)
    if orientation != 1:
        kept.insert(1, _exif_segment(orientation))
    return b"".join(kept)


def _orientation(tiff: bytes) -> int:
    """Return the orientation (1 to 8) of an Exif block; 1 if there is none or it is unreadable."""
    try:
        order = {b"II": "<", b"MM": ">"}[tiff[:2]]
        (at,) = struct.unpack_from(f"{order}I", tiff, 4)
        (count,) = struct.unpack_from(f"{order}H", tiff, at)
        for entry in range(at + 2, at + 2 + 12 * min(count, 500), 12):
            (tag,) = struct.unpack_from(f"{order}H", tiff, entry)
            if tag == _ORIENTATION:
                (value,) = struct.unpack_from(f"{order}H", tiff, entry + 8)
                return value if 1 <= value <= 8 else 1
    except (KeyError, struct.error):
        pass
    return 1


def _exif_segment(orientation: int) -> bytes:
    """Build an Exif segment that holds the orientation and nothing else."""
    entry = struct.pack(">HHIHH", _ORIENTATION, 3, 1, orientation, 0)
    body = b"Exif\0\0" + b"MM\0*" + struct.pack(">IH", 8, 1) + entry + struct.pack(">I", 0)
    return b"\xff\xe1" + struct.pack(">H", len(body) + 2) + body


# --- WebP ---------------------------------------------------------------------------------------
def _webp_chunks(data: bytes) -> Iterator[tuple[bytes, bytes]]:
    """Yield (type, content) of each chunk."""
    (length,) = struct.unpack_from("<I", data, 4)
    if data[8:12] != b"WEBP" or length + 8 not in (len(data), len(data) - 1):
        raise ValueError("damaged container")
    at = 12
    while at < length + 8:
        (size,) = struct.unpack_from("<I", data, at + 4)
        end = at + 8 + size
        if end > len(data):
            raise ValueError("damaged chunk")
        yield data[at : at + 4], data[at + 8 : end]
        at = end + size % 2


def _webp_size(data: bytes) -> tuple[int, int]:
    for kind, body in _webp_chunks(data):
        if kind == b"VP8X":
            wide, high = body[4:7] + b"\0", body[7:10] + b"\0"
            return _checked(struct.unpack("<I", wide)[0] + 1, struct.unpack("<I", high)[0] + 1)
        if kind == b"VP8 ":
            if body[3:6] != b"\x9d\x01\x2a":
                raise ValueError("no picture in it")
            width, height = struct.unpack_from("<HH", body, 6)
            return _checked(width & 0x3FFF, height & 0x3FFF)
        if kind == b"VP8L":
            if body[0] != 0x2F:
                raise ValueError("no picture in it")
            (bits,) = struct.unpack_from("<I", body, 1)
            return _checked((bits & 0x3FFF) + 1, (bits >> 14 & 0x3FFF) + 1)
    raise ValueError("no picture in it")


def _stripped_webp(data: bytes) -> bytes:
    kept = b""
    for kind, body in _webp_chunks(data):
        if kind in _WEBP_METADATA:
            continue
        if kind == b"VP8X":
            body = bytes([body[0] & ~(_EXIF_FLAG | _XMP_FLAG)]) + body[1:]
        kept += kind + struct.pack("<I", len(body)) + body + b"\0" * (len(body) % 2)
    return b"RIFF" + struct.pack("<I", len(kept) + 4) + b"WEBP" + kept


def _checked(width: int, height: int) -> tuple[int, int]:
    if not width or not height:
        raise ValueError("no picture in it")
    return width, height
