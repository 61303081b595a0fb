"""Reads the grade out of a reply; there is never a default. Pure."""

import re
from typing import NamedTuple

from judge.asking.prompts.envelope import UnreadableError, note, read_object, tidy
from judge.methods.graded.scale import is_grade

MOST_ANALYSIS = 20_000  # characters that are kept

# Both runs are possessive: each is passed once, however long it is.
_LABEL = re.compile(r"[\W_]*+(?:grade|score|评分|得分|分数|等级)(?P<gap>[\W_]*+)", re.IGNORECASE)
_COLON = re.compile("[:：]")
_AROUND = " \t\u00a0\u3000*_"
_WITHIN = re.compile(r"[\s*_/]")  # what no grade has


class Grade(NamedTuple):
    """A grade with the analysis it ends."""

    grade: int
    analysis: str


def read_grade(reply: str, repaired: list[str], *, cut: bool) -> Grade:
    """Return the grade of a reply.

    It is read from the JSON object that was asked for. Only where a reply names no field "grade",
    it is read from the last line, which models without structured output write. Two grades that
    differ are none, and so are 4.5, 0, 6, "4" and true.

    Args:
        cut: whether the reply was cut short; its last line may then be half a number.

    Raises:
        UnreadableError: there is no grade, or none that is clear.
    """
    if '"grade"' in reply or cut:
        value = read_object(reply, ("analysis", "grade"), repaired)
        grade, analysis = value["grade"], value["analysis"]
        if not is_grade(grade):
            raise UnreadableError("The grade is no whole number from 1 to 5.")
        if not isinstance(analysis, str) or not analysis.strip():
            raise UnreadableError("There is no analysis before the grade.")
        return Grade(grade, tidy(analysis).strip()[:MOST_ANALYSIS])
    return _from_lines(reply, repaired)


def _from_lines(reply: str, repaired: list[str]) -> Grade:
    lines = [line for line in reply.strip().splitlines() if line.strip()]
    stated = [_stated(line) for line in lines]
    last = stated[-1] if stated else None
    if last is None:
        raise UnreadableError("The last line is no grade.")
    if len({value for value in stated if value is not None}) > 1:
        raise UnreadableError("The reply gives more than one grade.")
    if last not in ("1", "2", "3", "4", "5"):
        raise UnreadableError("The grade is no whole number from 1 to 5.")
    analysis = "\n".join(lines[:-1]).strip()
    if not analysis:
        raise UnreadableError("There is no analysis before the grade.")
    note(repaired, "grade in the last line")
    return Grade(int(last), tidy(analysis)[:MOST_ANALYSIS])


def _stated(line: str) -> str | None:
    """Return what a line like "**Score:** 3/5" gives as the grade; None if it is no such line."""
    label = _LABEL.match(line)
    colon = _COLON.search(label["gap"]) if label else None
    if label is None or colon is None:
        return None
    value = line[label.start("gap") + colon.end() :].lstrip(_AROUND).rstrip(f"{_AROUND}.。")
    before, _slash, most = value.rpartition("/")
    if most.strip() == "5" and before:
        value = before.rstrip()
    return value if value and not _WITHIN.search(value) else None
