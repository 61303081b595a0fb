"""The marks of a rubric with their state: open, set aside, or open again."""

import hashlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from curation.tasks.task.models import Task
from rubrics.linter import rules
from rubrics.linter.rule import Mark, Rule, Span
from rubrics.linter.rules import Found
from rubrics.marks import model_opinions, stored
from rubrics.marks.model_opinions import Reading
from rubrics.marks.models import Waiver
from rubrics.versions.models import RubricVersion
from rubrics.versions.task_text import TaskText

OPEN, ASIDE, AGAIN = "open", "aside", "again"


@dataclass(frozen=True)
class ShownMark:
    """A mark with its state.

    Attributes:
        token: fingerprint of the mark and the line's text.
        state: "open"; "aside": set aside with a reason; "again": was set aside, but the line
            changed since.
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
        """Whether the mark is fully explained by its rule: open, and not a model's opinion."""
        return self.state == OPEN and not self.by_model

    @property
    def by_model(self) -> bool:
        """Whether it is a model's opinion rather than a rule's mark."""
        return self.rule is model_opinions.RULE


@dataclass(frozen=True)
class RubricMarks:
    """The marks of a rubric: of each line, in order, and of the whole.

    Attributes:
        not_checked: what was left out because a text is too long, in whole sentences.
    """

    lines: Sequence[Sequence[ShownMark]]
    whole: Sequence[ShownMark]
    reading: Reading = field(default_factory=Reading)
    not_checked: Sequence[str] = ()


def fingerprint(mark: Mark, text: str) -> str:
    """Return the SHA-256 of the rule, the line's words, and what else the mark depends on."""
    content = [mark.code, " ".join(text.split()), mark.about]
    return hashlib.sha256(json.dumps(content, ensure_ascii=False).encode()).hexdigest()


def rubric_marks(task: Task | TaskText, lines: Sequence[Any]) -> RubricMarks:
    """Compute the marks of a rubric's lines, for what is decided by them.

    One query for the reasons, and those of the service that asks models.

    Args:
        lines: objects with key, text, importance, weight and dimension, in order.
    """
    return with_states(task, lines, rules.read_rubric(lines, stored.context_of(task)))


def last_marks(
    task: Task | TaskText, version: RubricVersion, lines: Sequence[Any]
) -> tuple[RubricMarks, stored.Last]:
    """Return the last marks of a version's lines for a page; see `rubrics.marks.stored`."""
    last = stored.last_marks(task, version, lines)
    return with_states(task, lines, last.found), last


def with_states(task: Task | TaskText, lines: Sequence[Any], found: Found) -> RubricMarks:
    """Return what the linter found, and what a model said, with their states."""
    reading = model_opinions.reading(task.pk)
    said = reading.by_key()
    waivers = _newest_reasons(task)
    return RubricMarks(
        [
            [
                _shown(mark, line.key, line.text, waivers)
                for mark in [
                    *marks,
                    *(one.mark() for one in said.get(line.key, []) if one.text == line.text),
                ]
            ]
            for line, marks in zip(lines, found.lines, strict=True)
        ],
        [_shown(mark, "", "", waivers) for mark in found.whole],
        reading,
        [one.sentence for one in found.not_checked],
    )


def waived_marks(
    task: Task | TaskText, version: RubricVersion, lines: Sequence[Any]
) -> dict[str, list[ShownMark]]:
    """Return line key ("" for the whole rubric) -> the marks its author set aside."""
    if not Waiver.objects.filter(version__task=task.pk).exists():
        return {}
    found, last = last_marks(task, version, lines)
    if not last.made:  # sent before marks were stored, or with an earlier edition of the rules
        found = rubric_marks(task, lines)
    waived = {
        line.key: aside
        for line, marks in zip(lines, found.lines, strict=True)
        if (aside := [mark for mark in marks if mark.state == ASIDE])
    }
    whole = [mark for mark in found.whole if mark.state == ASIDE]
    return {**waived, **({"": whole} if whole else {})}


Reasons = Mapping[tuple[str, str], Mapping[str, str]]


def _newest_reasons(task: Task | TaskText) -> Reasons:
    """Return (line key, code) -> fingerprint -> its newest reason, oldest first."""
    found: dict[tuple[str, str], dict[str, str]] = {}
    rows = Waiver.objects.filter(version__task=task.pk).order_by("id")
    for key, code, digest, reason in rows.values_list("key", "code", "fingerprint", "reason"):
        reasons = found.setdefault((key, code), {})
        reasons.pop(digest, None)
        reasons[digest] = reason
    return found


def _shown(mark: Mark, key: str, text: str, waivers: Reasons) -> ShownMark:
    token = fingerprint(mark, text)
    reasons = waivers.get((key, mark.code), {})
    if token in reasons:
        reason = reasons[token]
        return ShownMark(mark, token, ASIDE if reason else OPEN, reason)
    if key and mark.rule is not model_opinions.RULE:
        earlier: Any = next((reason for reason in reversed(list(reasons.values())) if reason), "")
        if earlier:
            return ShownMark(mark, token, AGAIN, earlier)
    return ShownMark(mark, token)
