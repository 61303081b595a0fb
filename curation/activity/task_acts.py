"""The history of a task as acts of its trail."""

from collections.abc import Iterator
from typing import Any

from curation.activity.trail import MACHINE, Act, Reader
from curation.process.events import ActKind, Event
from curation.process.lifecycle import Stage
from curation.process.roles import STAFF, Role
from curation.tasks.events import EVENTS
from curation.tasks.history import COLUMNS, tell
from curation.tasks.models import TaskEvent

_ROLE_AT = {
    Stage.SCREENING: Role.SCREENER,
    Stage.SPOT_CHECK: Role.SPOT_CHECKER,
    Stage.DECIDING: Role.DECIDER,
    Stage.APPROVED: STAFF,
}


def task_acts(task: Any, reader: Reader) -> Iterator[Act]:
    """Moves, and what was noted without moving the task. One query."""
    rows = TaskEvent.objects.filter(task=task).order_by("at", "id").values(*COLUMNS)
    for row in rows:
        told = tell(row, everything=reader.names)
        if told is None:
            continue
        data = row["data"] or {}
        event = EVENTS.of(row["from_stage"], row["to_stage"], data)
        role = _role(row, event, task)
        yield Act(
            at=told.at,
            source="task",
            pk=row["id"],
            kind=_kind(event, role),
            role=role,
            person=row["actor_id"],
            number=data.get("reviewer") if role == Role.REVIEWER else None,
            head=told.head,
            text=str(told.text),
            quote=told.quote,
            version=data.get("version") if isinstance(data.get("version"), int) else None,
            icon=told.icon,
            tone=told.tone,
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
