"""The source of a task's trail that reads the history of the task."""

from collections.abc import Iterator
from typing import Any

from curation.base.process.events import ActKind, Event
from curation.base.process.lifecycle import Stage
from curation.base.process.roles import STAFF, Role
from curation.tasks.task.events import EVENTS
from curation.tasks.task.history import COLUMNS, history_entry
from curation.tasks.task.models import TaskEvent
from curation.telling.activity.trail import MACHINE, Reader, TrailEntry

_ROLE_AT = {
    Stage.SCREENING: Role.SCREENER,
    Stage.REFINING: Role.RUBRIC_AUTHOR,  # only whoever writes the rubric sends it
    Stage.SPOT_CHECK: Role.SPOT_CHECKER,
    Stage.DECIDING: Role.DECIDER,
    Stage.APPROVED: STAFF,
}


def task_trail(task: Any, reader: Reader) -> Iterator[TrailEntry]:
    """Yield the moves and the notes of a task as entries of its trail. One query."""
    rows = TaskEvent.objects.filter(task=task).order_by("at", "id").values(*COLUMNS)
    for row in rows:
        worded = history_entry(row, everything=reader.names)
        if worded is None:
            continue
        data = row["data"] or {}
        event = EVENTS.of(row["from_stage"], row["to_stage"], data)
        role = _role(row, event, task)
        yield TrailEntry(
            at=worded.at,
            source="task",
            pk=row["id"],
            kind=_kind(event, role),
            role=role,
            person=row["actor_id"],
            number=data.get("reviewer") if role == Role.REVIEWER else None,
            head=worded.head,
            text=str(worded.text),
            quote=worded.quote,
            version=data.get("version") if isinstance(data.get("version"), int) else None,
            icon=worded.icon,
            tone=worded.tone,
        )


def _role(row: dict[str, Any], event: Event | None, task: Any) -> str:
    noted = bool((row["data"] or {}).get("event"))
    if row["actor_id"] is None:
        # A panel decides together and has no single actor.
        panel = row["from_stage"] == Stage.SCREENING and row["to_stage"] != Stage.SCREENING
        return Role.SCREENER if panel and not noted else MACHINE
    if row["actor_id"] == task.author_id:
        return Role.AUTHOR
    if noted:
        return event.role if event else STAFF
    return _ROLE_AT.get(row["from_stage"], STAFF)


def _kind(event: Event | None, role: str) -> str:
    if event and event.kind:
        return event.kind
    if role == STAFF:
        return ActKind.STAFF
    return ActKind.SENIOR if role in (Role.SPOT_CHECKER, Role.DECIDER) else ActKind.STAGE
