"""The history of a task as acts of its trail."""

from collections.abc import Iterator
from typing import Any

from curation.lifecycle import Stage
from curation.models import Role, TaskEvent
from curation.queries.story import COLUMNS, tell
from curation.trail import MACHINE, STAFF, Act, Kind, Reader

_ROLE_OF = {
    "panel_joined": Role.SCREENER,
    "vote_cast": Role.SCREENER,
    "place_skipped": Role.SCREENER,
    "check_given": Role.CHECKER,
    "reference_right": Role.CHECKER,
    "round_finished": Role.REVIEWER,
    "review_declined": Role.REVIEWER,
    "adjudication_taken": Role.ADJUDICATOR,
}
_OF_STAFF = {"place_given", "decided_short", "spot_check_released", "decision_released"}
_OF_THE_PANEL = {
    "panel_joined", "vote_cast", "place_given", "place_skipped", "place_expired", "check_given",
    "decided_short", "one_more", "reference_right",
}  # fmt: skip
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
        event = data.get("event", "")
        role = _role(row, event, task)
        yield Act(
            at=told.at,
            source="task",
            pk=row["id"],
            kind=_kind(row, event, role),
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


def _role(row: dict[str, Any], event: str, task: Any) -> str:
    if row["actor_id"] is None:
        # A panel decides together and has no single actor.
        panel = row["from_stage"] == Stage.SCREENING and row["to_stage"] != Stage.SCREENING
        return Role.SCREENER if panel and not event else MACHINE
    if row["actor_id"] == task.author_id:
        return Role.AUTHOR
    if event in _OF_STAFF:
        return STAFF
    if event:
        return _ROLE_OF.get(event, STAFF)
    return _ROLE_AT.get(row["from_stage"], STAFF)


def _kind(row: dict[str, Any], event: str, role: str) -> str:
    if event in _OF_THE_PANEL:
        return Kind.PANEL
    if event.startswith(("sheet_", "anchor")):
        return Kind.SCORING
    if event == "adjudication_taken":
        return Kind.SENIOR
    if event:
        return Kind.ASSIGNMENT if event != "round_finished" else Kind.STAGE
    if role == STAFF:
        return Kind.STAFF
    return Kind.SENIOR if role in (Role.SPOT_CHECKER, Role.DECIDER) else Kind.STAGE
