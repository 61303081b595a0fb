"""Checklists of tasks: those in use, as a method of judging reads them, and the newest."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass

from django.db.models import Q

from judge.methods.query_checklists.compose import line_key
from judge.methods.query_checklists.models import QueryChecklist, QueryChecklistLine

State = QueryChecklist.State
AT_ONCE = 5_000  # tasks per statement; SQLite accepts 32,766 values


@dataclass(frozen=True, slots=True)
class ChecklistLine:
    """A line of a checklist in use.

    Attributes:
        key: names it within the checklist, and in a later one of the same task.
        weight: 10 or 5; -15 for a critical flaw.
        flaw: whether the line is TRUE of a bad answer.
        skill: the key of the skill's label in its domain, which never changes.
        skill_name: the label's name today.
    """

    key: str
    text: str
    weight: int
    flaw: bool
    skill: str
    skill_name: str


@dataclass(frozen=True, slots=True)
class FrozenChecklist:
    """A checklist in use: the lines never change, and neither does their SHA-256."""

    pk: int
    sha256: str
    lines: tuple[ChecklistLine, ...]


def frozen_for(tasks: Collection[int]) -> Mapping[int, FrozenChecklist]:
    """Return task id -> its checklist in use; tasks without one are left out.

    One query for 5,000 tasks.

    Args:
        tasks: ids of tasks.
    """
    wanted = sorted(set(tasks))
    heads: dict[int, tuple[int, str]] = {}
    lines: dict[int, list[ChecklistLine]] = {}
    for start in range(0, len(wanted), AT_ONCE):
        rows = QueryChecklistLine.objects.filter(
            checklist__task__in=wanted[start : start + AT_ONCE],
            checklist__state=State.IN_USE,
        )
        for task, pk, sha256, label, name, key, text, weight in rows.order_by(
            "checklist", "position"
        ).values_list(
            "checklist__task",
            "checklist",
            "checklist__sha256",
            "label__key",
            "label__name",
            "criterion__key",
            "criterion__text",
            "weight",
        ):
            heads[task] = pk, sha256
            line = ChecklistLine(line_key(label, key), text, weight, weight < 0, label, name)
            lines.setdefault(task, []).append(line)
    return {
        task: FrozenChecklist(pk, sha256, tuple(lines[task]))
        for task, (pk, sha256) in heads.items()
    }


def checklist_in_use() -> Q:
    """Return the filter of tasks with a checklist in use."""
    return Q(query_checklists__state=State.IN_USE)


def newest(task_id: int, state: str) -> QueryChecklist | None:
    """Return the newest checklist of a task in a state. One query."""
    rows = QueryChecklist.objects.filter(task=task_id, state=state)
    return rows.select_related("task", "proposed_by", "used_by", "ended_by").first()
