"""What happens to an anchor beside its moves, in words for staff; one row each."""

from typing import Any

from django.utils.translation import gettext_lazy as _

from curation.process.events import Event, Events, Words


def _dot(head: Any) -> Event:
    return Event(words=Words("dot", "", head), label=head, staff_only=True)


EVENTS = Events(
    notes={
        "taken": _dot(_("A scorer took the response.")),
        "one_of_two_handed_in": _dot(_("The first of two sheets was handed in.")),
        "handed_back": _dot(_("The sheet was handed back.")),
        "rubric_changed": _dot(_("The rubric changed: the sheet moved to its new version.")),
        "check_released": _dot(_("The check is free for another senior.")),
        "baseline_replaced": _dot(_("Another baseline was asked for.")),
    }
)
