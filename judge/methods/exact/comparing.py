"""Compares an answer with the right one without a model. Pure.

Only agreement is decided here: full-width signs, bold type, quotes, case, thousands separators,
a full stop at the end and the unit do not matter. What does not agree is left to the judge.
"""

import re

from curation.text import short_answers
from judge.methods.exact.answers import NUMBER, RightAnswer

# Runs of blanks are possessive: each is passed once and never tried again.
_CONFIDENCE = re.compile(
    r"(?:confidence|certainty|置信度|信心|把握)\s*+(?:is|为|是)?\s*+[:：=]?+\s*+"
    r"(?P<value>\d{1,3}+)(?!\d|[.,]\d)\s*+[%％]?+\s*+[)\]）]?+",
    re.IGNORECASE,
)
_ANSWER = re.compile(
    r"[\s>*_#`~-]*+(?:the\s++)?(?:final\s++)?(?:answer|答案|最终答案)\s*+(?:is|为|是)?[\s*_]*+[:：]"
    r"[\s*_]*+(?P<answer>.*)",
    re.IGNORECASE,
)
_OPENING = "([（"
LAST_LINES = 2  # of a response, in which its final answer stands
LONGEST = 200  # characters of an answer that can be compared without a model


def stated_answer(response: str) -> str | None:
    """Return the final answer that a response states in a form of its own; None if unclear.

    That is what follows “Answer:” on one of the last two lines, blank ones aside, or on the line
    below it. Where there are several such lines, they must say the same. A response of one short
    line is its own answer.
    """
    lines = [line for line in map(str.strip, response.splitlines()) if line]
    labelled = [
        (at, match["answer"]) for at, line in enumerate(lines) if (match := _ANSWER.match(line))
    ]
    if labelled and len(lines) - labelled[-1][0] > LAST_LINES:
        return None  # what comes after it may take it back
    stated = [answer or " ".join(lines[at + 1 : at + 2]) for at, answer in labelled]
    if not labelled and len(lines) == 1 and len(lines[0]) <= LONGEST:
        stated = lines
    found = [_without_confidence(text) for text in stated if text]
    if len({normal(answer) for answer in found}) != 1:
        return None
    answer = found[-1]
    return answer if answer and len(answer) <= LONGEST else None


def stated_confidence(response: str) -> int | None:
    """Return the confidence in percent that a response states, the last one; None without any."""
    values = [int(match["value"]) for match in _CONFIDENCE.finditer(response)]
    return values[-1] if values and values[-1] <= 100 else None


def _without_confidence(text: str) -> str:
    kept, end = [], 0
    for match in _CONFIDENCE.finditer(text):
        before = text[end : match.start()].rstrip()
        kept.append(before[:-1] if before.endswith(tuple(_OPENING)) else before)
        end = match.end()
    return "".join([*kept, text[end:]]).strip()


def normal(answer: str) -> str:
    """Return an answer as it is compared with another one in words."""
    return short_answers.in_words(answer)


def agrees(answer: str, right: RightAnswer) -> bool:
    """Return whether an answer is the right one beyond doubt (`curation.text.short_answers`)."""
    expected = short_answers.Expected(
        answer=right.answer,
        is_number=right.kind == NUMBER,
        tolerance=right.tolerance,
        tolerance_is_percent=right.tolerance_is_percent,
        unit=right.unit,
        alternatives=right.alternatives,
    )
    return short_answers.matches(answer, expected)
