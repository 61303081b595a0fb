"""Action that records whether the reference answer meets a line."""

from typing import Any

from django.db import transaction
from django.utils.translation import gettext as _

from curation.base.access.action import action
from curation.base.text import storable
from curation.base.web.refusals import BadInput, Conflict
from curation.tasks.task.models import Task
from rubrics.lines.actions import line_token, locked_line
from rubrics.lines.reference_marks import WHY_LIMIT, ReferenceMark, marks_of, sha256
from rubrics.versions.actions import open_working_version
from rubrics.versions.models import Criterion


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
