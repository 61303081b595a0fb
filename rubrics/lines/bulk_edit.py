"""Several lines at once: chosen together, changed, moved or removed in one step with one undo."""

from collections.abc import Collection
from typing import Any

from django.db import transaction
from django.utils.translation import gettext as _

from curation.access.action import action
from curation.tasks.models import Task
from curation.web.refusals import BadInput, Conflict
from rubrics.lines import history
from rubrics.lines.actions import check_line, provenance
from rubrics.versions.actions import open_working_version
from rubrics.versions.models import Criterion, LineChange, RubricVersion

TOGETHER = ("importance", "weight", "dimension")  # a text belongs to one line


@action("rubric.refine", about="task")
@transaction.atomic
def change_lines(
    *, actor: Any, task: Task, lines: Collection[int], **fields: Any
) -> LineChange | None:
    """Give several lines the same importance, weight or dimension; None if they had it already.

    Args:
        lines: ids of lines of the working version.
        fields: any of TOGETHER.

    Raises:
        BadInput: none was chosen, or a value no line may have.
        Conflict: `line_gone`, if one of them is no longer there; nothing is changed then.
    """
    version, chosen, places = _chosen(task, lines)
    if not fields or fields.keys() - set(TOGETHER):
        raise BadInput(_("Say what the chosen lines should have."), code="no_change")
    check_line(
        {name: getattr(chosen[0], name) for name in ("text", *TOGETHER)} | fields,
    )
    differ = [
        line
        for line in chosen
        if any(getattr(line, name) != value for name, value in fields.items())
    ]
    if not differ:
        return None
    before = [history.snapshot(line, places[line.pk]) for line in differ]
    for line in differ:
        for name, value in fields.items():
            setattr(line, name, value)
        line.provenance = provenance(line)
    Criterion.objects.bulk_update(differ, [*fields, "provenance"])
    after = [history.snapshot(line, places[line.pk]) for line in differ]
    return _recorded(version, actor, LineChange.Kind.EDITED, before, after)


@action("rubric.refine", about="task")
@transaction.atomic
def move_lines(*, actor: Any, task: Task, lines: Collection[int], by: int) -> LineChange | None:
    """Move several lines up (negative) or down; they never pass each other. None at the end."""
    version, chosen, places = _chosen(task, lines)
    order, wanted = history.in_order(version), {line.pk for line in chosen}
    for _each in range(min(abs(by), len(order))):
        _one_place(order, wanted, up=by < 0)
    now = {line.pk: n for n, line in enumerate(order)}
    moved = [line for line in order if line.pk in wanted and now[line.pk] != places[line.pk]]
    if not moved:
        return None
    history.renumber(order)
    moved.sort(key=lambda line: places[line.pk])
    before = [history.snapshot(line, places[line.pk]) for line in moved]
    after = [history.snapshot(line, now[line.pk]) for line in moved]
    return _recorded(version, actor, LineChange.Kind.MOVED, before, after)


def _one_place(order: list[Criterion], wanted: set[int], *, up: bool) -> None:
    """Swap each chosen line with its neighbour, unless that is chosen, or there is none."""
    step = -1 if up else 1
    for at in range(len(order)) if up else range(len(order) - 1, -1, -1):
        to = at + step
        free = 0 <= to < len(order) and order[to].pk not in wanted
        if order[at].pk in wanted and free:
            order[at], order[to] = order[to], order[at]


@action("rubric.refine", about="task")
@transaction.atomic
def remove_lines(*, actor: Any, task: Task, lines: Collection[int]) -> LineChange:
    """Remove several lines; one undo brings all of them back to their places."""
    version, chosen, places = _chosen(task, lines)
    before = [history.snapshot(line, places[line.pk]) for line in chosen]
    Criterion.objects.filter(version=version, pk__in=[line.pk for line in chosen]).delete()
    return _recorded(version, actor, LineChange.Kind.REMOVED, before, [])


def _chosen(
    task: Task, lines: Collection[int]
) -> tuple[RubricVersion, list[Criterion], dict[int, int]]:
    """The open version, the chosen lines in order, locked, and the place of every line."""
    version = open_working_version(task)
    if not lines:
        raise BadInput(_("Choose the lines first: Space on each of them."), code="no_lines")
    order = list(
        version.criteria.select_for_update(of=("self",))
        .select_related("source")
        .order_by("position", "id")
    )
    places = {line.pk: n for n, line in enumerate(order)}
    if not set(lines) <= places.keys():
        raise Conflict(
            _(
                "One of the chosen lines is no longer part of the open version. Load the page "
                "again; nothing was changed."
            ),
            code="line_gone",
        )
    return version, [line for line in order if line.pk in set(lines)], places


def _recorded(
    version: RubricVersion,
    actor: Any,
    kind: str,
    before: list[history.Snapshot],
    after: list[history.Snapshot],
) -> LineChange:
    """One step about all of them; about one alone it is that line's step."""
    alone = (before or after)[0]["key"] if len(before or after) == 1 else ""
    return history.record(version, actor=actor, kind=kind, key=alone, before=before, after=after)
