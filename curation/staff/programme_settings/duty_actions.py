"""Appoint somebody as staff, change the duties of a member, and end that."""

from collections.abc import Collection
from typing import Any

from django.db import transaction
from django.utils.translation import gettext as _

from curation.base.access.action import action
from curation.base.access.duties import Duty, columns_of
from curation.base.web.reasons import required_reason
from curation.base.web.refusals import BadInput, Conflict
from curation.joining.accounts.adapter import end_sessions
from curation.joining.people.administrators import refuse_last_administrator
from curation.joining.people.models import DutyChange, User

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
