"""Rules and marks. The rules themselves are in the other modules of this folder.

The module of a rule has its table (patterns with their language, words, bounds), its `RULE` (the
texts people read) and one generator that yields marks. No pattern may run in quadratic time:
repetitions are bounded, and only the first mark of a rule counts.
"""

from bisect import bisect_right
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from django.utils.functional import Promise

Span = tuple[int, int]
Words = str | Promise


@dataclass(frozen=True)
class Pattern:
    """One row of a rule's table: a regular expression and its language ("en" or "zh")."""

    language: str
    expression: str


@dataclass(frozen=True)
class Example:
    """A bad line and a good one for the same point.

    Attributes:
        context: what the line is linted with: another line, the reference answer, or the prompt.
        importance, weight: of the bad line, for the rules that use them.
    """

    language: str
    bad: str
    good: str
    context: str = ""
    importance: str = "important"
    weight: int = 5


@dataclass(frozen=True, eq=False)  # the hash of its texts would change with the language
class Rule:
    """One rule of the linter.

    Attributes:
        code: stable name.
        name: a short name for people.
        message: a sentence for the author, with placeholders for the mark's values.
        teaches: an explanation for the author.
        examples: at least one for each language; the tests check the rule against them.
        scope: "line": the line alone; "lines": with the other lines; "reference": with the
            reference answer; "rubric": the whole rubric with the prompt.
        kinds: the words for what its marks call `kind`.
    """

    code: str
    name: Words
    message: Words
    teaches: Words
    examples: tuple[Example, ...]
    scope: str = "line"
    kinds: Mapping[str, Words] = field(default_factory=dict)


@dataclass(frozen=True)
class Mark:
    """A finding of a rule on a line or on the whole rubric. It has no words of a language.

    Attributes:
        span: the characters it is about; None for the whole line.
        repair: "split" where splitting at the span repairs it, else empty.
        words: the words under the span, or what is missing.
        about: what the mark depends on besides the words of its line (the other line, the
            weight); a reason given for the mark lapses when it changes.
        other: the place of the other line that it is about, from 0; its number is `n` in the
            message.
        values: further (name, value) pairs for the message, which JSON can hold.
    """

    rule: Rule
    span: Span | None = None
    repair: str = ""
    words: str = ""
    about: str = ""
    other: int | None = None
    values: tuple[tuple[str, Any], ...] = field(default=())

    @property
    def code(self) -> str:
        return self.rule.code

    @property
    def name(self) -> str:
        """The rule's name in the reader's language."""
        return str(self.rule.name)

    @property
    def message(self) -> str:
        """The sentence for the author in the reader's language."""
        values = dict(self.values)
        if self.other is not None:
            values["n"] = self.other + 1
        if "kind" in values:
            values["kind"] = self.rule.kinds[values["kind"]]
        return str(self.rule.message) % {"words": self.words, **values}


class Spans:
    """A set of spans of a text that tests whether a character is in one of them."""

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
    """Yield only the first mark: one mark of a rule on a line is enough."""
    for mark in marks:
        yield mark
        return
