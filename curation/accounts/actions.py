"""What people do to their sessions and new accounts, and staff to somebody's second factor."""

from typing import Any

from allauth.account.models import EmailAddress
from allauth.mfa.models import Authenticator
from allauth.usersessions.models import UserSession
from django.db import transaction
from django.db.models import F, ProtectedError
from django.utils.translation import gettext as _

from curation.access.action import action
from curation.accounts.adapter import end_sessions
from curation.accounts.models import SecondFactorReset
from curation.invitations.models import Arrival, Invitation
from curation.people.models import User
from curation.web.reasons import required_reason
from curation.web.refusals import Conflict, Denied, NotFound


@action("signed_in")
def end_session(*, actor: Any, pk: int, here: str | None) -> None:
    """Sign oneself out in one other place.

    Raises:
        Conflict: it is the session that asks; that is what signing out is for.
        NotFound: no such session of one's own.
    """
    found = UserSession.objects.filter(user=actor, pk=pk).first()
    if found is None:
        raise NotFound()
    if found.session_key == here:
        raise Conflict(_("You are using this one now. Use “Sign out” to end it."), code="here")
    found.end()


@action("signed_in")
def end_other_sessions(*, actor: Any, here: str | None) -> int:
    """Sign oneself out everywhere else; the number of places."""
    return end_sessions(actor, but=here or "")


@action("staff")
@transaction.atomic
def reset_second_factor(*, actor: Any, person: User, reason: str) -> SecondFactorReset:
    """Staff take away somebody's second factor, on the record, and sign them out everywhere.

    Raises:
        BadInput: no reason.
        Conflict: there is none.
        Denied: the person is the actor.
    """
    if person.pk == actor.pk:
        raise Denied(_("Somebody else of the staff does this for you."))
    reason = required_reason(reason, _("Say why. It stays on the record."), limit=2000)
    gone, _kinds = Authenticator.objects.filter(user=person).delete()
    if not gone:
        raise Conflict(_("This person has no second factor."), code="no_factor")
    end_sessions(person)
    return SecondFactorReset.objects.create(user=person, actor=actor, reason=reason)


@transaction.atomic
def drop_unconfirmed(*, user_id: int) -> bool:
    """Remove an account that was made with a wrong address, and free the invitation's place.

    Only an account that never confirmed an address and never signed in is removed; anything else
    stays as it is.

    Returns:
        whether it was removed.
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
            person.delete()
    except ProtectedError:  # something of the programme hangs on it
        return False
    return True
