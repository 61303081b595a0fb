"""A task's history as sentences. Roles are named, people never are."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from curation.lifecycle import Stage
from curation.models import TaskEvent

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
            .exclude(data__has_key="event", data__event__in=_ONLY_STAFF)
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
_ONLY_STAFF = ["panel_joined", "vote_cast", "review_declined"]


def tell(row: dict[str, Any], *, everything: bool = False) -> Told | None:
    """One history row as a sentence; None where the reader may not know of it."""
    data = row["data"] or {}
    event = data.get("event", "")
    if event in _ONLY_STAFF and not everything:
        return None
    if event:
        found = _remark(event, data)
        if found is None and not everything:
            return None
        icon, tone, head, text = found or ("dot", "", event.replace("_", " ").capitalize(), "")
    else:
        icon, tone, head, text = _move(row["from_stage"], row["to_stage"], data)
    # What people wrote is quoted; a panel writes without a name. The machine's reason is told.
    said = row["actor_id"] is not None or row["from_stage"] == S.SCREENING
    recorded = in_readers_words(row["reason"], data)
    return Told(
        at=row["at"],
        icon=icon,
        tone=tone,
        head=head,
        text=text if said else " ".join(part for part in (text, recorded) if part),
        quote=row["reason"] if said else "",
        task_id=row["task_id"],
        title=row.get("task__title") or row.get("task__key") or "",
    )


def in_readers_words(reason: str, data: dict[str, Any]) -> str:
    """What the machine recorded with a move, in the reader's language where its words are known."""
    if data.get("requested"):
        n = int(data["requested"])
        return ngettext(
            "The review asks for a change on %(n)s line.",
            "The review asks for changes on %(n)s lines.",
            n,
        ) % {"n": n}
    return _(reason) if reason else ""


def _remark(event: str, data: dict[str, Any]) -> tuple[str, str, str, str] | None:
    """An event that moves nothing."""
    if event == "reviewer_assigned":
        head = _("Reviewer %(n)s has the rubric.") % {"n": data.get("reviewer", "")}
        return "dot", "", head, ""
    if event == "round_finished":
        head = _("Reviewer %(n)s finished round %(round)s.") % {
            "n": data.get("reviewer", ""),
            "round": data.get("round", ""),
        }
        approved, requested = int(data.get("approved", 0)), int(data.get("requested", 0))
        if not requested:
            return "check", "yes", head, _("Every line is approved.")
        text = ngettext(
            "%(approved)s lines are approved; %(n)s line needs a change.",
            "%(approved)s lines are approved; %(n)s lines need a change.",
            requested,
        ) % {"approved": approved, "n": requested}
        return "return", "wait", head, text
    if event == "panel_joined":
        return "dot", "", _("A colleague joined the panel."), ""
    if event == "vote_cast":
        return "dot", "", _("A member of the panel voted."), ""
    if event == "review_declined":
        head = _("Reviewer %(n)s handed the review back.") % {"n": data.get("reviewer", "")}
        return "return", "wait", head, ""
    return None


def _move(before: str, after: str, data: dict[str, Any]) -> tuple[str, str, str, str]:
    """A move from one stage to another."""
    if before == S.SCREENING and after == S.DRAFTING:
        return "check", "yes", _("Kept by the panel."), _votes(data)
    if before == S.SCREENING and after == S.DRAFT:
        text = _("The slot stays taken; the task can be submitted again.")
        return "return", "wait", _("Returned by the panel."), text
    if before == S.DRAFTING and after == S.REFINING:
        return _drafted(data)
    if before == S.IN_REVIEW and after == S.REFINING:
        return "return", "wait", _("Back from the review."), ""
    if before == S.IN_REVIEW and after == S.SPOT_CHECK:
        text = _("It was drawn for a spot check: a senior of the domain reads it next.")
        return "check", "yes", _("The review is finished."), text
    if before == S.IN_REVIEW and after == S.APPROVED:
        return "full", "yes", _("Approved."), _("It is part of the benchmark.")
    if before == S.SPOT_CHECK and after == S.APPROVED:
        return "full", "yes", _("Approved at the spot check."), _("It is part of the benchmark.")
    if before == S.SPOT_CHECK and after == S.REFINING:
        return "return", "wait", _("Sent back at the spot check."), ""
    if before == S.APPROVED and after == S.REFINING:
        return "return", "wait", _("Reopened by staff."), ""
    if after == S.DRAFT and not before:
        return "ring", "", _("Draft started."), ""
    return _arrival(after, data)


def _arrival(after: str, data: dict[str, Any]) -> tuple[str, str, str, str]:
    if after == S.SUBMITTED:
        return "dot", "", _("Submitted."), _slot(data)
    if after == S.SCREENING:
        return "diamond", "machine", _("The panel can read it now."), _probing(data)
    if after == S.IN_REVIEW:
        lines = int(data.get("lines", 0) or 0)
        text = (
            ngettext(
                "Version %(version)s with %(n)s line is closed and goes to the reviewer.",
                "Version %(version)s with %(n)s lines is closed and goes to the reviewer.",
                lines,
            )
            % {"version": data.get("version", ""), "n": lines}
            if lines
            else ""
        )
        return "dot", "", _("The rubric was sent to review."), text
    heads = {
        S.REJECTED: ("cross", "no", _("Not kept by the panel.")),
        S.WITHDRAWN: ("square", "", _("Withdrawn by its author.")),
        S.DISCARDED: ("cross", "no", _("Discarded.")),
        S.APPROVED: ("full", "yes", _("Approved.")),
    }
    if after in heads:
        return (*heads[S(after)], "")
    label = S(after).label if after in S.values else after
    return "dot", "", _("Now at “%(stage)s”.") % {"stage": label}, ""


def _slot(data: dict[str, Any]) -> str:
    if not data.get("slot"):
        return ""
    return _("It takes slot %(n)s.") % {"n": data["slot"]}


def _votes(data: dict[str, Any]) -> str:
    votes = data.get("votes") or {}
    total = sum(votes.values())
    if total < 2:
        return ""
    return _("%(keep)s of %(all)s votes are for keeping it.") % {
        "keep": votes.get("keep", 0),
        "all": total,
    }


def _probing(data: dict[str, Any]) -> str:
    """Scores of the probing models, without their names: authors and panels need no more."""
    points = [100 * p["share"] for p in data.get("probes") or [] if "share" in p]
    if not points:
        return ""
    if len(points) == 1:
        return _("One probing model met %(met)s of 100 lines cut from the answer.") % {
            "met": round(points[0])
        }
    return ngettext(
        "%(n)s probing model met %(low)s to %(high)s of 100 lines cut from the answer.",
        "%(n)s probing models met %(low)s to %(high)s of 100 lines cut from the answer.",
        len(points),
    ) % {"n": len(points), "low": round(min(points)), "high": round(max(points))}


def _drafted(data: dict[str, Any]) -> tuple[str, str, str, str]:
    lines = int(data.get("lines", 0) or 0)
    if not lines:
        return "diamond", "machine", _("The rubric is open for its author."), ""
    head = ngettext(
        "A model drafted %(n)s rubric line.", "A model drafted %(n)s rubric lines.", lines
    ) % {"n": lines}
    return "diamond", "machine", head, _("They wait to be refined.")
