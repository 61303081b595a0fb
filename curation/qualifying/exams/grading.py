"""Grading of exam answers: pure functions with exact arithmetic."""

import unicodedata
from collections.abc import Iterable
from decimal import Decimal, InvalidOperation
from typing import Any

from curation.base.text.storable import is_blank

_SIGNS = "%€$£¥"
_FURTHEST = 30  # powers of ten from 1; a number beyond them would overflow when it is compared
_MINUS = str.maketrans({"\u2212": "-", "\u2013": "-", "\u2010": "-"})


def passes(points: int, possible: int, percent: int) -> bool:
    """Return whether the share of points reaches the pass mark, without rounding."""
    return possible > 0 and points * 100 >= percent * possible


def read_number(raw: Any, unit: str = "") -> Decimal | None:
    """Parse a number as people type it; None if it is not a finite number within 30 powers of ten.

    Accepts spaces, full-width digits, a decimal comma, a currency or per cent sign, and the
    question's own unit after the number. `1,250` is 1250 (groups of three digits), `12,5` is 12.5,
    `0,125` is 0.125. If both comma and point occur, the last one is the decimal sign.
    """
    if isinstance(raw, bool) or not isinstance(raw, (str, int, float)):
        return None
    typed = unicodedata.normalize("NFKC", str(raw)).translate(_MINUS).strip()
    if unit and typed.casefold().endswith(unit.casefold()):
        typed = typed[: -len(unit)]
    typed = "".join(typed.split()).replace("'", "").replace("’", "").strip(_SIGNS)
    if typed.startswith("-"):
        typed = "-" + typed[1:].strip(_SIGNS)
    comma, point = typed.rfind(","), typed.rfind(".")
    if comma >= 0 and point >= 0:
        groups = "," if point > comma else "."
        typed = typed.replace(groups, "").replace(",", ".")
    elif comma >= 0:
        typed = typed.replace(",", "" if _is_grouped(typed) else ".")
    return _decimal(typed)


def _is_grouped(typed: str) -> bool:
    first, *rest = typed.lstrip("+-").split(",")
    return (
        1 <= len(first) <= 3
        and not first.startswith("0")
        and all(len(group) == 3 and group.isdigit() for group in rest)
    )


def is_right(kind: str, key: Any, answer: Any, unit: str = "") -> bool:
    """Return whether an answer is right.

    A multiple choice needs exactly the right set, an order every item in its position. A short
    text is never right here: a senior grades it.
    """
    if kind == "short":
        return False
    if kind == "numeric":
        given = read_number(answer, unit)
        if given is None:
            return False
        return abs(given - Decimal(str(key["value"]))) <= Decimal(str(key.get("tolerance", 0)))
    if not isinstance(answer, list):
        return False
    return answer == key if kind == "ordering" else sorted(set(answer)) == sorted(key)


def is_answered(kind: str, answer: Any, unit: str = "") -> bool:
    """Return whether there is an answer that can be graded, right or wrong."""
    if kind == "numeric":
        return read_number(answer, unit) is not None
    if kind == "short":
        return isinstance(answer, str) and not is_blank(answer)
    if kind == "ordering":
        return bool(answer) and None not in answer
    return bool(answer)


def points_of(question: Any, answer: Any) -> int | None:
    """Return the points of an answer; None if a senior has to grade it.

    Args:
        question: an object with kind, key, unit and points.
    """
    if question.kind == "short" and is_answered("short", answer):
        return None
    right = is_right(question.kind, question.key, answer, question.unit)
    return int(question.points) if right else 0


def to_study(rows: Iterable[Any]) -> list[dict[str, str]]:
    """Return topic and study hint of each question that lost points, each once; never a key.

    Args:
        rows: answers with `points` and `question`, in the order of the paper.
    """
    found: list[dict[str, str]] = []
    for row in rows:
        study = {"topic": row.question.topic, "study": row.question.study}
        if row.points < row.question.points and any(study.values()) and study not in found:
            found.append(study)
    return found


def key_fits(kind: str, options: Any, key: Any) -> bool:
    """Return whether a key can grade a question of this kind."""
    if kind == "numeric":
        return (
            isinstance(key, dict)
            and set(key) <= {"value", "tolerance"}
            and _finite_decimal(key.get("value")) is not None
            and (_finite_decimal(key.get("tolerance", 0)) or Decimal(0)) >= 0
            and _finite_decimal(key.get("tolerance", 0)) is not None
        )
    if kind == "short":
        guide = key.get("guide") if isinstance(key, dict) and set(key) == {"guide"} else None
        return isinstance(guide, str) and not is_blank(guide)
    if not isinstance(options, list) or len(options) < 2 or not isinstance(key, list):
        return False
    if not all(type(place) is int and 0 <= place < len(options) for place in key):
        return False
    if len(set(key)) != len(key):
        return False
    if kind == "ordering":
        return len(key) == len(options)
    return len(key) == 1 if kind == "single" else len(key) >= 1


def _finite_decimal(value: Any) -> Decimal | None:
    if isinstance(value, bool) or not isinstance(value, (str, int, float)):
        return None
    return _decimal(str(value))


def _decimal(text: str) -> Decimal | None:
    try:
        number = Decimal(text)
    except InvalidOperation:
        return None
    return number if number.is_finite() and abs(number.adjusted()) <= _FURTHEST else None
