"""Actions on several chosen lines: change, move or remove them in one step with one undo."""

from collections.abc import Collection
from typing import Any

from django.db import transaction
from django.utils.translation import gettext as _

from curation.base.access.action import action
from curation.base.web.refusals import BadInput, Conflict
from curation.tasks.task.models import Task
from rubrics.lines import history
from rubrics.lines.actions import check_line, provenance, with_its_weight
from rubrics.versions.actions import open_working_version
from rubrics.versions.models import Criterion, LineChange, RubricVersion

BULK_FIELDS = ("importance", "weight", "dimension")  # no text: each line has its own


@action("rubric.refine", about="task")
@transaction.atomic
def change_lines(
    *, actor: Any, task: Task, lines: Collection[int], **fields: Any
) -> LineChange | None:
    """Set the importance, weight or dimension of several lines; None if nothing changes.

    Args:
        lines: ids of lines of the working version.
        fields: any of BULK_FIELDS.

    Raises:
        BadInput: no line or no field was chosen, or a value is not allowed.
        Conflict: `line_gone`, one of the lines no longer exists; nothing is changed.
    """
    version, chosen, indexes = _chosen(task, lines)
    if not fields or fields.keys() - set(BULK_FIELDS):
        raise BadInput(_("Say what the chosen lines should have."), code="no_change")
    check_line(
        {name: getattr(chosen[0], name) for name in ("text", *BULK_FIELDS)} | fields,
        skill=task.is_skill,
    )
    differ = [
        line
        for line in chosen
        if any(getattr(line, name) != value for name, value in fields.items())
    ]
    if not differ:
        return None
    before = [history.snapshot(line, indexes[line.pk]) for line in differ]
    for line in differ:
        values = {name: getattr(line, name) for name in BULK_FIELDS} | fields
        for name, value in with_its_weight(task, values).items():
            setattr(line, name, value)
        line.provenance = provenance(line)
    Criterion.objects.bulk_update(differ, [*BULK_FIELDS, "provenance"])
    after = [history.snapshot(line, indexes[line.pk]) for line in differ]
    return _record_step(version, actor, LineChange.Kind.EDITED, before, after)


@action("rubric.refine", about="task")
@transaction.atomic
def move_lines(*, actor: Any, task: Task, lines: Collection[int], by: int) -> LineChange | None:
    """Move several lines up (negative) or down, keeping their order among each other.

    None if they are at the end already. Raises as `change_lines`.
    """
    version, chosen, indexes = _chosen(task, lines)
    order, wanted = history.in_order(version), {line.pk for line in chosen}
    for _each in range(min(abs(by), len(order))):
        _shift_by_one(order, wanted, up=by < 0)
    now = {line.pk: n for n, line in enumerate(order)}
    moved = [line for line in order if line.pk in wanted and now[line.pk] != indexes[line.pk]]
    if not moved:
        return None
    history.renumber(order)
    moved.sort(key=lambda line: indexes[line.pk])
    before = [history.snapshot(line, indexes[line.pk]) for line in moved]
    after = [history.snapshot(line, now[line.pk]) for line in moved]
    return _record_step(version, actor, LineChange.Kind.MOVED, before, after)


def _shift_by_one(order: list[Criterion], wanted: set[int], *, up: bool) -> None:
    """Swap each chosen line with its neighbour, unless that is chosen too or does not exist."""
    step = -1 if up else 1
    for at in range(len(order)) if up else range(len(order) - 1, -1, -1):
        to = at + step
        free = 0 <= to < len(order) and order[to].pk not in wanted
        if order[at].pk in wanted and free:
            order[at], order[to] = order[to], order[at]


@action("rubric.refine", about="task")
@transaction.atomic
def remove_lines(*, actor: Any, task: Task, lines: Collection[int]) -> LineChange:
    """Remove several lines; one undo restores all of them. Raises as `change_lines`."""
    version, chosen, indexes = _chosen(task, lines)
    before = [history.snapshot(line, indexes[line.pk]) for line in chosen]
    Criterion.objects.filter(version=version, pk__in=[line.pk for line in chosen]).delete()
    return _record_step(version, actor, LineChange.Kind.REMOVED, before, [])


def _chosen(
    task: Task, lines: Collection[int]
) -> tuple[RubricVersion, list[Criterion], dict[int, int]]:
    """Return the open version, the chosen lines (locked, in order) and line id -> index of all."""
    version = open_working_version(task)
    if not lines:
        raise BadInput(_("Choose the lines first: Space on each of them."), code="no_lines")
    order = list(
        version.criteria.select_for_update(of=("self",))
        .select_related("source")
        .order_by("position", "id")
    )
    indexes = {line.pk: n for n, line in enumerate(order)}
    if not set(lines) <= indexes.keys():
        raise Conflict(
            _(
                "One of the chosen lines is no longer part of the open version. Load the page "
                "again; nothing was changed."
            ),
            code="line_gone",
        )
    return version, [line for line in order if line.pk in set(lines)], indexes


def _record_step(
    version: RubricVersion,
    actor: Any,
    kind: str,
    before: list[history.Snapshot],
    after: list[history.Snapshot],
) -> LineChange:
    """Record one step for all lines; a step on a single line gets that line's key."""
    alone = (before or after)[0]["key"] if len(before or after) == 1 else ""
    return history.record(version, actor=actor, kind=kind, key=alone, before=before, after=after)
