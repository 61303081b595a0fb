"""Short answers, a few words or one number: what they say apart from how they are written.

Full-width characters, Markdown, quotation marks, capital letters, thousands separators, the unit
and a full stop at the end make no difference. Pure functions.
"""

import re
import unicodedata
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from decimal import Decimal, InvalidOperation

LONGEST = 2000  # characters of a line that is compared; a longer one is no short answer

_MARKS = re.compile(r"[*_`~#\"'“”‘’«»„‹›「」『』《》〈〉]")
_LABEL = re.compile(
    r"^(?:(?:the )?(?:final |exact )?answer(?: is)?|(?:最终|最后)?答案(?:是|为)?)\s*[:：]?\s*"
)
_SPACES = re.compile(r"\s+")
_ENDS = " .。,，;；:：!！?？"
_NUMBER = re.compile(
    r"[-+−]?(?:\d{1,3}(?:[,' \u00a0\u2009\u202f]\d{3})+(?![\d])|\d+)(?:\.\d+)?(?:e[-+]?\d{1,3})?"
)
_SEPARATORS = re.compile(r"[,' \u00a0\u2009\u202f]")


@dataclass(frozen=True)
class Expected:
    """The right answer, and what else counts as it.

    Attributes:
        answer: the words or the number, as its author wrote it.
        is_number: whether it is compared as a number.
        tolerance: how far a number may be off; None or 0 for not at all.
        tolerance_is_percent: whether the tolerance is a per cent of the answer.
        unit: what a number counts; it may stand behind the number or be left out.
        alternatives: other forms that count as right.
    """

    answer: str
    is_number: bool = False
    tolerance: Decimal | None = None
    tolerance_is_percent: bool = False
    unit: str = ""
    alternatives: Sequence[str] = ()


def plain(text: str) -> str:
    """Return a short answer without what makes no difference; empty for no answer."""
    text = _MARKS.sub("", unicodedata.normalize("NFKC", text[:LONGEST])).casefold()
    text = _SPACES.sub(" ", text).strip(_ENDS)
    return _LABEL.sub("", text).strip(_ENDS)


def number_in(text: str, unit: str = "") -> Decimal | None:
    """Return the one number of a short answer; None for none, for several, or for other words.

    Args:
        unit: may stand before or behind the number.
    """
    said = plain(text)
    found = list(_NUMBER.finditer(said))
    if len(found) != 1:
        return None
    around = said[: found[0].start()] + said[found[0].end() :]
    if around.strip(_ENDS) not in ("", plain(unit)):
        return None
    return _decimal(found[0].group())


def one_spelling(said: str, expected: Expected) -> str:
    """Return a wrong answer in the spelling by which equal answers are counted together.

    Where a number is expected, its digits without the unit: "84 个" and "84.0" are "84".
    """
    number = number_in(said, expected.unit) if expected.is_number else None
    return plain(said) if number is None else f"{number.normalize():f}"


def is_one_number(text: str) -> bool:
    """Return whether a text is one number and nothing else, as an author has to write it."""
    said = unicodedata.normalize("NFKC", text).strip()
    return bool(_NUMBER.fullmatch(said)) and _decimal(said) is not None


def _decimal(written: str) -> Decimal | None:
    try:
        return Decimal(_SEPARATORS.sub("", written).replace("−", "-"))
    except InvalidOperation:
        return None


def matches(given: str, expected: Expected) -> bool:
    """Return whether an answer says the same as the expected one, or as one of its alternatives.

    A number counts within the tolerance, its ends included.
    """
    forms = [expected.answer, *expected.alternatives]
    if expected.is_number:
        said = number_in(given, expected.unit)
        right = number_in(expected.answer, expected.unit)
        if said is not None and right is not None:
            return abs(said - right) <= _margin(right, expected)
    return plain(given) != "" and in_words(given) in {in_words(form) for form in forms}


def in_words(text: str) -> str:
    """Return a short answer as words are compared: plain, its numbers without separators."""
    return _NUMBER.sub(lambda found: _SEPARATORS.sub("", found.group()), plain(text))


def _margin(right: Decimal, expected: Expected) -> Decimal:
    if expected.tolerance is None:
        return Decimal(0)
    if expected.tolerance_is_percent:
        return abs(right) * expected.tolerance / 100
    return expected.tolerance


def occurs_in(answer: str, texts: Iterable[str]) -> bool:
    """Return whether an answer stands word for word in one of the texts.

    A number and a word in Latin script only count as a whole, so that 8 is not found in 1986.
    """
    wanted = plain(answer)
    if not wanted:
        return False
    edge = r"(?<![a-z0-9.,])" if wanted[0].isascii() and wanted[0].isalnum() else ""
    end = r"(?![a-z0-9]|[.,]\d)" if wanted[-1].isascii() and wanted[-1].isalnum() else ""
    pattern = re.compile(edge + re.escape(wanted) + end)
    return any(pattern.search(_searched(text)) for text in texts)


def _searched(text: str) -> str:
    """Return a text with the same spelling as `plain` gives, at its whole length."""
    return _SPACES.sub(" ", _MARKS.sub("", unicodedata.normalize("NFKC", text)).casefold())


def last_line(response: str) -> str:
    """Return the last line of a response with words in it, plain; empty for none."""
    for line in reversed(response.splitlines()):
        if said := plain(line):
            return said
    return ""
