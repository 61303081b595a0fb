"""The marks of a rubric as people meet them: open, set aside with a reason, or asked again."""

import hashlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from curation.tasks.models import Task
from rubrics.linter import rules
from rubrics.linter.rule import Mark, Rule, Span
from rubrics.linter.rules import Beside
from rubrics.marks import model_opinions
from rubrics.marks.model_opinions import Reading
from rubrics.marks.models import Waiver
from rubrics.versions.task_text import TaskText

OPEN, ASIDE, AGAIN = "open", "aside", "again"


@dataclass(frozen=True)
class Shown:
    """A mark, and what its author said to it.

    Attributes:
        token: names this mark of this line as long as both stay as they are.
        state: "open"; "aside" with the reason; "again": it was set aside, but the line changed.
        reason: why it is, or was, set aside.
    """

    mark: Mark
    token: str
    state: str = OPEN
    reason: str = ""

    @property
    def rule(self) -> Rule:
        return self.mark.rule

    @property
    def code(self) -> str:
        return self.mark.code

    @property
    def name(self) -> str:
        return self.mark.name

    @property
    def message(self) -> str:
        return self.mark.message

    @property
    def span(self) -> Span | None:
        return self.mark.span

    @property
    def repair(self) -> str:
        return self.mark.repair

    @property
    def words(self) -> str:
        return self.mark.words

    @property
    def plain(self) -> bool:
        """Whether nothing but the rule is to be said about it: it is alike on every line."""
        return self.state == OPEN and not self.by_model

    @property
    def by_model(self) -> bool:
        """Whether a model said it, and no rule."""
        return self.rule is model_opinions.RULE


@dataclass(frozen=True)
class Marking:
    """The marks of a rubric: for each line in order, and for the whole."""

    lines: Sequence[Sequence[Shown]]
    whole: Sequence[Shown]
    reading: Reading = field(default_factory=Reading)


def fingerprint(mark: Mark, text: str) -> str:
    """SHA-256 over the rule, the words of the line, and what else the mark depends on."""
    content = [mark.code, " ".join(text.split()), mark.about]
    return hashlib.sha256(json.dumps(content, ensure_ascii=False).encode()).hexdigest()


def mark_up(task: Task | TaskText, lines: Sequence[Any]) -> Marking:
    """The marks of these lines of a task, with what was said to them.

    Args:
        lines: objects with key, text, importance, weight and dimension, in order.

    One query for the reasons, and what the desk of the models needs.
    """
    beside = Beside(task.requirements, task.reference_answer)
    reading = model_opinions.reading(task.pk)
    said = reading.by_key()
    waivers = _newest(task)
    return Marking(
        [
            [
                _shown(mark, line.key, line.text, waivers)
                for mark in [
                    *marks,
                    *(one.mark() for one in said.get(line.key, []) if one.text == line.text),
                ]
            ]
            for line, marks in zip(lines, rules.lint_rubric(lines, beside), strict=True)
        ],
        [_shown(mark, "", "", waivers) for mark in rules.lint_whole(lines, beside)],
        reading,
    )


def explained(task: Task | TaskText, lines: Sequence[Any]) -> dict[str, list[Shown]]:
    """Line key ("" for the whole rubric) -> the marks its author set aside, for reviewers."""
    if not Waiver.objects.filter(version__task=task.pk).exists():
        return {}
    marking = mark_up(task, lines)
    found = {
        line.key: aside
        for line, marks in zip(lines, marking.lines, strict=True)
        if (aside := [mark for mark in marks if mark.state == ASIDE])
    }
    whole = [mark for mark in marking.whole if mark.state == ASIDE]
    return {**found, **({"": whole} if whole else {})}


Reasons = Mapping[tuple[str, str], Mapping[str, str]]


def _newest(task: Task | TaskText) -> Reasons:
    """(line key, code) -> fingerprint -> the newest reason, in the order they were given."""
    found: dict[tuple[str, str], dict[str, str]] = {}
    rows = Waiver.objects.filter(version__task=task.pk).order_by("id")
    for key, code, print_, reason in rows.values_list("key", "code", "fingerprint", "reason"):
        reasons = found.setdefault((key, code), {})
        reasons.pop(print_, None)
        reasons[print_] = reason
    return found


def _shown(mark: Mark, key: str, text: str, waivers: Reasons) -> Shown:
    token = fingerprint(mark, text)
    reasons = waivers.get((key, mark.code), {})
    if token in reasons:
        reason = reasons[token]
        return Shown(mark, token, ASIDE if reason else OPEN, reason)
    if key and mark.rule is not model_opinions.RULE:
        earlier: Any = next((reason for reason in reversed(list(reasons.values())) if reason), "")
        if earlier:
            return Shown(mark, token, AGAIN, earlier)
    return Shown(mark, token)
