"""Reads the judgment of one profile out of a reply; an inconsistent one is none. Pure."""

from collections.abc import Collection, Sequence
from typing import Any

from judge.asking.prompts.envelope import Ambiguous, UnreadableError, note, read_object, tidy
from judge.asking.providers.inputs import Criterion

LOWEST, HIGHEST = 1, 5
NEEDED = 3  # a selected profile has at least this grade in each necessary condition, and overall
MOST_ANALYSIS = 10_000  # characters that are kept


class InconsistentError(Exception):
    """The reply selects a profile that it says does not fit; the message says where."""


def is_necessary(line: Criterion) -> bool:
    """Return whether a condition is necessary: essential lines are, the others are flexible."""
    return line.importance == "essential"


def read_judgment(reply: str, lines: Sequence[Criterion], repaired: list[str]) -> dict[str, Any]:
    """Return analysis, grades by condition, overall grade and whether the profile is selected.

    Raises:
        UnreadableError: a part is missing or unclear, a condition has no grade, two grades, or is
            none of the rubric.
        InconsistentError: the profile is selected, and a necessary condition or the whole is
            graded below NEEDED.
    """
    value = read_object(reply, ("analysis", "grades", "overall", "selected"), repaired)
    analysis, overall, selected = value["analysis"], value["overall"], value["selected"]
    if not isinstance(analysis, str) or not analysis.strip():
        raise UnreadableError("There is no analysis.")
    if not _is_grade(overall):
        raise UnreadableError("The overall grade is no whole number from 1 to 5.")
    if not isinstance(selected, bool):
        raise UnreadableError("“selected” is neither true nor false.")
    grades = _grades(value["grades"], {line.id for line in lines}, repaired)
    if selected:
        low = [line.id for line in lines if is_necessary(line) and grades[line.id] < NEEDED]
        if overall < NEEDED:
            low.append("overall")
        if low:
            raise InconsistentError(", ".join(low))
    return {
        "analysis": tidy(analysis).strip()[:MOST_ANALYSIS],
        "grades": {line.id: grades[line.id] for line in lines},
        "overall": overall,
        "selected": selected,
    }


def _grades(rows: object, known: Collection[str], repaired: list[str]) -> dict[str, int]:
    if not isinstance(rows, list):
        raise UnreadableError("The grades are no list.")
    found: dict[str, int] = {}
    for row in rows:
        if not isinstance(row, dict) or isinstance(row, Ambiguous):
            raise UnreadableError("A grade is not one object.")
        name, grade = row.get("id"), row.get("grade")
        if not isinstance(name, str) or name.strip() not in known:
            raise UnreadableError("A grade is of a condition that there is not.")
        if not isinstance(grade, int) or not _is_grade(grade):
            raise UnreadableError("A grade is no whole number from 1 to 5.")
        if found.setdefault(name.strip(), grade) != grade:
            raise UnreadableError("A condition has two grades.")
        if name != name.strip():
            note(repaired, "spaces around an id")
    if missing := sorted(known - found.keys()):
        raise UnreadableError(f"The condition {missing[0]} has no grade.")
    return found


def _is_grade(value: object) -> bool:
    return type(value) is int and LOWEST <= value <= HIGHEST
