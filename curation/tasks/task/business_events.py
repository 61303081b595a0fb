"""The events of tasks from business, of their work type, and of verifying dynamic answers again."""

from typing import Any

from django.utils.translation import gettext_lazy as _

from curation.base.process.events import ActKind, Data, Event, Words
from curation.base.process.roles import STAFF, Role


def _note(label: Any, words: Any, **facts: Any) -> Event:
    return Event(label=label, words=words, **{"kind": ActKind.ASSIGNMENT, "role": STAFF} | facts)


def _dot(head: Any) -> Words:
    return Words("dot", "", head)


def _by_a_verifier(label: Any, words: Any, **facts: Any) -> Event:
    return _note(label, words, kind=ActKind.STAGE, role=Role.VERIFIER, **facts)


def _asked(data: Data) -> Words:
    if data.get("why") == "due":
        return _dot(_("The last day of the answer came near: an expert is asked to verify it."))
    return _dot(_("Staff asked an expert to verify the answer again."))


NOTES = {
    "work_type_set": _note(
        _("Work type set"), _dot(_("Staff set the work type.")), staff_only=True
    ),
    "collection_changed": _note(
        _("Record of the owner changed"),
        _dot(_("Staff changed the record of owner and permission.")),
        staff_only=True,
    ),
    "deidentified": _note(
        _("De-identified"),
        _dot(_("A person went through the text: nothing tells whose case it was.")),
        staff_only=True,
    ),
    "deidentification_confirmed": _note(
        _("De-identification confirmed"),
        Words("check", "yes", _("A second person confirmed the de-identification.")),
        staff_only=True,
    ),
    "deidentification_sent_back": _note(
        _("De-identification returned"),
        Words("return", "wait", _("A second person sent the de-identification back.")),
        staff_only=True,
    ),
    "reverification_asked": _note(_("Re-verification asked for"), _asked, kind=ActKind.STAGE),
    "reverification_taken": _by_a_verifier(
        _("Re-verification taken"), _dot(_("An expert verifies the answer.")), staff_only=True
    ),
    "reverification_handed_back": _by_a_verifier(
        _("Re-verification handed back"),
        Words("return", "wait", _("The re-verification was handed back.")),
        staff_only=True,
    ),
    "reverified": _by_a_verifier(
        _("Answer verified again"),
        Words("check", "yes", _("An expert confirmed that the answer still holds.")),
    ),
    "answer_changed": _by_a_verifier(
        _("Answer found changed"),
        Words("return", "wait", _("An expert found that the answer has changed.")),
    ),
    "reverification_cancelled": _note(
        _("Re-verification cancelled"),
        _dot(_("Staff cancelled the re-verification.")),
        staff_only=True,
    ),
}
