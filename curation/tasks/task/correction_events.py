"""The events of corrections: amendments of a task's text, and stops that staff take back."""

from typing import Any

from django.utils.translation import gettext_lazy as _

from curation.base.process.events import ActKind, Data, Event, Notice, Words
from curation.base.process.lifecycle import Stage
from curation.base.process.roles import STAFF, Role
from curation.base.text.wording import listed
from curation.tasks.task.fields import label_of

PROPOSER, SENIORS = "proposer", "seniors"  # who gets a notice, beside the author
TAKER, GIVER = "rubric_taker", "rubric_giver"  # of a rubric that is handed over


def amended(data: Data) -> bool:
    """Return whether a move was made because the text was amended."""
    return "amendment" in data


def _proposed(data: Data) -> Words:
    head = _("The author proposed an amendment of the text.")
    if data.get("by_staff"):
        head = _("Staff proposed an amendment of the text.")
    if data.get("by_verifier"):
        head = _("An expert verified the answer again and proposed an amendment of the text.")
    return Words("dot", "", head, _("A senior of the domain decides. Until then nothing changes."))


def _agreed(data: Data) -> Words:
    parts = listed([label_of(name) for name in data.get("parts", ())])
    text = (
        _("Changed: %(parts)s. The rubric has to be gone through with the new text.")
        if data.get("rubric_affected")
        else _("Changed: %(parts)s. The rubric stays as it is.")
    )
    return Words("check", "yes", _("A senior agreed to the amendment."), text % {"parts": parts})


def _told_of_a_proposal(data: Data) -> str:
    return "amendment_by_staff" if data.get("by_staff") else ""


def _told_to_read(data: Data) -> str:
    return "" if data.get("rubric_affected") else "amendment_agreed"


def _told_to_compare(data: Data) -> str:
    return "amendment_rubric" if data.get("rubric_affected") else ""


def _note(label: Any, words: Any, **facts: Any) -> Event:
    return Event(label=label, words=words, **{"kind": ActKind.SENIOR, "role": STAFF} | facts)


NOTES = {
    "rubric_help_asked": _note(
        _("Help with the rubric asked for"),
        Words("return", "wait", _("The rubric's author asked for another expert to finish it.")),
        kind=ActKind.ASSIGNMENT,
        role=Role.RUBRIC_AUTHOR,
        staff_only=True,
    ),
    "rubric_handed_over": _note(
        _("Rubric handed over"),
        Words("dot", "", _("The rubric was given to another expert of the domain.")),
        kind=ActKind.ASSIGNMENT,
        notices=(
            Notice("rubric_taken_over", "rubric", to=TAKER),
            Notice("rubric_given_away", "task", to=GIVER),
        ),
    ),
    "amendment_proposed": _note(
        _("Amendment proposed"),
        _proposed,
        kind=ActKind.STAGE,
        notices=(
            Notice("amendment_waiting", "amendments", to=SENIORS),
            Notice(_told_of_a_proposal, "task"),
        ),
    ),
    "amendment_withdrawn": _note(
        _("Amendment withdrawn"),
        Words("return", "", _("The amendment was withdrawn."), _("The text stays as it is.")),
        kind=ActKind.STAGE,
    ),
    "amendment_refused": _note(
        _("Amendment refused"),
        Words("cross", "no", _("A senior refused the amendment."), _("The text stays as it is.")),
        role=Role.AMENDMENT_DECIDER,
        notices=(
            Notice("amendment_refused", "task"),
            Notice("amendment_refused", "staff-task", to=PROPOSER),
        ),
    ),
    "amendment_agreed": _note(
        _("Amendment agreed"),
        _agreed,
        role=Role.AMENDMENT_DECIDER,
        notices=(
            Notice(_told_to_read, "task"),
            Notice(_told_to_compare, "rubric-amended"),
            Notice("amendment_in_force", "staff-task", to=PROPOSER),
        ),
    ),
}


def _taken_back(head: Any) -> Event:
    """Return the event of a stop that staff took back, told to the author."""
    return Event(words=Words("return", "yes", head), notices=(Notice("task_taken_back", "task"),))


MOVES: dict[tuple[str, str], Event] = {
    (Stage.REJECTED, Stage.SCREENING): _taken_back(
        _("Staff took the rejection back: a panel votes again.")
    ),
    (Stage.WITHDRAWN, Stage.DRAFT): _taken_back(_("Staff took the withdrawal back.")),
    (Stage.WITHDRAWN, Stage.REFINING): _taken_back(_("Staff took the withdrawal back.")),
    (Stage.DISCARDED, Stage.SPOT_CHECK): _taken_back(
        _("Staff took the discard back: another senior may check it.")
    ),
    (Stage.DISCARDED, Stage.APPROVED): _taken_back(_("Staff took it back into the benchmark.")),
}
