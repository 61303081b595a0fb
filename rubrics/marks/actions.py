"""Actions on the linter's marks: set aside, reopen, count when the rubric is sent."""

from collections import Counter
from collections.abc import Sequence
from typing import Any

from django.db import transaction
from django.utils.translation import gettext as _

from curation.base.access.action import action
from curation.base.web.reasons import required_reason
from curation.base.web.refusals import Conflict
from curation.tasks.task.models import Task
from rubrics.lines import history
from rubrics.lines.actions import REASON_LIMIT
from rubrics.marks import stored
from rubrics.marks.models import SentMarks, Waiver
from rubrics.marks.queries import ASIDE, ShownMark, rubric_marks, with_states
from rubrics.versions.actions import open_working_version
from rubrics.versions.models import Criterion, RubricVersion


@action("rubric.refine", about="task")
@transaction.atomic
def set_aside(
    *, actor: Any, task: Task, criterion: Criterion | None, token: str, reason: str
) -> Waiver:
    """Set a mark aside with a reason that reviewers read, valid while the mark stays the same.

    Args:
        criterion: the marked line; None for a mark of the whole rubric.
        token: the token of the mark that was shown.

    Raises:
        BadInput: no reason, or one that cannot be stored.
        Conflict: `mark_gone`, the line no longer has this mark.
    """
    version = open_working_version(task)
    kept = required_reason(
        reason,
        _("Say in a few words why the line may stay as it is."),
        limit=REASON_LIMIT,
        field="because",
    )
    mark = _find(task, version, criterion, token)
    if mark.state == ASIDE and mark.reason == kept:
        return Waiver.objects.filter(version__task=task, fingerprint=token).latest("id")
    return _record(actor, version, criterion, mark, kept)


@action("rubric.refine", about="task")
@transaction.atomic
def ask_again(*, actor: Any, task: Task, criterion: Criterion | None, token: str) -> None:
    """Reopen a mark that was set aside. An open mark stays as it is.

    Raises:
        Conflict: `mark_gone`.
    """
    version = open_working_version(task)
    mark = _find(task, version, criterion, token)
    if mark.state == ASIDE:
        _record(actor, version, criterion, mark, "")


def _record(
    actor: Any, version: RubricVersion, criterion: Criterion | None, mark: ShownMark, reason: str
) -> Waiver:
    return Waiver.objects.create(
        version=version,
        key=criterion.key if criterion else "",
        code=mark.code,
        fingerprint=mark.token,
        reason=reason,
        actor=actor,
    )


def _find(task: Task, version: RubricVersion, criterion: Criterion | None, token: str) -> ShownMark:
    lines = history.in_order(version)
    found = rubric_marks(task, lines)
    marks: Sequence[ShownMark] = found.whole
    if criterion is not None:
        at = next((n for n, line in enumerate(lines) if line.pk == criterion.pk), None)
        marks = found.lines[at] if at is not None else ()
    mark = next((mark for mark in marks if mark.token == token), None)
    if mark is None:
        raise Conflict(
            _("This mark is no longer there: the line changed. Nothing else was changed."),
            code="mark_gone",
        )
    return mark


def count_marks(task: Task, version: RubricVersion, lines: Sequence[Criterion]) -> None:
    """Store how many marks of each rule a rubric is sent with, open and set aside."""
    found = with_states(task, lines, stored.compute_to_send(task, version, lines))
    marks = [*(mark for line in found.lines for mark in line), *found.whole]
    aside = Counter(mark.code for mark in marks if mark.state == ASIDE)
    every = Counter(mark.code for mark in marks)
    SentMarks.objects.bulk_create(
        SentMarks(version=version, code=code, standing=n - aside[code], set_aside=aside[code])
        for code, n in every.items()
    )
