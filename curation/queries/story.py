"""A task's history as sentences. Roles are named, people never are."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from curation import findings
from curation.lifecycle import Stage
from curation.models import TaskEvent
from curation.wording import sentences

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
_ONLY_STAFF = [
    "panel_joined",
    "place_given",
    "place_skipped",
    "place_expired",
    "check_given",
    "decided_short",
    "vote_cast",
    "review_declined",
    "review_released",
    "sheet_assigned",
    "sheet_handed_back",
    "sheet_followed_rubric",
    "spot_check_released",
    "adjudication_taken",
]


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
        text=text if said else sentences((text, recorded)),
        quote=row["reason"] if said else data.get("problem", "") if everything else "",
        task_id=row["task_id"],
        title=row.get("task__title") or row.get("task__key") or "",
    )


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
    if event in _OF_THE_PANEL:
        shape, colour, words = _OF_THE_PANEL[event]
        return shape, colour, str(words), ""
    if event == "review_declined":
        head = _("Reviewer %(n)s handed the review back.") % {"n": data.get("reviewer", "")}
        return "return", "wait", head, ""
    if event == "review_released":
        head = _("Reviewer %(n)s left; the review is free for a colleague.") % {
            "n": data.get("reviewer", "")
        }
        return "return", "wait", head, ""
    if event == "review_expired":
        head = _("Reviewer %(n)s did not finish in time; the review is free for a colleague.") % {
            "n": data.get("reviewer", "")
        }
        return "return", "wait", head, ""
    if event == "review_resumed":
        return "dot", "", _("Reviewer %(n)s came back.") % {"n": data.get("reviewer", "")}, ""
    if event == "decision_released":
        return "return", "wait", _("The open lines wait for another senior."), ""
    if event == "sheet_assigned":
        head = _("An expert was asked to score response %(key)s.") % {
            "key": data.get("response", "")
        }
        return "dot", "", head, ""
    if event == "sheet_handed_back":
        head = _("The sheet of response %(key)s was handed back.") % {
            "key": data.get("response", "")
        }
        return "return", "wait", head, ""
    if event == "sheet_followed_rubric":
        return "dot", "", _("An open sheet moved to the new rubric."), ""
    if event == "adjudication_taken":
        return "dot", "", _("A senior settles what two readers judged differently."), ""
    if event == "spot_check_released":
        return "return", "wait", _("The spot check waits for another senior."), ""
    return None


_OF_THE_PANEL = {
    "place_given": ("dot", "", gettext_lazy("A place on the panel was given.")),
    "place_skipped": ("return", "wait", gettext_lazy("A place on the panel was handed back.")),
    "place_expired": ("return", "wait", gettext_lazy("A place on the panel expired.")),
    "check_given": ("dot", "", gettext_lazy("The check of the reference answer was given.")),
    "decided_short": ("dot", "", gettext_lazy("Staff let the panel decide with the votes it had.")),
    "one_more": ("dot", "", gettext_lazy("The votes are tied: one more member is asked.")),
    "reference_right": (
        "check",
        "yes",
        gettext_lazy("A second expert solved the task first and found the reference answer right."),
    ),
}


def _move(before: str, after: str, data: dict[str, Any]) -> tuple[str, str, str, str]:
    """A move from one stage to another."""
    if before == S.SCREENING and after == S.DRAFTING:
        return "check", "yes", _("Accepted by the panel."), _votes(data)
    if before == S.SCREENING and after == S.DRAFT:
        text = _("The slot stays taken; the task can be submitted again.")
        if data.get("cause") == "reference_check":
            head = _("Returned: a second expert found a fault in the reference answer.")
            return "return", "wait", head, text
        return "return", "wait", _("Returned by the panel."), f"{_returning(data)} {text}".strip()
    if before == S.DRAFTING and after == S.REFINING:
        return _drafted(data)
    if before == S.IN_REVIEW and after == S.REFINING:
        return "return", "wait", _("Back from the review."), ""
    if before == S.IN_REVIEW and after == S.DECIDING:
        text = _("The rounds left lines open: a senior of the domain decides them.")
        return "return", "wait", _("The review is finished."), text
    if before == S.DECIDING and after == S.REFINING:
        return "return", "wait", _("Staff gave author and reviewers one more round."), ""
    if before == S.DECIDING:
        head, drawn = _("A senior decided the open lines."), _("It was drawn for a spot check.")
        text = drawn if after == S.SPOT_CHECK else _("It is part of the benchmark.")
        return "check", "yes", head, text
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
    words = _("It keeps slot %(n)s.") if data.get("again") else _("It takes slot %(n)s.")
    return words % {"n": data["slot"]}


def _votes(data: dict[str, Any]) -> str:
    votes = data.get("votes") or {}
    total = sum(votes.values())
    if total < 2:
        return ""
    return _("%(keep)s of %(all)s votes are for keeping it.") % {
        "keep": votes.get("keep", 0),
        "all": total,
    }


def _returning(data: dict[str, Any]) -> str:
    votes = data.get("votes") or {}
    total = sum(votes.values())
    if total < 2:
        return ""
    if len(votes) > 1 and len(set(votes.values())) == 1:
        return _("The votes are tied, and a tie returns the task.")
    return _("%(n)s of %(all)s votes are for returning it.") % {
        "n": votes.get("return", 0),
        "all": total,
    }


def _probing(data: dict[str, Any]) -> str:
    """What probing found, without the models' names: authors and panels need no more."""
    probing = data.get("probing") or {}
    if not probing:
        return ""
    return str(sentences(findings.sentences(data.get("finding", ""), probing)))


def _drafted(data: dict[str, Any]) -> tuple[str, str, str, str]:
    lines = int(data.get("lines", 0) or 0)
    if not lines:
        return "diamond", "machine", _("The rubric is open for its author."), ""
    if str(data.get("drafted_by", "")).startswith("offline"):
        head = ngettext(
            "%(n)s rubric line was cut by rule.", "%(n)s rubric lines were cut by rule.", lines
        ) % {"n": lines}
    else:
        head = ngettext(
            "A model drafted %(n)s rubric line.", "A model drafted %(n)s rubric lines.", lines
        ) % {"n": lines}
    return "diamond", "machine", head, _("They wait to be refined.")
