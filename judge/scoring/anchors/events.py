"""Notes in an anchor's history, with their texts for staff: one row each."""

from typing import Any

from django.utils.translation import gettext_lazy as _

from curation.base.process.events import Event, Events, Words


def _event(head: Any) -> Event:
    return Event(words=Words("dot", "", head), label=head, staff_only=True)


EVENTS = Events(
    notes={
        "taken": _event(_("A scorer took the response.")),
        "one_of_two_handed_in": _event(_("The first of two sheets was handed in.")),
        "handed_back": _event(_("The sheet was handed back.")),
        "rubric_changed": _event(_("The rubric changed: the sheet moved to its new version.")),
        "check_released": _event(_("Another senior can take the check.")),
        "baseline_replaced": _event(_("Another baseline was asked for.")),
    }
)
