"""The linter: marks on rubric lines. A mark never blocks anything.

A mark says what may go wrong when the line is judged TRUE or FALSE. Every line is checked for
both languages, because professional texts mix them. docs/reference/linter.md lists the
rules, docs/linter.md their precision.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import accumulate
from typing import Any

from django.utils.translation import gettext_lazy as _

from rubrics.linter import (
    content,
    coverage,
    negative,
    several,
    similar_lines,
    support,
    undecidable,
    vague,
    weight,
)
from rubrics.linter.rule import Example, Mark, Rule, Spans
from rubrics.linter.words import content_terms

RULES: tuple[Rule, ...] = (
    several.RULE,
    content.NO_STATEMENT,
    vague.RULE,
    content.NO_CONTENT,
    undecidable.RULE,
    negative.DOUBLE,
    negative.RULE,
    similar_lines.NEAR_DUPLICATE,
    similar_lines.CONTRADICTION,
    support.RULE,
    weight.RULE,
    coverage.RULE,
)
# The rules for lines that are no statements about an answer, by the form of the answer. A gold item
# is a name with other names, a question has its right answer behind "|", a condition is about a
# profile and often a note: "Language: French".
SKILL = "skill"  # its lines fit any answer, and their weights follow by themselves
OF_FORM: Mapping[str, frozenset[Rule]] = {
    "list": frozenset({similar_lines.NEAR_DUPLICATE}),
    "profile": frozenset({similar_lines.NEAR_DUPLICATE, weight.RULE}),
    "selection": frozenset(RULES)
    - {content.NO_STATEMENT, content.NO_CONTENT, support.RULE, coverage.RULE},
    SKILL: frozenset(RULES) - {weight.RULE},
}
READ = 4_000
"""Characters of a line that are read. Only imported lines are longer than 2,000."""
TOGETHER = 40_000
"""Characters of all lines of a rubric that are read; the lines that go beyond are not checked."""
EDITION = 2
"""Change it with the rules, their bounds and how marks are stored: they are then made anew."""
COMPARED = 40_000
"""Characters of a prompt or reference answer with which lines are compared; longer ones are not."""


@dataclass(frozen=True)
class NotChecked:
    """What is not checked because a text is too long.

    Attributes:
        values: (name, number) pairs for the sentence.
    """

    code: str
    values: tuple[tuple[str, int], ...]

    @property
    def sentence(self) -> str:
        """The whole sentence in the reader's language."""
        return str(_NOT_CHECKED[self.code]) % {name: f"{n:,}" for name, n in self.values}


_NOT_CHECKED = {
    "lines": _(
        "The lines together are longer than %(most)s characters: no line from line %(n)s on was "
        "checked."
    ),
    "prompt": _("The task is longer than %(most)s characters: no line was compared with it."),
    "reference": _(
        "The reference answer is longer than %(most)s characters: no line was compared with it."
    ),
    "figures": _(
        "The reference answer has more than %(most)s different figures: no figure was looked up "
        "in it."
    ),
}


@dataclass(frozen=True)
class LintContext:
    """The texts the lines are linted with; empty ones are ignored.

    Attributes:
        prompt: what the task asks for.
        reference: the answer its author considers right.
        form: what an answer looks like, as `AnswerForm` names it, or SKILL; only the rules
            `OF_FORM` apply.
    """

    prompt: str = ""
    reference: str = ""
    form: str = "text"

    @property
    def readable(self) -> "LintContext":
        """The context without the texts that are too long to be compared with."""
        return replace(
            self,
            prompt=self.prompt if len(self.prompt) <= COMPARED else "",
            reference=self.reference if len(self.reference) <= COMPARED else "",
        )

    @property
    def not_checked(self) -> "list[NotChecked]":
        """What the lines are not checked for, because a text is too long."""
        found = []
        if len(self.prompt) > COMPARED:
            found.append(NotChecked("prompt", (("most", COMPARED),)))
        if len(self.reference) > COMPARED:
            found.append(NotChecked("reference", (("most", COMPARED),)))
        elif self.reference.strip() and support.source(self.reference).figures is None:
            found.append(NotChecked("figures", (("most", support.MOST_FIGURES),)))
        return found

    def applying(self, marks: Iterable[Mark]) -> list[Mark]:
        """Return the marks of rules that fit the form."""
        rules = OF_FORM.get(self.form)
        return [mark for mark in marks if rules is None or mark.rule in rules]


def lint(text: str, *, importance: str = "", weight: int | None = None) -> list[Mark]:
    """Return the marks of a single line, in the order to show them."""
    return [*_of_text(text), *_of_weight(importance, weight)]


@lru_cache(maxsize=4_000)
def _of_text(text: str) -> tuple[Mark, ...]:
    """Return the marks of a text alone; cached, because an edit changes only one line of a page."""
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
    """Return marks on vague and undecidable words, without a second mark on one word."""
    unseen = list(undecidable.find(text))
    taken = Spans(mark.span for mark in unseen if mark.span)
    return [*(m for m in vague.find(text) if m.span and m.span[0] not in taken), *unseen]


# The wording of lines with these marks will change, so it is not compared with the reference.
_BARE = {content.NO_STATEMENT, content.NO_CONTENT, vague.RULE, undecidable.RULE}


def _of_weight(importance: str, value: int | None) -> list[Mark]:
    return list(weight.find(importance, value))


def lint_rubric(lines: Sequence[Any], context: LintContext | None = None) -> list[list[Mark]]:
    """Return the marks of each line, including those that need other lines or the reference.

    Args:
        lines: objects with text, importance and weight (and dimension), in order.
    """
    texts = _read(lines)
    between = similar_lines.find(texts)
    context = (context or LintContext()).readable
    found = [
        context.applying(
            (
                *_copied(text, context.prompt),
                *_of_text(text),
                *others,
                *support.find(
                    text,
                    context.reference,
                    getattr(line, "dimension", ""),
                    concrete=not any(mark.rule in _BARE for mark in _of_text(text)),
                ),
                *_of_weight(line.importance, line.weight),
            )
        )
        for line, text, others in zip(lines[: len(texts)], texts, between, strict=True)
    ]
    return found + [[] for _line in lines[len(texts) :]]


def _read(lines: Sequence[Any]) -> list[str]:
    """Return what is read of the lines, without those that go beyond `TOGETHER`."""
    texts = [line.text[:READ] for line in lines]
    reached = accumulate(len(text) for text in texts)
    return [text for text, end in zip(texts, reached, strict=True) if end <= TOGETHER]


def not_checked(lines: Sequence[Any], context: LintContext) -> list[NotChecked]:
    """Return what the lines are not checked for, because a text is too long."""
    read = len(_read(lines))
    if read == len(lines):
        return context.not_checked
    return [NotChecked("lines", (("most", TOGETHER), ("n", read + 1))), *context.not_checked]


def _copied(text: str, prompt: str) -> list[Mark]:
    """Return the mark on an instruction copied from the task, unless the line has one like it."""
    if any(mark.rule is content.NO_STATEMENT for mark in _of_text(text)):
        return []
    return list(content.copied_instruction(text, prompt))


def lint_whole(lines: Sequence[Any], context: LintContext) -> list[Mark]:
    """Return the marks of the whole rubric: requirements of the prompt that no line checks."""
    texts = _read(lines)
    if context.readable != context or len(texts) < len(lines):
        return []
    return context.applying(coverage.find(texts, context.prompt, context.reference))


@dataclass(frozen=True)
class Found:
    """All that the linter says of a rubric.

    Attributes:
        lines: the marks of each line, in order.
        whole: those of the whole rubric.
    """

    lines: Sequence[Sequence[Mark]]
    whole: Sequence[Mark]
    not_checked: Sequence[NotChecked]


def read_rubric(lines: Sequence[Any], context: LintContext) -> Found:
    """Return all that the linter says of a rubric."""
    return Found(
        lint_rubric(lines, context), lint_whole(lines, context), not_checked(lines, context)
    )


def clear_caches() -> None:
    """Clear all caches of texts, for measurements."""
    for cached in (
        _of_text,
        similar_lines.features_of,
        content_terms,
        *support.CACHED,
        *coverage.CACHED,
    ):
        cached.cache_clear()


def segments(text: str, marks: Iterable[Mark]) -> list[tuple[str, str]]:
    """Return the text in runs of (text, code of the mark on it or ""), for underlining."""
    spans = sorted((m.span, m.code) for m in marks if m.span is not None)
    runs, at = [], 0
    for (start, end), code in spans:
        if start < at:
            continue
        runs += [(text[at:start], ""), (text[start:end], code)]
        at = end
    runs.append((text[at:], ""))
    return [run for run in runs if run[0]]


__all__ = [
    "RULES",
    "Found",
    "LintContext",
    "Example",
    "Mark",
    "NotChecked",
    "Rule",
    "clear_caches",
    "lint",
    "lint_rubric",
    "lint_whole",
    "not_checked",
    "read_rubric",
    "segments",
]
