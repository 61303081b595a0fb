"""Rules for stored text, shared by forms, the API and imported files."""

import re
import unicodedata
from typing import Any

from django.utils.translation import gettext as _

MAX_TEXT = 200_000  # characters of one field; enough for a long contract annex
# A run of characters allowed in an e-mail address, with its domain if there is one. The quantifiers
# are possessive, so that a long run without an @ is scanned once.
_RUN = re.compile(r"[\w.+-]++(?:@[\w-]++(?:\.[\w-]++)+)?")
_LINE_ENDS = re.compile("[\t\n\v\f\r\x1c-\x1f\x85\u2028\u2029]+")
# Invisible characters: control characters, soft hyphens, zero-width spaces, tags; and those that
# change the direction of the following text (embeddings, overrides, isolates).
_UNSEEN = re.compile(
    "[\x01-\x1f\x7f-\x9f\u00ad\u180e\u200b\u202a-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb"
    "\U000e0000-\U000e007f]"
)
# Needed by right-to-left scripts, and by Persian, Indic scripts and emoji.
_DIRECTION_MARKS = re.compile("[\u061c\u200e\u200f]")
_JOINERS = re.compile("[\u200c\u200d]")
_LETTER = "[^\\s\x00-\x7f]"  # ASCII letters are never joined
_JOINS_NOTHING = re.compile(f"(?<!{_LETTER}){_JOINERS.pattern}+|{_JOINERS.pattern}+(?!{_LETTER})")
_LONE_SURROGATE = re.compile("[\ud800-\udfff]")
_UNSTORABLE = re.compile("[\x00\ud800-\udfff]")  # no database or file takes them
# Letters and marks by category, but drawn as nothing: fillers, joiners, selectors, blank Braille.
_DRAWN_AS_NOTHING = re.compile(
    "[\u034f\u115f\u1160\u17b4\u17b5\u2800\u3164\ufe00-\ufe0f\uffa0\U000e0100-\U000e01ef]"
)


def problem_with(text: Any, *, limit: int = MAX_TEXT) -> str | None:
    """Say in one sentence why a text cannot be stored; None if it can.

    Refused are other types, NUL and lone surrogates (which databases and files cannot hold), and
    texts over the limit. Right-to-left marks, zero-width joiners and emoji are fine.

    Args:
        limit: in characters.
    """
    if not isinstance(text, str):
        return _("This must be text.")
    if "\x00" in text:
        return _("This text contains an invisible NUL character. Remove it and save again.")
    if _LONE_SURROGATE.search(text):
        return _("This text contains half of a character pair. Type that character again.")
    if len(text) > limit:
        return _("This text has %(have)s characters; the limit is %(limit)s.") % {
            "have": f"{len(text):,}",
            "limit": f"{limit:,}",
        }
    return None


def storable(text: str) -> tuple[str, int]:
    """Replace each NUL and lone surrogate by U+FFFD; return the text and their number."""
    return _UNSTORABLE.subn("\ufffd", text)


def problem_with_name(text: Any, *, limit: int) -> str | None:
    """Say why a text cannot be an id or a name, which is one visible line; None if it can."""
    problem = problem_with(text, limit=limit)
    if problem:
        return problem
    if is_blank(text):
        return _("This is empty.")
    shown = _JOINERS.sub("", _DIRECTION_MARKS.sub("", text))
    if text != one_line(text).strip() or not shown.isprintable():
        return _(
            "Spaces at the start or end, line breaks and control characters are not allowed here."
        )
    return None


def clean(text: str) -> str:
    """Normalise line ends and strip outer white space."""
    return text.replace("\r\n", "\n").replace("\r", "\n").strip()


def one_line(text: str) -> str:
    """Return a title, name or label as it is stored: one line without invisible characters.

    Line ends become spaces. Control characters, zero-width spaces and characters that change the
    direction of the following text (U+202A to U+202E, U+2066 to U+2069) are dropped. Direction
    marks stay in a text with right-to-left letters, joiners between letters that they join.
    Linear in the length of the text.
    """
    text = _UNSEEN.sub("", _LINE_ENDS.sub(" ", text))
    unmarked = _DIRECTION_MARKS.sub("", text)
    if not any(unicodedata.bidirectional(character) in {"R", "AL"} for character in unmarked):
        text = unmarked
    return _JOINS_NOTHING.sub("", text)


def addresses(text: str) -> list[str]:
    """Return what looks like an e-mail address, as typed, in order. Linear in the length."""
    return [run for run in _RUN.findall(text) if "@" in run] if "@" in text else []


def is_blank(text: str) -> bool:
    """Return whether a text is only spaces, zero-width, control and other blank characters."""
    return not any(
        not character.isspace()
        and unicodedata.category(character) not in {"Cf", "Cc", "Cs"}
        and not _DRAWN_AS_NOTHING.match(character)
        for character in text
    )


def whole_number(typed: Any, *, digits: int = 18) -> int | None:
    """Parse a text of plain ASCII digits; return None for any other text.

    Every number of 18 digits fits a database integer. `int` alone would raise for “²”, which
    `isdigit` accepts, and for thousands of digits.

    Args:
        digits: the largest number of digits.
    """
    sent = str(typed)
    return int(sent) if sent.isascii() and sent.isdecimal() and len(sent) <= digits else None


def word_count(text: str) -> int:
    """Count the words of a text; each Chinese, Japanese or Korean character counts as one."""
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
