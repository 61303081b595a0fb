"""What may be stored as text, checked once for forms, API and files."""

import re
import unicodedata
from typing import Any

from django.utils.translation import gettext as _

MAX_TEXT = 200_000  # characters of one part; a long contract annex fits, a novel does not
# A whole run of an address's characters, with its domain if it has one: nothing is read twice, so
# that a long run without an @ costs no more than any other text.
_RUN = re.compile(r"[\w.+-]++(?:@[\w-]++(?:\.[\w-]++)++)?")
_HALF_PAIR = re.compile("[\ud800-\udfff]")
_UNSTORABLE = re.compile("[\x00\ud800-\udfff]")  # no database or file takes them
# Letters and marks by their category, drawn as nothing: fillers, joiners, selectors, empty Braille.
_DRAWN_AS_NOTHING = re.compile(
    "[\u034f\u115f\u1160\u17b4\u17b5\u2800\u3164\ufe00-\ufe0f\uffa0\U000e0100-\U000e01ef]"
)


def problem_with(text: Any, *, limit: int = MAX_TEXT) -> str | None:
    """Say in one sentence why a text cannot be stored, or None if it can.

    Refused: other types, NUL and lone surrogates (no database or file takes them), and texts
    over the limit. Right-to-left marks, zero-width joiners and emoji are people's own.
    """
    if not isinstance(text, str):
        return _("This must be a text.")
    if "\x00" in text:
        return _("This text contains an invisible NUL character. Remove it and save again.")
    if _HALF_PAIR.search(text):
        return _("This text contains half of a character pair. Type that character again.")
    if len(text) > limit:
        return _("This text has %(have)s characters; at most %(limit)s fit.") % {
            "have": f"{len(text):,}",
            "limit": f"{limit:,}",
        }
    return None


def storable(text: str) -> tuple[str, int]:
    """The text with U+FFFD for each NUL and lone surrogate, and how many there were."""
    return _UNSTORABLE.subn("\ufffd", text)


def problem_with_name(text: Any, *, limit: int) -> str | None:
    """Say why a text cannot be an id or a name, or None: one line that shows something."""
    problem = problem_with(text, limit=limit)
    if problem:
        return problem
    if is_blank(text):
        return _("This is empty.")
    if text != text.strip() or not text.isprintable():
        return _("Outer white space, line breaks and control characters cannot stand here.")
    return None


def clean(text: str) -> str:
    """Normalise line ends and outer white space; the inner text stays as typed."""
    return text.replace("\r\n", "\n").replace("\r", "\n").strip()


def addresses(text: str) -> list[str]:
    """What looks like an e-mail address, as typed, in order. Linear in the length of the text."""
    return [run for run in _RUN.findall(text) if "@" in run] if "@" in text else []


def is_blank(text: str) -> bool:
    """True if nothing in it can be seen (spaces, zero-width and control characters only)."""
    return not any(
        not character.isspace()
        and unicodedata.category(character) not in {"Cf", "Cc", "Cs"}
        and not _DRAWN_AS_NOTHING.match(character)
        for character in text
    )


def whole_number(typed: Any, *, digits: int = 18) -> int | None:
    """The number that a text of plain digits names, None for any other text.

    Every whole number of 18 digits fits a database. `int` alone would fall over “²”, which is a
    digit to some tests, and over thousands of digits.
    """
    sent = str(typed)
    return int(sent) if sent.isascii() and sent.isdecimal() and len(sent) <= digits else None


def word_count(text: str) -> int:
    """Words of a text; each Chinese, Japanese or Korean character counts as one."""
    count, in_word = 0, False
    for character in text:
        if "\u3040" <= character <= "\u9fff" or "\uac00" <= character <= "\ud7af":
            count += 1
            in_word = False
        elif character.isalnum():
            count += not in_word
            in_word = True
        elif character not in "'’-._":
            in_word = False
    return count
