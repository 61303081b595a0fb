"""Verbs on sessions, unconfirmed accounts and second factors."""

from typing import Any

from allauth.account.models import EmailAddress
from allauth.mfa.models import Authenticator
from allauth.usersessions.models import UserSession
from django.db import transaction
from django.db.models import F, ProtectedError
from django.utils.translation import gettext as _

from curation.base.access.action import action
from curation.base.web.reasons import required_reason
from curation.base.web.refusals import Conflict, Denied, NotFound
from curation.joining.accounts.adapter import end_sessions
from curation.joining.accounts.models import SecondFactorReset
from curation.joining.invitations.models import Arrival, Invitation
from curation.joining.people import User


@action("signed_in")
def end_session(*, actor: Any, pk: int, current: str | None) -> None:
    """End one of the actor's other sessions.

    Args:
        current: the key of the session of this request.

    Raises:
        Conflict: `here`: it is the current session, which is ended by signing out.
        NotFound: the actor has no such session.
    """
    found = UserSession.objects.filter(user=actor, pk=pk).first()
    if found is None:
        raise NotFound()
    if found.session_key == current:
        raise Conflict(
            _("This is the session you are using now. To end it, use “Sign out”."), code="here"
        )
    found.end()


@action("signed_in")
def end_other_sessions(*, actor: Any, current: str | None) -> int:
    """End all sessions of the actor but the current one; return how many there were."""
    return end_sessions(actor, keep=current or "")


@action("staff.administration")
@transaction.atomic
def reset_second_factor(*, actor: Any, person: User, reason: str) -> SecondFactorReset:
    """Remove a person's second factor, record who did it and why, and end their sessions.

    Raises:
        BadInput: no reason.
        Conflict: the person has no second factor.
        Denied: the person is the actor.
    """
    if person.pk == actor.pk:
        raise Denied(_("Another member of staff has to do this for you."))
    reason = required_reason(reason, _("Say why. It stays on the record."), limit=2000)
    gone, _kinds = Authenticator.objects.filter(user=person).delete()
    if not gone:
        raise Conflict(_("This person has no second factor."), code="no_factor")
    end_sessions(person)
    return SecondFactorReset.objects.create(user=person, actor=actor, reason=reason)


@transaction.atomic
def drop_unconfirmed(*, user_id: int) -> bool:
    """Delete an account made with a wrong address, and give its use of the invitation back.

    Only an account that never confirmed an address and never signed in is deleted.

    Returns:
        whether it was deleted.
    """
    addresses = EmailAddress.objects.select_for_update().filter(user_id=user_id)
    if any(address.verified for address in addresses):
        return False
    user = User.objects.select_for_update().filter(
        pk=user_id, last_login__isnull=True, is_staff=False, is_superuser=False
    )
    person = user.first()
    if person is None:
        return False
    arrival = Arrival.objects.filter(user=person).first()
    try:
        with transaction.atomic():
            if arrival is not None:
                arrival.delete()
                Invitation.objects.filter(pk=arrival.invitation_id, uses__gt=0).update(
                    uses=F("uses") - 1
                )
            person.sign_ins.all().delete()  # refused ones: nobody has signed in
            person.delete()
    except ProtectedError:  # other rows refer to the account
        return False
    return True
