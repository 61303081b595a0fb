"""What a rule is, and what it leaves on a line. The rules themselves are the modules beside this.

A rule's module holds its table (patterns with their language, words, bounds), its `RULE` (what
people read) and one generator that yields marks. No pattern may be quadratic: repetitions are
bounded, and only the first mark of a rule counts.
"""

from bisect import bisect_right
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import Any

from django.utils.functional import Promise

Span = tuple[int, int]
Words = str | Promise


@dataclass(frozen=True)
class Pattern:
    """One row of a rule's table: an expression, and the language it reads ("en" or "zh")."""

    language: str
    expression: str


@dataclass(frozen=True)
class Example:
    """A line as it should not be, and the same thought as it should be.

    Attributes:
        beside: what the line is read with: another line, the reference answer, or the prompt.
        importance, weight: of the bad line, where the rule looks at them.
    """

    language: str
    bad: str
    good: str
    beside: str = ""
    importance: str = "important"
    weight: int = 5


@dataclass(frozen=True)
class Rule:
    """One rule of the linter.

    Attributes:
        code: stable name.
        name: what a mark is called, in a few words.
        message: a sentence for the author, with places for the mark's values.
        teaches: what a colleague would explain.
        examples: at least one for each language; the tests hold the rule to them.
        scope: "line" reads a line by itself, "lines" among its neighbours, "reference" beside
            the reference answer, "rubric" the whole rubric beside the prompt.
    """

    code: str
    name: Words
    message: Words
    teaches: Words
    examples: tuple[Example, ...]
    scope: str = "line"


@dataclass(frozen=True)
class Mark:
    """One mark.

    Attributes:
        span: the characters it is about, or None for the whole line.
        repair: "split" where splitting at the span's end repairs it.
        words: the words under the span, or what is missing.
        about: what else the mark depends on beside the words of its line (the other line, the
            weight), so that a reason given for it lapses when that changes.
    """

    rule: Rule
    span: Span | None = None
    repair: str = ""
    words: str = ""
    about: str = ""
    values: tuple[tuple[str, Any], ...] = field(default=())

    @property
    def code(self) -> str:
        return self.rule.code

    @property
    def name(self) -> str:
        """What it is called, in the reader's language."""
        return str(self.rule.name)

    @property
    def message(self) -> str:
        """A sentence for the author, in the reader's language."""
        return str(self.rule.message) % {"words": self.words, **dict(self.values)}


class Spans:
    """Stretches of a text that do not overlap, asked whether a place lies in one of them."""

    def __init__(self, spans: Iterable[Span]) -> None:
        kept = sorted(spans)
        self._starts = [start for start, _end in kept]
        self._ends: list[int] = []
        reached = 0
        for _start, end in kept:
            reached = max(reached, end)
            self._ends.append(reached)

    def __contains__(self, place: int) -> bool:
        at = bisect_right(self._starts, place) - 1
        return at >= 0 and place < self._ends[at]


def first(marks: Iterator[Mark]) -> Iterator[Mark]:
    """Only the first one: a second mark of one rule on one line teaches nothing."""
    for mark in marks:
        yield mark
        return
