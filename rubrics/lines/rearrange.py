"""Actions that split, merge, move, remove and restore lines, and undo."""

from typing import Any

from django.db import transaction
from django.utils.translation import gettext as _

from curation.base.access.action import action
from curation.base.text import storable
from curation.base.web.refusals import BadInput, Conflict
from curation.tasks.task.models import Task
from rubrics.lines import history
from rubrics.lines.actions import check_line, locked_line, new_key, new_lines, provenance
from rubrics.linter import repairs
from rubrics.policy.dimensions import Importance
from rubrics.versions.actions import open_working_version
from rubrics.versions.diff import CONTENT
from rubrics.versions.models import Criterion, LineChange, RubricVersion

HEAVIEST_FIRST = (Importance.ESSENTIAL, Importance.IMPORTANT, Importance.OPTIONAL)


@action("rubric.refine", about="task")
@transaction.atomic
def split_line(
    *,
    actor: Any,
    task: Task,
    criterion: Criterion,
    at: int | None = None,
    words: str | None = None,
) -> list[Criterion]:
    """Split a line in one step. The first part keeps key and thread; all keep the weight.

    A text of several rows becomes one line per row; other texts are split once.

    Args:
        at: character of the text where the second line begins; None: at the line breaks, or at
            the joining word the linter finds.
        words: the line's text as the author sees it; None takes it as it is.

    Raises:
        BadInput: `no_split_point`, there is nothing to split at.
        Conflict: `changed_since`, the line's text differs from `words`.
    """
    version = open_working_version(task)
    line = locked_line(version, criterion, words=words)
    parts = _pieces(line.text, at)
    if parts is None:
        raise BadInput(
            _("Choose the word the second line begins with."),
            code="no_split_point",
            fields={"text": [_("Choose the word the second line begins with.")]},
        )
    index = [other.pk for other in history.in_order(version)].index(line.pk)
    before = history.snapshot(line, index)
    line.text = parts[0]
    line.provenance = provenance(line)
    line.save(update_fields=["text", "provenance"])
    values = {name: getattr(line, name) for name in CONTENT} | {"quote": line.quote}
    others = new_lines(
        task, version, [{**values, "text": part} for part in parts[1:]], index=index + 1
    )
    history.record(
        version,
        actor=actor,
        kind=LineChange.Kind.SPLIT,
        key=line.key,
        before=[before],
        after=[history.snapshot(each, n) for n, each in enumerate([line, *others], start=index)],
    )
    return [line, *others]


def _pieces(text: str, at: int | None) -> list[str] | None:
    """Return the texts of the parts; None where there is nothing to split at."""
    rows = [row.strip() for row in text.splitlines() if not storable.is_blank(row)]
    if at is None and len(rows) > 1:
        return rows
    parts = repairs.split_at(text, at)
    return None if parts is None else list(parts)


@action("rubric.refine", about="task")
@transaction.atomic
def merge_lines(
    *, actor: Any, task: Task, criterion: Criterion, words: str | None = None
) -> Criterion:
    """Merge a line with the next one. It keeps its key and the higher importance and weight.

    Args:
        words: the line's text as the author sees it; None takes it as it is.

    Raises:
        BadInput: `last_line`, or the joined text is too long.
        Conflict: `changed_since`, the line's text differs from `words`.
    """
    version = open_working_version(task)
    line = locked_line(version, criterion, words=words)
    lines = history.in_order(version)
    index = [other.pk for other in lines].index(line.pk)
    if index + 1 == len(lines):
        raise BadInput(_("The last line has no next one to merge with."), code="last_line")
    following = lines[index + 1]
    joined = repairs.join(line.text, following.text)
    importance = min((line.importance, following.importance), key=HEAVIEST_FIRST.index)
    weight = max(line.weight, following.weight)
    check_line(
        {
            "text": joined,
            "importance": importance,
            "weight": weight,
            "dimension": line.dimension,
        },
        skill=task.is_skill,
    )
    before = [history.snapshot(line, index), history.snapshot(following, index + 1)]
    Criterion.objects.filter(pk=following.pk).delete()
    line.text, line.importance, line.weight = joined, importance, weight
    line.quote = line.quote or following.quote
    line.provenance = provenance(line)
    line.save(update_fields=["text", "importance", "weight", "quote", "provenance"])
    history.record(
        version,
        actor=actor,
        kind=LineChange.Kind.MERGED,
        key=line.key,
        before=before,
        after=[history.snapshot(line, index)],
    )
    return line


@action("rubric.refine", about="task")
@transaction.atomic
def move_line(*, actor: Any, task: Task, criterion: Criterion, by: int) -> None:
    """Move a line up (negative) or down by a number of positions, at most to the end."""
    version = open_working_version(task)
    line = locked_line(version, criterion)
    lines = history.in_order(version)
    here = [other.pk for other in lines].index(line.pk)
    line = lines.pop(here)
    there = max(0, min(len(lines), here + by))
    lines.insert(there, line)
    if here == there:
        return
    history.renumber(lines)
    history.record(
        version,
        actor=actor,
        kind=LineChange.Kind.MOVED,
        key=line.key,
        before=[history.snapshot(line, here)],
        after=[history.snapshot(line, there)],
    )


@action("rubric.refine", about="task")
@transaction.atomic
def remove_line(*, actor: Any, task: Task, criterion: Criterion, reason: str = "") -> LineChange:
    """Remove a line from the working version. `undo` restores it.

    Raises:
        Conflict: `line_gone`, it no longer exists.
    """
    version = open_working_version(task)
    line = locked_line(version, criterion)
    kept = history.snapshot(line, history.index_of(line))
    Criterion.objects.filter(pk=line.pk).delete()
    return history.record(
        version,
        actor=actor,
        kind=LineChange.Kind.REMOVED,
        key=kept["key"],
        before=[kept],
        reason=storable.clean(reason),
    )


@action("rubric.refine", about="task")
@transaction.atomic
def bring_back(*, actor: Any, task: Task, drafted: Criterion) -> Criterion:
    """Copy a removed draft line into the working version, near its old position.

    Repeating it changes nothing.

    Raises:
        Conflict: the line is not of this task's draft.
    """
    version = open_working_version(task)
    origin = drafted.version
    if origin.task_id != task.pk or origin.origin != RubricVersion.Origin.DRAFT:
        raise Conflict(_("This line is not part of the draft."), code="line_gone")
    lines = history.in_order(version)
    there = next((line for line in lines if line.source_id == drafted.pk), None)
    if there is not None:
        return there
    earlier = set(
        origin.criteria.filter(position__lt=drafted.position).values_list("pk", flat=True)
    )
    index = max((n for n, line in enumerate(lines, 1) if line.source_id in earlier), default=0)
    kept = history.snapshot(drafted) | {"source_id": drafted.pk}
    if any(line.key == drafted.key for line in lines):  # no action leads here
        kept["key"] = new_key(task)
    line = history.insert_line(version, kept, index)
    history.record(
        version,
        actor=actor,
        kind=LineChange.Kind.BROUGHT_BACK,
        key=line.key,
        after=[history.snapshot(line, index)],
    )
    return line


@action("rubric.refine", about="task")
@transaction.atomic
def undo(*, actor: Any, task: Task, change: LineChange | None = None) -> LineChange:
    """Undo a step: the given one, or the newest that was not undone.

    Raises:
        Conflict: there is none, it was undone already, or its lines changed since.
    """
    version = open_working_version(task)
    step = change or history.last_change(version)
    if step is None or step.version_id != version.pk:
        raise Conflict(_("There is no step to undo in this version."), code="nothing_to_undo")
    if LineChange.objects.filter(undoes=step).exists():
        raise Conflict(_("That step has already been undone."), code="nothing_to_undo")
    if step.kind in (LineChange.Kind.UNDONE, LineChange.Kind.REASON):
        raise Conflict(_("That step cannot be undone."), code="nothing_to_undo")
    return history.revert_step(version, step, actor)
