"""Marking exam answers: pure, exact, and the only code that reads a key."""

import unicodedata
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal, InvalidOperation
from typing import Any

_SIGNS = "%€$£¥"
_MINUS = str.maketrans({"\u2212": "-", "\u2013": "-", "\u2010": "-"})


@dataclass(frozen=True)
class Result:
    """Points reached of points possible, and the questions that went wrong, in exam order."""

    points: int
    possible: int
    wrong: tuple[Any, ...]

    def passes(self, percent: int) -> bool:
        """Whether the share reaches the pass mark, compared exactly."""
        return self.possible > 0 and self.points * 100 >= percent * self.possible

    def to_study(self) -> list[dict[str, str]]:
        """Topic and study sentence of each wrong question, each once; never a key."""
        found: list[dict[str, str]] = []
        for question in self.wrong:
            row = {"topic": question.topic, "study": question.study}
            if any(row.values()) and row not in found:
                found.append(row)
        return found


def read_number(raw: Any, unit: str = "") -> Decimal | None:
    """A number as people type it, or None if it is no finite number.

    Understood: spaces, full-width digits, a decimal comma, a currency or per cent sign, the
    question's own unit behind the number. `1,250` is one thousand two hundred and fifty (groups
    of three), `12,5` is twelve and a half, `0,125` is an eighth. Where comma and point both
    occur, the last one is the decimal sign.
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
    try:
        value = Decimal(typed)
    except InvalidOperation:
        return None
    return value if value.is_finite() else None


def _is_grouped(typed: str) -> bool:
    first, *rest = typed.lstrip("+-").split(",")
    return (
        1 <= len(first) <= 3
        and not first.startswith("0")
        and all(len(group) == 3 and group.isdigit() for group in rest)
    )


def is_right(kind: str, key: Any, answer: Any, unit: str = "") -> bool:
    """Whether one answer is right. Multiple choice needs exactly the right set."""
    if kind == "numeric":
        given = read_number(answer, unit)
        if given is None:
            return False
        return abs(given - Decimal(str(key["value"]))) <= Decimal(str(key.get("tolerance", 0)))
    if not isinstance(answer, list):
        return False
    return sorted(set(answer)) == sorted(key)


def is_answered(kind: str, answer: Any, unit: str = "") -> bool:
    """Whether there is an answer that can be marked at all. Says nothing about right or wrong."""
    return read_number(answer, unit) is not None if kind == "numeric" else bool(answer)


def mark(questions: Sequence[Any], answers: Mapping[str, Any]) -> Result:
    """Mark a sitting. Questions carry key_id, kind, key, unit, points, topic and study."""
    points = possible = 0
    wrong: list[Any] = []
    for question in questions:
        possible += question.points
        if is_right(question.kind, question.key, answers.get(question.key_id), question.unit):
            points += question.points
        else:
            wrong.append(question)
    return Result(points, possible, tuple(wrong))


def key_fits(kind: str, options: Any, key: Any) -> bool:
    """Whether a key can mark a question of this kind: asked before staff may store one."""
    if kind == "numeric":
        return (
            isinstance(key, dict)
            and set(key) <= {"value", "tolerance"}
            and _exact(key.get("value")) is not None
            and (_exact(key.get("tolerance", 0)) or Decimal(0)) >= 0
            and _exact(key.get("tolerance", 0)) is not None
        )
    if not isinstance(options, list) or len(options) < 2 or not isinstance(key, list):
        return False
    if not all(type(place) is int and 0 <= place < len(options) for place in key):
        return False
    return len(key) == 1 if kind == "single" else 1 <= len(set(key)) == len(key)


def _exact(value: Any) -> Decimal | None:
    if isinstance(value, bool) or not isinstance(value, (str, int, float)):
        return None
    try:
        number = Decimal(str(value))
    except InvalidOperation:
        return None
    return number if number.is_finite() else None
