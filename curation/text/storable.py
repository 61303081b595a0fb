"""What may be stored as text, checked once for forms, API and files."""

import re
import unicodedata
from typing import Any

from django.utils.translation import gettext as _

MAX_TEXT = 200_000  # characters of one part; a long contract annex fits, a novel does not
# A whole run of an address's characters, with its domain if it has one: nothing is read twice, so
# that a long run without an @ costs no more than any other text.
_RUN = re.compile(r"[\w.+-]++(?:@[\w-]++(?:\.[\w-]++)++)?")
_LINE_ENDS = re.compile("[\t\n\v\f\r\x1c-\x1f\x85\u2028\u2029]+")
# Never seen: control characters, soft hyphens, zero-width spaces, tags; and signs that turn the
# order of what follows (embeddings, overrides, isolates).
_UNSEEN = re.compile(
    "[\x01-\x1f\x7f-\x9f\u00ad\u180e\u200b\u202a-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb"
    "\U000e0000-\U000e007f]"
)
# Right-to-left scripts need the first, Persian and Indic ones and emoji the second.
_DIRECTION_MARKS = re.compile("[\u061c\u200e\u200f]")
_JOINERS = re.compile("[\u200c\u200d]")
_LETTER = "[^\\s\x00-\x7f]"  # ASCII letters are never joined
_JOINS_NOTHING = re.compile(f"(?<!{_LETTER}){_JOINERS.pattern}+|{_JOINERS.pattern}+(?!{_LETTER})")
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
    shown = _JOINERS.sub("", _DIRECTION_MARKS.sub("", text))
    if text != one_line(text).strip() or not shown.isprintable():
        return _("Outer white space, line breaks and control characters cannot stand here.")
    return None


def clean(text: str) -> str:
    """Normalise line ends and outer white space; the inner text stays as typed."""
    return text.replace("\r\n", "\n").replace("\r", "\n").strip()


def one_line(text: str) -> str:
    """A title, a name or a label as it is stored: one line, and nothing that cannot be seen.

    Dropped: control characters, zero-width spaces and every sign that turns the order of what
    follows it (U+202A to U+202E, U+2066 to U+2069). A line's end becomes a space. A mark of
    direction stays in a text with right-to-left letters, a joiner between the letters it joins.
    Linear in the length of the text.
    """
    text = _UNSEEN.sub("", _LINE_ENDS.sub(" ", text))
    unmarked = _DIRECTION_MARKS.sub("", text)
    if not any(unicodedata.bidirectional(character) in {"R", "AL"} for character in unmarked):
        text = unmarked
    return _JOINS_NOTHING.sub("", text)


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
