"""Finds the answer that a response states, and compares it with the right one without a model.

Only what is certain is decided here (`curation.base.text.short_answers`); all else is for the
judge.
"""

import re
from collections.abc import Collection
from dataclasses import dataclass
from decimal import Decimal

from curation.base.text import short_answers, storable
from curation.base.text.short_answers import Comparison
from curation.base.text.written_forms import LONGEST, bare, same_words
from curation.tasks.task.exact_models import ExactAnswer
from curation.tasks.task.models import Task

WORDS, NUMBER = "words", "number"


@dataclass(frozen=True, slots=True)
class RightAnswer:
    """The right answer to a task.

    Attributes:
        kind: WORDS, or NUMBER for an answer that is one number.
        tolerance: how far a number may be off, in its unit or in percent of it; None for none.
        unit: of a number, "" without one.
        alternatives: further answers that are right as well.
    """

    answer: str
    kind: str = WORDS
    tolerance: Decimal | None = None
    tolerance_is_percent: bool = False
    unit: str = ""
    alternatives: tuple[str, ...] = ()


def right_answers(tasks: Collection[int]) -> dict[int, RightAnswer]:
    """Return the right answers by task; tasks without one are left out. Two queries.

    They are what the author wrote as exact answer. A task without one, such as a task of another
    benchmark, has its reference answer as words.
    """
    found = {
        pk: RightAnswer(text.strip())
        for pk, text in Task.objects.filter(pk__in=tasks).values_list("pk", "reference_answer")
        if text.strip()
    }
    rows = ExactAnswer.objects.filter(task__in=tasks)
    for pk, answer, kind, tolerance, percent, unit, others in rows.values_list(
        *("task_id", "answer", "kind", "tolerance", "tolerance_is_percent", "unit"),
        "alternatives",
    ):
        if answer.strip():
            found[pk] = RightAnswer(
                answer.strip(), kind, tolerance, percent, unit, tuple(others or ())
            )
    return found


# Runs of blanks are possessive: each is passed once and never tried again.
_CONFIDENCE = re.compile(
    r"(?:confidence|certainty|置信度|信心|把握)\s*+(?:is|为|是)?\s*+[:：=]?+\s*+"
    r"(?P<value>\d{1,3}+)(?!\d|[.,]\d)\s*+[%％]?+",
    re.IGNORECASE,
)
_ANSWER = re.compile(
    r"[\s>#-]*+(?P<mark>\*{0,3}+)(?:the\s++)?(?:final\s++)?(?:answer|答案|最终答案)\s*+(?:is|为|是)?\s*+"
    r"(?P<end>\*{0,3}+)\s*+[:：](?P<answer>.*)",
    re.IGNORECASE,
)
_BRACKETS = {"(": ")", "（": "）", "[": "]"}


def stated_answer(response: str) -> str | None:
    """Return the final answer that a response states in a form of its own; None if unclear.

    That is what follows “Answer:” on the last line or on the line above it, a last line with the
    confidence alone and blank ones aside. Where there are several such lines, they must say the
    same. A response of one short line is its own answer.
    """
    lines = [line for line in map(str.strip, response.splitlines()) if line]
    if len(lines) > 1 and _is_confidence(lines[-1]):
        lines.pop()
    stated: list[str] = []
    last = 0
    for at, line in enumerate(lines):
        if (match := _ANSWER.match(line)) is None:
            continue
        answer, last = _marked(match), at
        if not answer and at + 1 < len(lines):
            answer, last = lines[at + 1], at + 1
        stated.append(answer)
    if not stated and len(lines) == 1 and len(lines[0]) <= LONGEST:
        stated = lines
    if last != len(lines) - 1 or any(len(text) > LONGEST for text in stated):
        return None  # what comes after it may take it back
    found = [_without_confidence(text) for text in stated]
    if not found or not all(same_words(answer, found[-1]) for answer in found):
        return None
    return found[-1]


def _marked(match: re.Match[str]) -> str:
    """Return what follows “Answer:”, without the bold type that begins before the label."""
    mark, answer = match["mark"], match["answer"].strip()
    if not mark or match["end"] == mark:
        return answer
    if answer.startswith(mark):
        return answer.removeprefix(mark).strip()
    return answer.removesuffix(mark).rstrip() if answer.endswith(mark) else match.group()


def stated_confidence(response: str) -> int | None:
    """Return the confidence in percent that a response states, the last one; None without any."""
    values = [int(match["value"]) for match in _CONFIDENCE.finditer(response)]
    return values[-1] if values and values[-1] <= 100 else None


def _is_confidence(line: str) -> bool:
    said = bare(line)
    if said[:1] in _BRACKETS and said[-1:] == _BRACKETS[said[0]]:
        said = said[1:-1].strip()
    return _CONFIDENCE.fullmatch(said) is not None


def _without_confidence(text: str) -> str:
    """Return an answer without the confidence in brackets, or behind a separator, at its end."""
    matches = list(_CONFIDENCE.finditer(text))
    if not matches:
        return text
    match = matches[-1]
    before, behind = text[: match.start()].rstrip(), text[match.end() :].strip(" .。")
    if behind == _BRACKETS.get(before[-1:], "-"):
        return before[:-1].rstrip()
    if not behind and before.endswith((",", "，", ";", "；", ".", "。", "|")):
        return before[:-1].rstrip()
    return text


def decide(response: str, right: RightAnswer) -> tuple[Comparison, str]:
    """Return what is certain of a response, and the answer it states, "" for none.

    An empty response is wrong. See `curation.base.text.short_answers.compare` for what is certain.
    """
    if storable.is_blank(response):
        return Comparison.WRONG, ""
    answer = stated_answer(response)
    if answer is None:
        return Comparison.ASK, ""
    expected = short_answers.Expected(
        answer=right.answer,
        is_number=right.kind == NUMBER,
        tolerance=right.tolerance,
        tolerance_is_percent=right.tolerance_is_percent,
        unit=right.unit,
        alternatives=right.alternatives,
    )
    return short_answers.compare(answer, expected), answer
