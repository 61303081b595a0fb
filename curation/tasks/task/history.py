"""A task's history as sentences. Roles are named, people never are."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from curation.base.process.events import Words
from curation.base.process.lifecycle import TASK, Stage
from curation.base.text.wording import sentences
from curation.tasks.task.events import EVENTS
from curation.tasks.task.models import TaskEvent

S = Stage
COLUMNS = ("id", "at", "task_id", "actor_id", "from_stage", "to_stage", "reason", "data")


@dataclass(frozen=True)
class HistoryEntry:
    """One event of a task, worded for a reader.

    Attributes:
        icon, tone: name of the icon and of its colour.
        head: what happened, as a sentence.
        text: figures and what comes next; may be empty.
        quote: the reason somebody gave, as typed; may be empty.
        task_id, title: the task, for lists about several tasks.
    """

    at: datetime
    icon: str
    tone: str
    head: str
    text: str = ""
    quote: str = ""
    task_id: int = 0
    title: str = ""


def history_entries(task: Any, *, everything: bool = False) -> list[HistoryEntry]:
    """Return what happened to a task, oldest first. One query.

    Args:
        everything: include what only staff may know (who declined, why, single votes cast).
    """
    rows = TaskEvent.objects.filter(task=task).order_by("at", "id").values(*COLUMNS)
    return _entries(rows, everything=everything)


class AuthorHistory:
    """What happened to a person's own tasks, newest first; a sequence for a paginator.

    A slice costs one query, and so does the length.
    """

    def __init__(self, user: Any) -> None:
        self.rows = (
            TaskEvent.objects.filter(task__author=user)
            .exclude(to_stage=S.DRAFT, from_stage="")
            .exclude(data__has_key="event", data__event__in=EVENTS.for_staff)
            .order_by("-at", "-id")
            .values(*COLUMNS, "task__title", "task__key")
        )

    def __len__(self) -> int:
        return self.rows.count()

    def __getitem__(self, part: slice) -> list[HistoryEntry]:
        return _entries(self.rows[part])


def _entries(rows: Iterable[dict[str, Any]], *, everything: bool = False) -> list[HistoryEntry]:
    entries = (history_entry(row, everything=everything) for row in rows)
    return [entry for entry in entries if entry is not None]


# --- one event ----------------------------------------------------------------------------------
def history_entry(row: dict[str, Any], *, everything: bool = False) -> HistoryEntry | None:
    """Word one history row; None if the reader may not know of it."""
    data = row["data"] or {}
    event = EVENTS.of(row["from_stage"], row["to_stage"], data)
    if not everything and (event is None or event.staff_only):
        return None
    words = event.words_for(data) if event else Words("dot", "", _unknown(row, data))
    # Reasons that people wrote are quoted, also a panel's, which has no actor. Reasons that the
    # machine recorded become part of the text.
    said = row["actor_id"] is not None or row["from_stage"] == S.SCREENING
    recorded = localized_reason(row["reason"], data)
    return HistoryEntry(
        at=row["at"],
        icon=words.icon,
        tone=words.tone,
        head=words.head,
        text=words.text if said else sentences((words.text, recorded)),
        quote=row["reason"] if said else data.get("problem", "") if everything else "",
        task_id=row["task_id"],
        title=row.get("task__title") or row.get("task__key") or "",
    )


def _unknown(row: dict[str, Any], data: Mapping[str, Any]) -> str:
    """Word a row that the table of events does not know; only staff see it."""
    if code := data.get("event", ""):
        return str(code).replace("_", " ").capitalize()
    return _("Now at “%(stage)s”.") % {"stage": TASK.stage_label(row["to_stage"])}


def localized_reason(reason: str, data: Mapping[str, Any]) -> str:
    """Translate a reason that the machine recorded; unknown words stay as they are."""
    if reason and data.get("requested"):
        n = int(data["requested"])
        return ngettext(
            "The review asks for a change on %(n)s line.",
            "The review asks for changes on %(n)s lines.",
            n,
        ) % {"n": n}
    return _(reason) if reason else ""
