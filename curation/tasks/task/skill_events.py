"""The events of the skills library: labels of a task, a skill that was begun, its approval."""

from collections.abc import Callable
from typing import Any

from django.utils.translation import gettext_lazy as _

from curation.base.process.events import ActKind, Data, Event, Notice, Words
from curation.base.process.roles import STAFF


def _note(label: Any, head: Any) -> Event:
    return Event(
        label=label,
        words=Words("dot", "", head),
        kind=ActKind.ASSIGNMENT,
        role=STAFF,
        staff_only=True,
    )


NOTES = {
    "labels_set": _note(_("Labels set"), _("A person changed the labels of the task.")),
    "labels_proposed": _note(
        _("Labels proposed"), _("A model read the task and proposed labels: %(labels)s.")
    ),
    "label_confirmed": _note(
        _("Proposed label confirmed"), _("A person confirmed the proposed label “%(label)s”.")
    ),
    "label_rejected": _note(
        _("Proposed label rejected"), _("A person rejected the proposed label “%(label)s”.")
    ),
    "skill_summarised": _note(
        _("Skill summarised"), _("The skill was summarised by rule from rubrics of labelled tasks.")
    ),
    "checklist_proposed": _note(
        _("Checklist proposed"), _("Checklist %(number)s was composed from the active skills.")
    ),
    "checklist_dropped": _note(
        _("Checklist dropped"), _("The proposed checklist %(number)s was dropped.")
    ),
    "checklist_in_use": _note(
        _("Checklist in use"), _("Checklist %(number)s is in use, with %(lines)s lines.")
    ),
}
BEGUN = Event(
    words=Words("ring", "", _("Skill begun: its writer adds the checkpoints.")),
    notices=(Notice("skill_begun", "rubric"),),
)


def approved(icon: str, head: Any) -> Callable[[Data], Words]:
    """Return the words of an approval, by what was approved: a task or a skill."""

    def words(data: Data) -> Words:
        if data.get("skill"):
            return Words(icon, "yes", head, _("Tasks with its label activate it from now on."))
        return Words(icon, "yes", head, _("It is part of the benchmark."))

    return words


def approval_notice(data: Data) -> str:
    """Return the notice of an approval, by what was approved."""
    return "skill_approved" if data.get("skill") else "task_approved"
