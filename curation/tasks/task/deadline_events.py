"""The events of reminders and of deadlines that staff move."""

from typing import Any

from django.utils.translation import gettext_lazy as _
from django.utils.translation import ngettext

from curation.base.process.events import ActKind, Data, Event, Words
from curation.base.process.roles import STAFF


def _note(label: Any, words: Any) -> Event:
    return Event(label=label, words=words, kind=ActKind.ASSIGNMENT, role=STAFF, staff_only=True)


def _reminded(data: Data) -> Words:
    n = int(data.get("n", 0) or 0)
    head = ngettext("Staff reminded %(n)s person.", "Staff reminded %(n)s people.", n)
    return Words("dot", "", head % {"n": n})


def _extended(data: Data) -> Words:
    days = int(data.get("days", 0) or 0)
    head = ngettext(
        "Staff moved the deadline by %(days)s day.",
        "Staff moved the deadline by %(days)s days.",
        days,
    )
    return Words("dot", "", head % {"days": days})


NOTES = {
    "reminded": _note(_("Reminded"), _reminded),
    "deadline_extended": _note(_("Deadline moved"), _extended),
}
