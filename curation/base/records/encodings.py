"""Which encoding a text file is in."""

import re
from typing import Any

from django.utils.translation import gettext_lazy as _

UTF_8, UTF_16, GB18030, WESTERN = "utf-8", "utf-16", "gb18030", "cp1252"
LABELS: dict[str, Any] = {
    UTF_8: "UTF-8",
    UTF_16: "UTF-16",
    GB18030: _("GB18030 (Chinese)"),
    WESTERN: _("Windows-1252 (Western Europe)"),
}
_MARKS = {
    b"\xef\xbb\xbf": "utf-8-sig",
    b"\xff\xfe": "utf-16",
    b"\xfe\xff": "utf-16",
}
_LOOKED_AT = 200_000  # bytes
# Most Chinese characters are two bytes from this range; a Western text has such bytes one by one.
_PAIR = re.compile(rb"[\xb0-\xf7][\xa1-\xfe]")
_SIGNS = re.compile(r"[,;\t\n]")  # of a table; JSON lines have them too
_HIGH = re.compile(rb"[\x80-\xff]")


class UnknownEncodingError(ValueError):
    """A file is no text in an encoding that is read here."""


def decoded(data: bytes, encoding: str = "") -> tuple[str, str]:
    """Return the text of a file without its byte order mark, and the encoding it is in.

    Args:
        encoding: a key of `LABELS`; "" to find it out.

    Raises:
        UnknownEncodingError: it is no text in this encoding, or in any that is known here.
    """
    for mark, codec in _MARKS.items():
        if data.startswith(mark) and encoding in ("", codec.removesuffix("-sig")):
            return _text(data, codec), codec.removesuffix("-sig")
    if encoding:
        return _text(data, _without_mark(data) if encoding == UTF_16 else encoding), encoding
    if b"\x00" in data[:_LOOKED_AT]:
        text = _text(data, _without_mark(data))
        if not _SIGNS.search(text):  # a file with a zero somewhere is no text
            raise UnknownEncodingError
        return text, UTF_16
    try:
        return _text(data, UTF_8), UTF_8
    except UnknownEncodingError:
        likely = _more_likely(data)
    return _text(data, likely), likely


def _without_mark(data: bytes) -> str:
    """Return the byte order of a UTF-16 text: the zeros of ASCII letters come second, or first."""
    seen = data[:_LOOKED_AT]
    return "utf-16-le" if seen[1::2].count(0) >= seen[::2].count(0) else "utf-16-be"


def _more_likely(data: bytes) -> str:
    """Return the encoding of a text that is not UTF-8."""
    seen = data[:_LOOKED_AT]
    high = len(_HIGH.findall(seen))
    if 2 * len(_PAIR.findall(seen)) < high / 2:
        return WESTERN
    try:
        _text(data, GB18030)
    except UnknownEncodingError:
        return WESTERN
    return GB18030


def _text(data: bytes, codec: str) -> str:
    try:
        text = data.decode(codec)
    except UnicodeDecodeError:
        raise UnknownEncodingError from None
    if "\x00" in text:
        raise UnknownEncodingError
    return text
