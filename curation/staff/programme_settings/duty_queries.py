"""Who is staff with which duties, and how that changed."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime

from django.db.models import QuerySet
from django.utils.translation import gettext as _

from curation.base.access.duties import COVERS, Duty
from curation.base.text.wording import listed
from curation.joining.people.models import DutyChange, User

LATEST = 50  # changes shown


@dataclass(frozen=True, slots=True)
class Change:
    """One change of somebody's duties, in words."""

    at: datetime
    person: User
    said: str
    who: str
    reason: str


def members() -> "QuerySet[User]":
    """Return the members of staff, open accounts first, by name. One query."""
    return User.objects.filter(is_staff=True).order_by("-is_active", "display_name", "pk")


def duties_with_meaning() -> list[tuple[Duty, object]]:
    """Return each duty with what it lets a person change."""
    return [(duty, COVERS[duty]) for duty in Duty]


def in_words(duties: Iterable[str]) -> str:
    """Return duties as a list: "Editing, Gold"; "read-only" for none."""
    return listed(Duty(duty).label for duty in duties) or _("read-only")


def changes(person: User | None = None) -> list[Change]:
    """Return the latest changes, newest first, of everybody or of one person. One query."""
    rows = DutyChange.objects.select_related("user", "actor").order_by("-at", "-pk")
    if person is not None:
        rows = rows.filter(user=person)
    return [
        Change(row.at, row.user, said(row), row.actor.name_for_staff, row.reason)
        for row in rows[:LATEST]
    ]


def said(row: DutyChange) -> str:
    """Say what changed: "Duties changed: Editing → Editing, Gold"."""
    if row.kind == DutyChange.Kind.CHANGED:
        return _("Duties changed: %(before)s → %(after)s") % {
            "before": in_words(row.before),
            "after": in_words(row.after),
        }
    if row.kind == DutyChange.Kind.APPOINTED:
        return _("Appointed as staff: %(after)s") % {"after": in_words(row.after)}
    return _("No longer staff; before: %(before)s") % {"before": in_words(row.before)}
