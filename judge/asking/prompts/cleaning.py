"""Texts of people as prompts hold them: without characters that no reader sees."""

import re

# Control characters other than tab and newline; signs that change the reading direction or are
# invisible (tags and variation selectors have been used to hide orders from human readers); lone
# surrogates, which cannot be encoded.
_UNREADABLE = re.compile(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f\u200b\u202a-\u202e\u2060-\u2064\u2066-\u2069"
    "\ufeff\U000e0000-\U000e007f\U000e0100-\U000e01ef\ud800-\udfff]"
)


def clean(text: str) -> str:
    """Return `text` with `\\n` line ends, without invisible and unencodable characters."""
    # Most texts have nothing to remove, and this test is twenty times faster than the pattern.
    if text.isascii() and text.replace("\n", "").replace("\t", "").isprintable():
        return text
    return _UNREADABLE.sub("", text.replace("\r\n", "\n").replace("\r", "\n"))


def inline(text: str) -> str:
    """Return `text` clean, on one line."""
    return " ".join(clean(text).split())
