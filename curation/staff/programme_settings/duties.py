"""Who is staff with which duties: appoint, change, end, and how that changed."""

from collections.abc import Collection, Iterable
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.db import transaction
from django.db.models import QuerySet
from django.utils.translation import gettext as _

from curation.base.access.action import action
from curation.base.access.duties import COVERS, Duty, columns_of
from curation.base.text.wording import listed
from curation.base.web.reasons import required_reason
from curation.base.web.refusals import BadInput, Conflict
from curation.joining.accounts.adapter import end_sessions
from curation.joining.people import DutyChange, User, refuse_last_administrator
from curation.telling.activity.audit import AuditSource
from curation.telling.activity.audit_sources import (
    COMMAND_LINE,
    ROLE,
    ROLE_LABEL,
    people_names,
    person_page,
)

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


Kind = DutyChange.Kind


@action("staff.administration")
@transaction.atomic
def appoint_staff(*, actor: Any, person: User, duties: Collection[str], reason: str) -> DutyChange:
    """Make a person a member of staff, with any set of duties, on the record.

    Raises:
        BadInput: no reason, an unknown duty, or the account is closed.
        Conflict: `no_change`, the person is staff already.
    """
    words, held = _checked(duties, reason)
    now = _locked(person)
    if not now.is_active:
        raise BadInput(fields={"person": [_("This account is closed. Open it first.")]})
    if now.is_staff:
        raise Conflict(_("This person is staff already. Change the duties instead."), code=_SAME)
    _set(now, is_staff=True, duties=held)
    return _record(actor, now, Kind.APPOINTED, [], held, words)


@action("staff.administration")
@transaction.atomic
def change_duties(*, actor: Any, person: User, duties: Collection[str], reason: str) -> DutyChange:
    """Give a member of staff exactly these duties, on the record; none means read-only.

    Raises:
        BadInput: no reason, or an unknown duty.
        Conflict: `not_staff`; `no_change`, the person has exactly these already;
            `last_administrator`, nobody could appoint staff any more.
    """
    words, wanted = _checked(duties, reason)
    if Duty.ADMINISTRATION not in wanted:
        refuse_last_administrator(person)
    now = _locked(person)
    before = _member(now)
    if before == wanted:
        raise Conflict(_("These are the duties already, so nothing was changed."), code=_SAME)
    _set(now, is_staff=True, duties=wanted)
    return _record(actor, now, Kind.CHANGED, before, wanted, words)


@action("staff.administration")
@transaction.atomic
def end_staff(*, actor: Any, person: User, reason: str) -> DutyChange:
    """End that a person is staff; their qualifications and their own work stay.

    Their sessions end, so that open pages lose the role at once.

    Raises:
        BadInput: no reason.
        Conflict: `not_staff`; `last_administrator`, nobody could appoint staff any more.
    """
    words, _none = _checked((), reason)
    refuse_last_administrator(person)
    now = _locked(person)
    before = _member(now)
    _set(now, is_staff=False, duties=[])
    end_sessions(now)
    return _record(actor, now, Kind.ENDED, before, [], words)


_SAME = "no_change"


def _checked(duties: Collection[str], reason: str) -> tuple[str, list[str]]:
    """Return the reason and the duties, in their order. Raises BadInput."""
    words = required_reason(reason, _("Say why. It stays on the record."), limit=2000)
    if set(duties) - set(Duty):
        raise BadInput(fields={"duties": [_("Choose from the duties that are listed.")]})
    return words, [str(duty) for duty in Duty if duty in duties]


def _locked(person: User) -> User:
    return User.objects.select_for_update().get(pk=person.pk)


def _member(person: User) -> list[str]:
    """Return the duties of a member of staff. Raises Conflict: `not_staff`."""
    if not person.is_staff:
        raise Conflict(_("This person is not staff, or not any more."), code="not_staff")
    return [str(duty) for duty in person.duties]


def _set(person: User, *, is_staff: bool, duties: Collection[str]) -> None:
    User.objects.filter(pk=person.pk).update(is_staff=is_staff, **columns_of(duties))


def _record(
    actor: Any, person: User, kind: str, before: list[str], after: list[str], reason: str
) -> DutyChange:
    return DutyChange.objects.create(
        user=person, actor=actor, kind=kind, before=before, after=after, reason=reason
    )


SOURCE = AuditSource(
    ROLE,
    ROLE_LABEL,
    DutyChange.objects.all,
    "user",
    lambda kind: dict(DutyChange.Kind.choices).get(kind, kind),
    about="user",
    key="role-staff",
    place=2,
    of_tasks=False,
    names=people_names,
    url=person_page,
    always=True,
    nobody=COMMAND_LINE,
)
