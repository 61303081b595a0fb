"""A task's history as sentences. Roles are named, people never are."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from curation.process.events import Words
from curation.process.lifecycle import TASK, Stage
from curation.tasks.events import EVENTS
from curation.tasks.models import TaskEvent
from curation.text.wording import sentences

S = Stage
COLUMNS = ("id", "at", "task_id", "actor_id", "from_stage", "to_stage", "reason", "data")


@dataclass(frozen=True)
class Told:
    """One event, told to a person.

    Attributes:
        icon, tone: a shape of the set and its colour word.
        head: what happened, as a sentence.
        text: figures and what comes next; may be empty.
        quote: the reasons somebody gave, as typed; may be empty.
        task_id, title: the task, where the list is about several.
    """

    at: datetime
    icon: str
    tone: str
    head: str
    text: str = ""
    quote: str = ""
    task_id: int = 0
    title: str = ""


def story_of(task: Any, *, everything: bool = False) -> list[Told]:
    """What happened to a task, oldest first. One query.

    Args:
        everything: also what only staff may know (who declined, why, single votes cast).
    """
    rows = TaskEvent.objects.filter(task=task).order_by("at", "id").values(*COLUMNS)
    return _told(rows, everything=everything)


class Happenings:
    """What happened to a person's own tasks, newest first; as long as asked for.

    A slice costs one query and so does the count.
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

    def __getitem__(self, part: slice) -> list[Told]:
        return _told(self.rows[part])


def _told(rows: Iterable[dict[str, Any]], *, everything: bool = False) -> list[Told]:
    told = (tell(row, everything=everything) for row in rows)
    return [sentence for sentence in told if sentence is not None]


# --- one event ----------------------------------------------------------------------------------
def tell(row: dict[str, Any], *, everything: bool = False) -> Told | None:
    """One history row as a sentence; None where the reader may not know of it."""
    data = row["data"] or {}
    event = EVENTS.of(row["from_stage"], row["to_stage"], data)
    if not everything and (event is None or event.staff_only):
        return None
    words = event.told(data) if event else Words("dot", "", _unknown(row, data))
    # What people wrote is quoted; a panel writes without a name. The machine's reason is told.
    said = row["actor_id"] is not None or row["from_stage"] == S.SCREENING
    recorded = in_readers_words(row["reason"], data)
    return Told(
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
    """What staff read of a row that the table of events does not know."""
    if code := data.get("event", ""):
        return str(code).replace("_", " ").capitalize()
    return _("Now at “%(stage)s”.") % {"stage": TASK.stage_label(row["to_stage"])}


def in_readers_words(reason: str, data: Mapping[str, Any]) -> str:
    """What the machine recorded with a move, in the reader's language where its words are known."""
    if reason and data.get("requested"):
        n = int(data["requested"])
        return ngettext(
            "The review asks for a change on %(n)s line.",
            "The review asks for changes on %(n)s lines.",
            n,
        ) % {"n": n}
    return _(reason) if reason else ""
