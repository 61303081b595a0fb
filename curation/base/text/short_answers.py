"""Short answers, a few words or one number: which certainly say the same, and which do not.

What is certain is a closed list (`compare`); everything else is to be asked. Pure functions.
"""

import itertools
import re
import unicodedata
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from decimal import Decimal
from enum import StrEnum
from fractions import Fraction

from curation.base.text import quantities, written_forms
from curation.base.text.quantities import Quantity, quantity, same_unit
from curation.base.text.written_forms import same_words, spelled

_LETTER = re.compile(r"[A-Z]")
_OPPOSITES = [("yes", "no"), ("true", "false"), ("是", "否"), ("对", "错"), ("有", "没有")]
_TENS = tuple(Fraction(10) ** power for power in range(-12, 13))
_CONTRARY = dict(_OPPOSITES) | {other: one for one, other in _OPPOSITES}
# Whole answers that give none, unless what is right may itself be that there is none.
_NO_ANSWER = frozenset(
    ("i don't know", "i do not know", "i cannot answer", "i can't answer", "i am not sure")
    + ("i cannot answer this question", "i can't answer this question")
    + ("我不知道", "不知道", "无法回答", "我无法回答")
)
_NEGATIVE = re.compile(r"\b(?:no|not|none|nobody|nothing|never|un[a-z]+|cannot)\b|n't|[不无没未]")


class Comparison(StrEnum):
    """What is certain of an answer; `ASK` if nothing is."""

    RIGHT = "right"
    WRONG = "wrong"
    ASK = "ask"


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


def compare(given: str, expected: Expected) -> Comparison:
    """Return whether an answer is certainly right, certainly wrong, or has to be asked about.

    **Right** is the same spelling but for what `written_forms` lists; the same whole number in
    another numeral, with other separators or a word of scale; the same number of the same unit;
    where a number is expected, a number within the tolerance (its ends count), its unit left out or
    not, as fraction, decimal or per cent.

    **Wrong** are two numbers of the same unit that differ in every reading and by more than the
    tolerance, or without one by more than rounding, a sign and a power of ten; two single capital
    letters; yes and no; and an answer that is empty or says that it is none.

    An answer is wrong only if it is so for every form that counts as right.
    """
    found = {
        _compare(given, replace(expected, answer=form))
        for form in (expected.answer, *expected.alternatives)
    }
    if Comparison.RIGHT in found:
        return Comparison.RIGHT
    if found == {Comparison.WRONG} or _gives_none(given, expected):
        return Comparison.WRONG
    return Comparison.ASK


def gives_none(given: str) -> bool:
    """Return whether an answer is empty, or says in so many words that it is none."""
    return not given.strip() or spelled(given).lower() in _NO_ANSWER


def _gives_none(given: str, expected: Expected) -> bool:
    if not given.strip():
        return True
    forms = " ".join((expected.answer, *expected.alternatives)).lower()
    return gives_none(given) and not _NEGATIVE.search(forms)


def _compare(given: str, expected: Expected) -> Comparison:
    if expected.is_number:
        right = quantity(expected.answer)
        told = _as_number(given, expected, right) if right and not right.unit else None
        if told is not None:
            return told
    if same_words(given, expected.answer):
        return Comparison.RIGHT
    return Comparison.ASK if expected.is_number else _as_words(given, expected.answer)


def _as_number(given: str, expected: Expected, right: Quantity) -> Comparison | None:
    """Compare an answer with a number; None where it is not one."""
    margin = _margin(right.value, expected)
    if found := quantities.number_with(given, expected.unit):
        return _by_value(found, right, margin)
    found = quantity(given)
    if found is None:
        return None
    whole = quantity(f"{expected.answer} {expected.unit}") if expected.unit else right
    unit = whole.unit if whole else quantities.one_name(expected.unit)
    if found.unit and same_unit(found.unit, unit) and whole:
        scale = whole.value / right.value if right.value else Fraction(1)
        return _by_value(found, whole, None if margin is None else margin * scale)
    if found.unit == "%" and not expected.unit:
        share = replace(found, value=found.value / 100)
        return _only_right(_by_value(share, right, margin))
    if found.unit:
        return Comparison.ASK
    if whole and whole.scaled:  # a word of scale is a part of the unit, and seldom left out
        return Comparison.ASK
    told = _by_value(found, right, margin)
    return told if not expected.unit or unit in quantities.COUNTED else _only_right(told)


def _as_words(given: str, answer: str) -> Comparison:
    one, other = spelled(given), spelled(answer)
    if other and _CONTRARY.get(one.lower()) == other.lower():
        return Comparison.WRONG
    if _LETTER.fullmatch(one) and _LETTER.fullmatch(other):
        return Comparison.WRONG  # the same letter is right already
    found, right = quantity(given), quantity(answer)
    if found is None or right is None or not same_unit(found.unit, right.unit):
        return Comparison.ASK
    told = _by_value(found, right, None)
    if right.unit in quantities.KNOWN:
        return told
    # Beside other words a number may be a part of a name: 3.10 is not version 3.1, nor 二会 两会.
    listed = right.listed and not right.unit
    if listed or _is_code(found) or _is_code(right):
        return Comparison.ASK
    doubtful = (found.numeral and right.numeral) or (
        "." in found.written + right.written and found.written != right.written
    )
    return Comparison.ASK if doubtful and told is Comparison.RIGHT else told


def _is_code(number: Quantity) -> bool:
    """Return whether a number without a unit may be none, such as 007, or 1/2 of a match."""
    return number.step is None or bool(re.match(r"-?0[0-9]", number.written))


def _by_value(found: Quantity, right: Quantity, margin: Fraction | None) -> Comparison:
    """Compare two numbers of one unit.

    Args:
        margin: how far the number may be off; None if its author named no tolerance.
    """
    within = margin or Fraction(0)
    if abs(found.value - right.value) <= within:
        return Comparison.RIGHT
    readings = itertools.product(_readings(found), _readings(right), _TENS)
    if any(_may_be_one(one, other, scale, margin) for one, other, scale in readings):
        return Comparison.ASK
    return Comparison.WRONG


def _readings(number: Quantity) -> list[tuple[Fraction, Fraction | None]]:
    """Return each value that the same signs can mean, without its sign, with its last place."""
    step = number.step
    return [
        (abs(value), step * value / number.value if step and number.value else step)
        for value in (number.value, *number.other)
    ]


def _may_be_one(
    found: tuple[Fraction, Fraction | None],
    right: tuple[Fraction, Fraction | None],
    scale: Fraction,
    margin: Fraction | None,
) -> bool:
    """Return whether two numbers are one, but for a sign, a power of ten or rounding.

    Args:
        found, right: value and last place; None for a fraction, which is never certainly another.
    """
    if found[1] is None or right[1] is None:
        return True
    off = abs(found[0] * scale - right[0])
    if margin is not None:
        return off <= margin
    if scale != 1 and 2 * off >= right[0]:
        return False
    return off == 0 or off < max(found[1] * scale, right[1])


def _only_right(told: Comparison) -> Comparison:
    return Comparison.ASK if told is Comparison.WRONG else told


def _margin(right: Fraction, expected: Expected) -> Fraction | None:
    if expected.tolerance is None:
        return None
    tolerance = Fraction(expected.tolerance)
    return abs(right) * tolerance / 100 if expected.tolerance_is_percent else tolerance


def one_spelling(said: str, expected: Expected) -> str:
    """Return a wrong answer in the spelling by which equal answers are counted together.

    Where a number is expected, its digits without the unit: "84 个" and "84.0" are "84".
    """
    if expected.is_number:
        found = quantities.number_with(said, expected.unit) or quantity(said)
        if found is not None and not found.unit:
            return _in_digits(found.value)
    one = spelled(said)
    return one if any(sign.isdigit() for sign in one) else one.lower()


def _in_digits(value: Fraction) -> str:
    if value.denominator == 1:
        return str(value.numerator)
    return f"{(Decimal(value.numerator) / Decimal(value.denominator)).normalize():f}"


def says_something(text: str) -> bool:
    """Return whether a text has a letter, a figure or a sign such as ∞, not just punctuation."""
    return any(
        sign.isalnum() or (not sign.isascii() and unicodedata.category(sign)[0] == "S")
        for sign in text
    )


def occurs_in(answer: str, texts: Iterable[str]) -> bool:
    """Return whether an answer stands word for word in one of the texts, whatever the case.

    A number and a word in Latin script only count as a whole, so that 8 is not found in 1986.
    """
    wanted = spelled(answer).lower()
    if not says_something(wanted):
        return False
    edge = r"(?<![a-z0-9.,])" if wanted[0].isascii() and wanted[0].isalnum() else ""
    end = r"(?![a-z0-9]|[.,]\d)" if wanted[-1].isascii() and wanted[-1].isalnum() else ""
    pattern = re.compile(edge + re.escape(wanted) + end)
    return any(pattern.search(written_forms.same_kinds(text).lower()) for text in texts)


def last_line(response: str) -> str:
    """Return the last line of a response that says something; empty for none."""
    for line in reversed(response.splitlines()):
        if says_something(line):
            return written_forms.bare(line)
    return ""
