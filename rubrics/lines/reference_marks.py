"""The author's marks of the reference answer: TRUE or FALSE on each line.

A mark is about the texts of the line and of the answer at that time. When either changes, the
mark lapses and the line is unmarked again; the old mark stays on record.
"""

import hashlib
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from django.db import models, transaction
from django.db.models import Q
from django.utils import timezone
from django.utils.translation import gettext as _

from curation.base.access.action import action
from curation.base.process.history import AppendOnly
from curation.base.text import storable
from curation.base.web.refusals import BadInput, Conflict
from curation.joining.people import User
from curation.tasks.task.models import Task
from rubrics.lines.actions import line_token, locked_line
from rubrics.versions.actions import open_working_version
from rubrics.versions.models import Criterion

WHY_LIMIT = 500


class ReferenceMark(AppendOnly):
    """The author's statement whether the reference answer meets a line. The newest one counts."""

    task = models.ForeignKey(Task, on_delete=models.PROTECT, related_name="reference_marks")
    key = models.CharField(max_length=80)  # of the line
    met = models.BooleanField()
    why = models.TextField(blank=True)  # where it is not met
    line_sha256 = models.CharField(max_length=64)
    answer_sha256 = models.CharField(max_length=64)
    actor = models.ForeignKey(User, on_delete=models.PROTECT, related_name="+")
    at = models.DateTimeField(default=timezone.now)

    class Meta:
        ordering = ("id",)
        indexes = [models.Index(fields=["task", "key"], name="reference_mark_task_key")]
        constraints = [
            models.CheckConstraint(
                condition=Q(met=True, why="") | (Q(met=False) & ~Q(why="")),
                name="a_line_not_met_says_why",
            )
        ]


@dataclass(frozen=True)
class Mark:
    """A mark that holds for the line and the answer as they are now."""

    met: bool
    why: str


@dataclass(frozen=True)
class ReferenceScore:
    """The score of the reference answer on the lines of a version. Points are weights.

    Attributes:
        marks: line key -> the valid mark.
        met, lines: lines met; all lines.
        points, total: weight of the lines met; of all lines.
        unmet, open: lines marked FALSE; lines without a valid mark.
    """

    marks: dict[str, Mark]
    met: int
    lines: int
    points: int
    total: int
    unmet: tuple[Any, ...]
    open: tuple[Any, ...]

    @property
    def lost(self) -> int:
        """Points the answer loses on the lines marked FALSE."""
        return sum(line.weight for line in self.unmet)


def sha256(text: str) -> str:
    """Return the digest of a text that a mark stores."""
    return hashlib.sha256(text.encode()).hexdigest()


def marks_of(task: Task, lines: Iterable[Any]) -> dict[str, Mark]:
    """Return line key -> the mark that is still valid. One query."""
    rows = ReferenceMark.objects.filter(task=task).order_by("id")
    newest = {row[0]: row[1:] for row in rows.values_list(*_COLUMNS)}
    answer = sha256(task.reference_answer)
    return {
        line.key: Mark(met, why)
        for line in lines
        if line.key in newest
        for met, why, line_was, answer_was in [newest[line.key]]
        if line_was == sha256(line.text) and answer_was == answer
    }


_COLUMNS = ("key", "met", "why", "line_sha256", "answer_sha256")


def reference_score(task: Task, lines: Sequence[Any]) -> ReferenceScore:
    """Score the task's reference answer on the lines of a version. One query."""
    marks = marks_of(task, lines)
    met = [line for line in lines if line.key in marks and marks[line.key].met]
    return ReferenceScore(
        marks=marks,
        met=len(met),
        lines=len(lines),
        points=sum(line.weight for line in met),
        total=sum(line.weight for line in lines),
        unmet=tuple(line for line in lines if line.key in marks and not marks[line.key].met),
        open=tuple(line for line in lines if line.key not in marks),
    )


@action("rubric.refine", about="task")
@transaction.atomic
def mark_reference(
    *,
    actor: Any,
    task: Task,
    criterion: Criterion,
    met: bool,
    why: str = "",
    seen: str | None = None,
) -> None:
    """Record whether the reference answer meets a line. Repeating a mark changes nothing.

    Args:
        why: what the answer is missing; required where the line is not met.
        seen: the `line_token` of the page; a mark on a text its author has not seen is refused.

    Raises:
        BadInput: not met without a reason, or the reason cannot be stored.
        Conflict: `changed_since`, `line_gone`.
    """
    version = open_working_version(task)
    line = locked_line(version, criterion)
    if seen is not None and seen.partition(":")[0] != line_token(line).partition(":")[0]:
        raise Conflict(
            _("This line was changed after this page was loaded. Read it again, then mark it."),
            code="changed_since",
        )
    why = "" if met else storable.clean(why)
    problem = storable.problem_with(why, limit=WHY_LIMIT)
    if not met and (problem or storable.is_blank(why)):
        raise BadInput(fields={"why": [problem or _("Say what the reference answer is missing.")]})
    now = marks_of(task, [line]).get(line.key)
    if now is not None and (now.met, now.why) == (met, why):
        return
    ReferenceMark.objects.create(
        task=task,
        key=line.key,
        met=met,
        why=why,
        line_sha256=sha256(line.text),
        answer_sha256=sha256(task.reference_answer),
        actor=actor,
    )
