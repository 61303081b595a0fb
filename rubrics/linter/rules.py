"""Marks on rubric lines: what a colleague would query. Rules as tables, and never a block.

A mark says what may go wrong when the line is judged TRUE or FALSE. Both languages are read in
every line, because professional texts mix them. docs/linter.md explains each rule and what it is
worth.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from rubrics.linter import (
    content,
    coverage,
    likeness,
    negative,
    several,
    support,
    undecidable,
    vague,
    weight,
)
from rubrics.linter.repairs import join, split_at, word_starts
from rubrics.linter.rule import Example, Mark, Rule, Spans
from rubrics.linter.words import essence

RULES: tuple[Rule, ...] = (
    several.RULE,
    content.NO_STATEMENT,
    vague.RULE,
    content.NO_CONTENT,
    undecidable.RULE,
    negative.DOUBLE,
    negative.RULE,
    likeness.NEAR_DUPLICATE,
    likeness.CONTRADICTION,
    support.RULE,
    weight.RULE,
    coverage.RULE,
)
READ = 4_000
"""Characters of a line that are read. One written here has at most 2,000."""
RULE_OF = {rule.code: rule for rule in RULES}


@dataclass(frozen=True)
class Beside:
    """What the lines are read with; empty texts are left out of account.

    Attributes:
        prompt: what the task asks for.
        reference: the answer its author considers right.
    """

    prompt: str = ""
    reference: str = ""


def lint(text: str, *, importance: str = "", weight: int | None = None) -> list[Mark]:
    """The marks of one line by itself, in the order an author should look at them."""
    return [*_of_text(text), *_of_weight(importance, weight)]


@lru_cache(maxsize=4_000)
def _of_text(text: str) -> tuple[Mark, ...]:
    """Kept: while people work on one line, all the others are as they were."""
    text = text[:READ]
    several_marks, empty = list(several.find(text)), list(content.find(text))
    if content.NO_STATEMENT in {mark.rule for mark in empty}:
        other = []
    else:
        other = _of_words(text)
        if empty and (not other or (len(other) == 1 and content.says_nothing(text))):
            other = [mark for mark in other if mark.rule is undecidable.RULE]
            empty = [] if other else empty
        else:
            empty = []
    return (*several_marks, *empty, *other, *negative.find(text))


def _of_words(text: str) -> list[Mark]:
    """Vague words and what nobody can see in an answer; one word is not queried twice."""
    unseen = list(undecidable.find(text))
    taken = Spans(mark.span for mark in unseen if mark.span)
    return [*(m for m in vague.find(text) if m.span and m.span[0] not in taken), *unseen]


# Where one of these is found the words will change: they are not looked for in the reference.
_BARE = {content.NO_STATEMENT, content.NO_CONTENT, vague.RULE, undecidable.RULE}


def _of_weight(importance: str, value: int | None) -> list[Mark]:
    return list(weight.find(importance, value))


def lint_rubric(lines: Sequence[Any], beside: Beside | None = None) -> list[list[Mark]]:
    """The marks of every line, those between lines and beside the reference included.

    Args:
        lines: objects with text, importance and weight (and dimension), in order.
    """
    texts = [line.text[:READ] for line in lines]
    between = likeness.find(texts)
    reference = beside.reference if beside else ""
    return [
        [
            *_of_text(text),
            *others,
            *support.find(
                text,
                reference,
                getattr(line, "dimension", ""),
                concrete=not any(mark.rule in _BARE for mark in _of_text(text)),
            ),
            *_of_weight(line.importance, line.weight),
        ]
        for line, text, others in zip(lines, texts, between, strict=True)
    ]


def lint_whole(lines: Sequence[Any], beside: Beside) -> list[Mark]:
    """The marks that belong to no line: what the prompt asks for and nothing checks."""
    return list(
        coverage.find([line.text[:READ] for line in lines], beside.prompt, beside.reference)
    )


def forget() -> None:
    """Empty everything that is remembered of texts, for measurements."""
    for remembered in (
        _of_text,
        likeness.reading,
        essence,
        *support.REMEMBERED,
        *coverage.REMEMBERED,
    ):
        remembered.cache_clear()


def segments(text: str, marks: Iterable[Mark]) -> list[tuple[str, str]]:
    """The text in runs of (text, code of the mark under it or ""), for underlining."""
    spans = sorted((m.span, m.code) for m in marks if m.span is not None)
    runs, at = [], 0
    for (start, end), code in spans:
        if start < at:
            continue
        runs += [(text[at:start], ""), (text[start:end], code)]
        at = end
    runs.append((text[at:], ""))
    return [run for run in runs if run[0]]


def gloss(code: str) -> str:
    """What a mark is called, in a few words."""
    return str(RULE_OF[code].name)


__all__ = [
    "RULES",
    "RULE_OF",
    "Beside",
    "Example",
    "Mark",
    "Rule",
    "forget",
    "gloss",
    "join",
    "lint",
    "lint_rubric",
    "lint_whole",
    "segments",
    "split_at",
    "word_starts",
]
