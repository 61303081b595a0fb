"""Marking exam answers: pure, exact, and the only code that reads a key."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal, InvalidOperation
from typing import Any


@dataclass(frozen=True)
class Result:
    """Points reached of points possible, and the topics of what went wrong."""

    points: int
    possible: int
    wrong_topics: tuple[str, ...]

    def passes(self, percent: int) -> bool:
        """Whether the share reaches the pass mark, compared exactly."""
        return self.possible > 0 and self.points * 100 >= percent * self.possible


def read_number(raw: Any) -> Decimal | None:
    """A number as people type it: spaces, a decimal comma, a trailing unit sign or per cent.

    `1,250` is one thousand two hundred and fifty (groups of three), `12,5` is twelve and a half.
    None if it is no finite number.
    """
    if not isinstance(raw, (str, int, float)):
        return None
    typed = str(raw).strip().replace("\u00a0", "").replace(" ", "").replace("\u2212", "-")
    typed = typed.rstrip("%€$£¥")
    if "," in typed and "." not in typed:
        head, _sep, tail = typed.rpartition(",")
        groups = head.lstrip("-").split(",")
        if len(tail) == 3 and all(len(g) == 3 for g in groups[1:]) and 1 <= len(groups[0]) <= 3:
            typed = typed.replace(",", "")
        else:
            typed = typed.replace(",", ".")
    else:
        typed = typed.replace(",", "")
    try:
        value = Decimal(typed)
    except InvalidOperation:
        return None
    return value if value.is_finite() else None


def is_right(kind: str, key: Any, answer: Any) -> bool:
    """Whether one answer is right. Multiple choice needs exactly the right set."""
    if kind == "numeric":
        given = read_number(answer)
        if given is None:
            return False
        return abs(given - Decimal(str(key["value"]))) <= Decimal(str(key.get("tolerance", 0)))
    if not isinstance(answer, list):
        return False
    return sorted(set(answer)) == sorted(key)


def mark(questions: Sequence[Any], answers: Mapping[str, Any]) -> Result:
    """Mark a sitting. Questions carry key_id, kind, key, points and topic."""
    points = possible = 0
    wrong: list[str] = []
    for question in questions:
        possible += question.points
        if is_right(question.kind, question.key, answers.get(question.key_id)):
            points += question.points
        elif question.topic and question.topic not in wrong:
            wrong.append(question.topic)
    return Result(points, possible, tuple(wrong))
