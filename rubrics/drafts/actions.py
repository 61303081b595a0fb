"""Actions on further drafts: storing one, and taking over its lines."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from django.db import transaction
from django.utils.translation import gettext as _

from curation.base.access.action import action
from curation.base.text.comparisons import say_the_same
from curation.base.web.refusals import BadInput, Conflict
from curation.tasks.task.models import Task
from rubrics.lines import history
from rubrics.lines.actions import new_key
from rubrics.versions.actions import new_draft, open_version_of, open_working_version
from rubrics.versions.models import Criterion, LineChange, RubricVersion


@transaction.atomic
def record_further_draft(
    *, task: Task, lines: Iterable[Mapping[str, Any]], drafted_by: str
) -> RubricVersion:
    """Store a further draft of an open rubric as a frozen version, without changing the open one.

    Its lines get keys that no line of another draft has.

    Raises:
        Conflict: `wrong_stage`, the rubric is not open.
    """
    Task.objects.select_for_update().get(pk=task.pk)
    open_version_of(task)
    return new_draft(task, lines, drafted_by, keys="d{number}-{n}")


@action("rubric.refine", about="task")
@transaction.atomic
def take_lines(
    *, actor: Any, task: Task, drafted: Sequence[Criterion]
) -> tuple[list[Criterion], int]:
    """Copy lines of the task's drafts to the end of the open version, in one step.

    A line the rubric already has (copied before, or with the same words) is skipped, and no other
    line is changed. Repeating it changes nothing.

    Returns:
        (the lines that were added, how many were skipped).

    Raises:
        BadInput: no line was chosen.
        Conflict: a line is not of a draft of this task, or the rubric is not open.
    """
    version = open_working_version(task)
    if not drafted:
        raise BadInput(
            _("Choose the lines you want to take over."),
            fields={"line": [_("Choose the lines you want to take over.")]},
        )
    for line in drafted:
        origin = line.version
        if origin.task_id != task.pk or origin.origin != RubricVersion.Origin.DRAFT:
            raise Conflict(_("This line is not part of the draft."), code="line_gone")
    own = history.in_order(version)
    taken: list[Criterion] = []
    for line in sorted(drafted, key=lambda line: (line.version_id, line.position, line.pk)):
        there = [*own, *taken]
        if any(o.source_id == line.pk or say_the_same(o.text, line.text) for o in there):
            continue
        kept = history.snapshot(line) | {"source_id": line.pk}
        if any(other.key == line.key for other in there):
            kept["key"] = new_key(task)
        taken.append(history.insert_line(version, kept, None))
    if taken:
        history.record(
            version,
            actor=actor,
            kind=LineChange.Kind.TAKEN,
            # A line taken alone counts as read, which needs its key; several at once do not.
            key=taken[0].key if len(drafted) == 1 else "",
            after=[history.snapshot(line, len(own) + n) for n, line in enumerate(taken)],
        )
    return taken, len(drafted) - len(taken)
