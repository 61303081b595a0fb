"""Marks that the worker computes, stored with a hash of all that they are made of.

Pages show the last marks of the lines that are still the same, and ask for new ones where a line,
the task or a rule has changed since. What is decided by marks computes them: a reason for one, and
sending. So does a reviewer's page until the worker has, if the rubric was sent with an earlier
edition of the rules or before marks were stored.
"""

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from hashlib import sha256
from typing import Any

from django.db import transaction
from django.db.models import QuerySet
from django.dispatch import Signal

from curation.base.process.stored_results import CURRENT, FAILED, WAITING
from curation.tasks.task.models import Task
from rubrics.linter import rules
from rubrics.linter.rule import Mark
from rubrics.linter.rules import Found, LintContext, NotChecked
from rubrics.marks.models import StoredMarks
from rubrics.versions.models import RubricVersion, lines_sha256
from rubrics.versions.queries import lines_of
from rubrics.versions.task_text import TaskText

# Sent when the lines of a version are to be marked anew; what an earlier wish failed of is past.
marks_wanted = Signal()  # sender: StoredMarks; instance

HasFailed = Callable[[int], bool]  # number of the row


def _never(pk: int) -> bool:
    return False


_has_failed: HasFailed = _never


def register(has_failed: HasFailed) -> None:
    """Set what tells whether the marks of a row could not be computed; the worker is above."""
    global _has_failed
    _has_failed = has_failed


@dataclass(frozen=True)
class Last:
    """The last marks of some lines.

    Attributes:
        found: what the linter said; no marks of a line that has changed since, or about one.
        state: CURRENT, WAITING or FAILED.
        made: whether there is a result of this edition of the rules.
    """

    found: Found
    state: str
    made: bool


def context_of(task: Task | TaskText) -> LintContext:
    """Return the texts of a task that its lines are checked with."""
    form = rules.SKILL if task.is_skill else task.answer_form
    return LintContext(task.requirements, task.reference_answer, form)


def last_marks(task: Task | TaskText, version: RubricVersion, lines: Sequence[Any]) -> Last:
    """Return the last marks of a version's lines, and ask for new ones if these are not current.

    One query if they are.
    """
    inputs = hash_of(context_of(task), lines)
    row = StoredMarks.objects.filter(version=version).first()
    asked = None
    if row is None or row.inputs != inputs:
        asked = _ask(row, inputs, version)
        if asked is not None:
            marks_wanted.send(sender=StoredMarks, instance=asked)
            row = StoredMarks.objects.get(pk=asked.pk)  # a worker may have been as quick as that
    if row is None:
        return _last({}, WAITING, lines)
    failed = row.made_of != inputs and asked is None and _has_failed(row.pk)
    state = CURRENT if row.made_of == inputs else FAILED if failed else WAITING
    return _last(row.result or {}, state, lines)


def _ask(row: StoredMarks | None, inputs: str, version: RubricVersion) -> StoredMarks | None:
    """Note what the newest marks are to be made of."""
    if row is not None:
        return StoredMarks.objects.ask(row, inputs, version=version)
    with transaction.atomic():
        # A first row locks its version as it is committed. Whoever sends locks the version, then
        # the row: in the other order here, the two would wait for each other.
        RubricVersion.objects.select_for_update().get(pk=version.pk)
        return StoredMarks.objects.ask(None, inputs, version=version)


def hash_of(context: LintContext, lines: Sequence[Any]) -> str:
    """Return the SHA-256 of all that the marks of lines are made of."""
    whole = [
        rules.EDITION,
        context.prompt,
        context.reference,
        context.form,
        _sha256_of(lines),
    ]
    return _sha256(json.dumps(whole, ensure_ascii=False))


def waiting_marks() -> QuerySet[StoredMarks]:
    return StoredMarks.objects.waiting()


def compute(row: StoredMarks) -> None:
    """Compute the marks of a version from its lines as they are now, and store them."""
    version = RubricVersion.objects.select_related("task").get(pk=row.version_id)
    lines, context = lines_of(version), context_of(version.task)
    result = _kept(rules.read_rubric(lines, context), lines)
    StoredMarks.objects.store(row, made_of=hash_of(context, lines), result=result)


def compute_to_send(task: Task, version: RubricVersion, lines: Sequence[Any]) -> Found:
    """Compute the marks that a version is sent with, and store them for whoever reads it."""
    context = context_of(task)
    found, inputs = rules.read_rubric(lines, context), hash_of(context, lines)
    StoredMarks.objects.update_or_create(
        version=version,
        defaults={"inputs": inputs, "made_of": inputs, "result": _kept(found, lines)},
    )
    return found


# -- as JSON --------------------------------------------------------------------------------------


def _kept(found: Found, lines: Sequence[Any]) -> dict[str, Any]:
    """Return what the linter found as JSON."""
    keys = [line.key for line in lines]
    return {
        "edition": rules.EDITION,
        "lines": {
            line.key: {
                "made_of": _sha256_of([line]),
                "marks": [_kept_mark(mark, keys) for mark in marks],
            }
            for line, marks in zip(lines, found.lines, strict=True)
        },
        "whole": [_kept_mark(mark, keys) for mark in found.whole],
        "not_checked": [(one.code, one.values) for one in found.not_checked],
    }


def _kept_mark(mark: Mark, keys: Sequence[str]) -> dict[str, Any]:
    return {
        "code": mark.code,
        "span": None if mark.span is None else list(mark.span),
        "repair": mark.repair,
        "words": mark.words,
        "about": mark.about,
        "other": None if mark.other is None else keys[mark.other],  # lines move
        "values": [list(pair) for pair in mark.values],
    }


def _last(kept: Mapping[str, Any], state: str, lines: Sequence[Any]) -> Last:
    kept = _of_this_edition(kept)
    known = [_of_line(kept, line) for line in lines]
    places = {line.key: n for n, line in enumerate(lines) if known[n]}
    found = Found(
        [list(_marks(own.get("marks", ()), places)) for own in known],
        list(_marks(kept.get("whole", ()), places)),
        [NotChecked(code, _pairs(values)) for code, values in kept.get("not_checked", ())],
    )
    return Last(found, state, made=bool(kept))


def _of_this_edition(kept: Mapping[str, Any]) -> Mapping[str, Any]:
    """Return a result; an empty one where an earlier edition of the rules found it."""
    return kept if kept.get("edition") == rules.EDITION else {}


def _of_line(kept: Mapping[str, Any], line: Any) -> Mapping[str, Any]:
    """Return what is kept of a line; empty if it has changed since."""
    own: Mapping[str, Any] = kept.get("lines", {}).get(line.key, {})
    return own if own.get("made_of") == _sha256_of([line]) else {}


def _marks(kept: Sequence[Mapping[str, Any]], places: Mapping[str, int]) -> Iterator[Mark]:
    """Yield marks as they were found, without those about a line that is another one or gone."""
    for one in kept:
        span, other = one["span"], one["other"]
        if other is not None and other not in places:
            continue
        yield Mark(
            _RULES[one["code"]],
            span=None if span is None else (span[0], span[1]),
            repair=one["repair"],
            words=one["words"],
            about=one["about"],
            other=None if other is None else places[other],
            values=_pairs(one["values"]),
        )


_RULES = {rule.code: rule for rule in rules.RULES}


def _pairs(kept: Sequence[Sequence[Any]]) -> tuple[tuple[str, Any], ...]:
    return tuple((name, value) for name, value in kept)


def _sha256_of(lines: Sequence[Any]) -> str:
    """Return the SHA-256 of what the marks of lines are made of."""
    return lines_sha256(
        (one.key, one.text, one.importance, one.weight, one.dimension) for one in lines
    )


def _sha256(text: str) -> str:
    return sha256(text.encode()).hexdigest()
