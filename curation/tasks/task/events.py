"""Every event of a task, one row each: its words, who may read it, and the notice it sends.

The task's own page, its history, the audit, the author's activity and the notices read this table.
Roles are named, people never are.
"""

from typing import Any

from django.utils.translation import gettext_lazy as _
from django.utils.translation import ngettext

from curation.base.process.events import ActKind, Data, Event, Events, Notice, Words
from curation.base.process.lifecycle import Stage
from curation.base.process.roles import STAFF, Role
from curation.base.text.wording import sentences
from curation.tasks.task import (
    business_events,
    correction_events,
    deadline_events,
    exact_events,
    probe_findings,
    skill_events,
)
from curation.tasks.task.correction_events import amended

S = Stage
MEMBER, REVIEWER, SENIORS = "member", "reviewer", "seniors"  # who gets a notice, beside the author


# --- words that depend on the data ---------------------------------------------------------------
def _count(data: Data, name: str) -> int:
    return int(data.get(name, 0) or 0)


def _round(data: Data) -> Words:
    head = _("Reviewer %(reviewer)s finished round %(round)s.")
    requested = _count(data, "requested")
    if not requested:
        return Words("check", "yes", head, _("Every line is approved."))
    text = ngettext(
        "%(approved)s lines are approved; %(n)s line needs a change.",
        "%(approved)s lines are approved; %(n)s lines need a change.",
        requested,
    ) % {"approved": _count(data, "approved"), "n": requested}
    return Words("return", "wait", head, text)


def _submitted(data: Data) -> Words:
    if data.get("collected"):
        return Words("dot", "", _("Submitted."), _("It came from business and takes no slot."))
    words = _("It keeps slot %(n)s.") if data.get("again") else _("It takes slot %(n)s.")
    slot = data.get("slot")
    return Words("dot", "", _("Submitted."), words % {"n": slot} if slot else "")


def _probed(data: Data) -> Words:
    """Word what probing found, without the models' names: authors and panels do not need them."""
    probing = data.get("probing") or {}
    found = probe_findings.sentences(data.get("finding", ""), probing) if probing else ()
    return Words("diamond", "machine", _("The panel can read it now."), sentences(found))


def _kept(data: Data) -> Words:
    votes: dict[str, int] = data.get("votes") or {}
    total = sum(votes.values())
    text = _("%(keep)s of %(all)s votes are for keeping it.")
    counts = text % {"keep": votes.get("keep", 0), "all": total} if total > 1 else ""
    return Words("check", "yes", _("Accepted by the panel."), counts)


def _returned(data: Data) -> Words:
    text = _("The slot stays taken; the task can be submitted again.")
    if data.get("cause") == "reference_check":
        head = _("Returned: a second expert found a fault in the reference answer.")
        return Words("return", "wait", head, text)
    if exact_events.doubted(data):
        return Words("return", "wait", exact_events.DOUBTED, text)
    return Words("return", "wait", _("Returned by the panel."), f"{_votes(data)} {text}".strip())


def _votes(data: Data) -> str:
    votes: dict[str, int] = data.get("votes") or {}
    total = sum(votes.values())
    if total < 2:
        return ""
    if len(votes) > 1 and len(set(votes.values())) == 1:
        return str(_("The votes are tied, and a tie returns the task."))
    return _("%(n)s of %(all)s votes are for returning it.") % {
        "n": votes.get("return", 0),
        "all": total,
    }


def _by_rules(data: Data) -> bool:
    return str(data.get("drafted_by", "")).startswith("offline")


def _drafted(data: Data) -> Words:
    lines = _count(data, "lines")
    if not lines:
        return Words("diamond", "machine", _("The rubric is open for its author."))
    if _by_rules(data):
        head = ngettext(
            "%(n)s rubric line was cut by rule.", "%(n)s rubric lines were cut by rule.", lines
        )
    else:
        head = ngettext(
            "A model drafted %(n)s rubric line.", "A model drafted %(n)s rubric lines.", lines
        )
    return Words("diamond", "machine", head % {"n": lines}, _("They are waiting to be refined."))


def _draft_notice(data: Data) -> str:
    if not _count(data, "lines"):
        return "rubric_empty"
    return "rubric_by_rules" if _by_rules(data) else "rubric_ready"


def _sent(data: Data) -> Words:
    head, lines = _("The rubric was sent to review."), _count(data, "lines")
    if not lines:
        return Words("dot", "", head)
    text = ngettext(
        "Version %(version)s with %(n)s line is closed and goes to the reviewer.",
        "Version %(version)s with %(n)s lines is closed and goes to the reviewer.",
        lines,
    ) % {"version": data.get("version", ""), "n": lines}
    return Words("dot", "", head, text)


# --- rows ----------------------------------------------------------------------------------------
def _note(label: Any, words: Any, **facts: Any) -> Event:
    return Event(label=label, words=words, **{"kind": ActKind.ASSIGNMENT, "role": STAFF} | facts)


def _of_the_panel(label: Any, words: Any, **facts: Any) -> Event:
    return Event(label=label, words=words, **{"kind": ActKind.PANEL, "role": STAFF} | facts)


def _dot(head: Any) -> Words:
    return Words("dot", "", head)


def _back(head: Any, text: Any = "") -> Words:
    return Words("return", "wait", head, text)


def _back_to_the_author(head: Any, kind: str, count: str = "") -> Event:
    """Return the event of a rubric that goes back to its author, also after an amendment."""

    def words(data: Data) -> Words:
        return _back(_("Back with its author: the text was amended.") if amended(data) else head)

    def notice(data: Data) -> str:
        return "" if amended(data) else kind  # the amendment has a notice of its own

    return Event(words=words, notices=(Notice(notice, "rubric", count=count),))


DECISION_WAITS = Notice("decision_waiting", "spot-checks", to=SENIORS)
SPOT_CHECK_WAITS = Notice("spot_check_waiting", "spot-checks", to=SENIORS)
APPROVAL = Notice(skill_events.approval_notice, "task")
NOTES = {
    **correction_events.NOTES,
    **deadline_events.NOTES,
    **exact_events.NOTES,
    **business_events.NOTES,
    **skill_events.NOTES,
    "panel_joined": _of_the_panel(
        _("Joined the panel"),
        _dot(_("A colleague joined the panel.")),
        role=Role.SCREENER,
        staff_only=True,
    ),
    "place_given": _of_the_panel(
        _("Place on the panel given"),
        _dot(_("A place on the panel was given.")),
        staff_only=True,
        notices=(Notice("panel_place_given", to=MEMBER),),
    ),
    "place_skipped": _of_the_panel(
        _("Place on the panel handed back"),
        _back(_("A place on the panel was handed back.")),
        role=Role.SCREENER,
        staff_only=True,
    ),
    "place_expired": _of_the_panel(
        _("Place on the panel expired"),
        _back(_("A place on the panel expired.")),
        staff_only=True,
        notices=(Notice("panel_place_expired", to=MEMBER),),
    ),
    "check_given": _of_the_panel(
        _("Check of the reference answer given"),
        _dot(_("The check of the reference answer was given.")),
        role=Role.CHECKER,
        staff_only=True,
        notices=(Notice("reference_check_given", to=MEMBER),),
    ),
    "vote_cast": _of_the_panel(
        _("Voted"),
        _dot(_("A member of the panel voted.")),
        role=Role.SCREENER,
        staff_only=True,
    ),
    "decided_short": _of_the_panel(
        _("Decided with the votes cast so far"),
        _dot(_("Staff let the panel decide with the votes it had.")),
        staff_only=True,
    ),
    "one_more": _of_the_panel(
        _("One more member asked"),
        _dot(_("The votes are tied: one more member is asked.")),
    ),
    "reference_right": _of_the_panel(
        _("Reference answer found right"),
        Words(
            "check",
            "yes",
            _("A second expert solved the task first and found the reference answer right."),
        ),
        role=Role.CHECKER,
    ),
    "reviewer_assigned": _note(
        _("Reviewer assigned"), _dot(_("Reviewer %(reviewer)s has the rubric."))
    ),
    "round_finished": _note(_("Round finished"), _round, kind=ActKind.STAGE, role=Role.REVIEWER),
    "review_declined": _note(
        _("Review handed back"),
        _back(_("Reviewer %(reviewer)s handed the review back.")),
        role=Role.REVIEWER,
        staff_only=True,
    ),
    "review_released": _note(
        _("Review free for a colleague"),
        _back(_("Reviewer %(reviewer)s left; the review is free for a colleague.")),
        staff_only=True,
    ),
    "review_expired": _note(
        _("Review expired"),
        _back(
            _("Reviewer %(reviewer)s did not finish in time; the review is free for a colleague.")
        ),
        notices=(Notice("review_expired", "reviews", to=REVIEWER),),
    ),
    "review_resumed": _note(_("Review taken again"), _dot(_("Reviewer %(reviewer)s came back."))),
    "decision_released": _note(
        _("Decision free for another senior"),
        _back(_("The open lines are waiting for another senior.")),
    ),
    "spot_check_released": _note(
        _("Spot check taken back"),
        _back(_("The spot check is waiting for another senior.")),
        staff_only=True,
    ),
    "adjudication_taken": _note(
        _("Adjudication taken"),
        _dot(_("A senior settles what two readers judged differently.")),
        kind=ActKind.SENIOR,
        role=Role.ADJUDICATOR,
        staff_only=True,
    ),
    "sheet_assigned": _note(
        _("Sheet assigned"),
        _dot(_("An expert was asked to score response %(response)s.")),
        kind=ActKind.SCORING,
        staff_only=True,
    ),
    "sheet_handed_back": _note(
        _("Sheet handed back"),
        _back(_("The sheet of response %(response)s was handed back.")),
        kind=ActKind.SCORING,
        staff_only=True,
    ),
    "sheet_followed_rubric": _note(
        _("Open sheet moved to the new rubric"),
        _dot(_("An open sheet moved to the new rubric.")),
        kind=ActKind.SCORING,
        staff_only=True,
    ),
    "retired": _note(
        _("Retired from draws"), _dot(_("No new draw takes the task.")), staff_only=True
    ),
    "put_back_into_draws": _note(
        _("Put back into draws"),
        _dot(_("New draws can take the task again.")),
        staff_only=True,
    ),
    "imported": _note(
        _("Imported"), _dot(_("The task was imported from a file.")), staff_only=True
    ),
    "rubric_imported": _note(
        _("Rubric imported"), _dot(_("The rubric was imported from a file.")), staff_only=True
    ),
}
MOVES: dict[tuple[str, str], Event] = {
    **correction_events.MOVES,
    ("", S.DRAFT): Event(words=Words("ring", "", _("Draft started."))),
    ("", S.REFINING): skill_events.BEGUN,
    ("", S.SUBMITTED): Event(words=_submitted),
    ("", S.SCREENING): Event(words=_probed),
    (S.SCREENING, S.DRAFTING): Event(words=_kept, notices=(Notice("task_kept", "task"),)),
    (S.SCREENING, S.DRAFT): Event(
        words=_returned,
        notices=(
            Notice("task_returned", "task"),
            exact_events.STAFF_HEAR_OF_DOUBTS,
        ),
    ),
    (S.SCREENING, S.REJECTED): Event(
        words=Words("cross", "no", _("Rejected by the panel.")),
        notices=(Notice("task_rejected", "task"),),
    ),
    (S.DRAFTING, S.APPROVED): exact_events.APPROVED,
    (S.DRAFTING, S.REFINING): Event(
        words=_drafted, notices=(Notice(_draft_notice, "rubric", count="lines"),)
    ),
    ("", S.IN_REVIEW): Event(words=_sent),
    (S.IN_REVIEW, S.REFINING): _back_to_the_author(
        _("Back from the review."), "review_returned", "requested"
    ),
    (S.IN_REVIEW, S.DECIDING): Event(
        words=_back(
            _("The review is finished."),
            _("The rounds left lines open: a senior of the domain decides them."),
        ),
        notices=(Notice("review_to_senior", "task"), DECISION_WAITS),
    ),
    (S.IN_REVIEW, S.SPOT_CHECK): Event(
        words=Words(
            "check",
            "yes",
            _("The review is finished."),
            _("It was drawn for a spot check: a senior of the domain reads it next."),
        ),
        notices=(SPOT_CHECK_WAITS,),
    ),
    (S.IN_REVIEW, S.APPROVED): Event(
        words=skill_events.approved("full", _("Approved.")),
        notices=(APPROVAL,),
    ),
    (S.DECIDING, S.REFINING): _back_to_the_author(
        _("Staff gave author and reviewers one more round."), "one_more_round"
    ),
    (S.DECIDING, S.SPOT_CHECK): Event(
        words=Words(
            "check",
            "yes",
            _("A senior decided the open lines."),
            _("It was drawn for a spot check."),
        ),
        notices=(Notice("lines_decided", "task"), SPOT_CHECK_WAITS),
    ),
    (S.DECIDING, S.APPROVED): Event(
        words=skill_events.approved("check", _("A senior decided the open lines.")),
        notices=(APPROVAL,),
    ),
    (S.SPOT_CHECK, S.APPROVED): Event(
        words=skill_events.approved("full", _("Approved at the spot check.")),
        notices=(APPROVAL,),
    ),
    (S.SPOT_CHECK, S.REFINING): _back_to_the_author(
        _("Returned at the spot check."), "spot_check_returned"
    ),
    (S.APPROVED, S.REFINING): _back_to_the_author(_("Reopened by staff."), "task_reopened"),
    ("", S.APPROVED): Event(words=Words("full", "yes", _("Approved."))),
    ("", S.REJECTED): Event(words=Words("cross", "no", _("Rejected by the panel."))),
    ("", S.WITHDRAWN): Event(words=Words("square", "", _("Withdrawn by its author."))),
    ("", S.DISCARDED): Event(
        words=Words("cross", "no", _("Discarded.")), notices=(Notice("task_discarded", "task"),)
    ),
}
EVENTS = Events(notes=NOTES, moves=MOVES)
