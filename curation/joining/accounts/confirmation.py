"""The confirmation of an e-mail address after signing up.

The session stores the typed address whether or not an account was made for it: an address that
already has an account must look the same from outside.
"""

from dataclasses import dataclass
from typing import Any

from allauth.account.models import EmailAddress
from django.conf import settings
from django.core import signing
from django.urls import reverse

from curation.joining.invitations.links import path_of, read_link
from curation.joining.invitations.models import Arrival, Invitation

SESSION = "confirming"  # session key
_SALT = "curation.confirming"
_LONGEST = 200  # characters; our signatures are shorter


@dataclass(frozen=True)
class PendingConfirmation:
    """An address that must be confirmed, as stored in the session.

    Attributes:
        email: as typed.
        user: id of the account made for it; None where the address already had an account.
        again: path at which to sign up with another address; "" where staff chose the address.
    """

    email: str
    user: int | None
    again: str


def remember(request: Any, user: Any) -> None:
    """Store in the session which address must be confirmed before signing in."""
    email = str(request.POST.get("email") or request.POST.get("login") or "").strip().lower()
    if user is not None and not EmailAddress.objects.filter(user=user, email=email).exists():
        email = user.email
    request.session[SESSION] = {
        "email": email,
        "user": user.pk if user is not None else None,
        "again": _again(request, user),
    }


def _again(request: Any, user: Any) -> str:
    """Return the path of the form just sent, or of the one the account was made by."""
    match = request.resolver_match
    if match is not None and match.view_name == "join":
        personal = read_link(match.kwargs["token"]).invitation.kind == Invitation.Kind.PERSON
        return "" if personal else request.path
    arrival = Arrival.objects.select_related("invitation").filter(user=user).first()
    if arrival is not None:
        personal = arrival.invitation.kind == Invitation.Kind.PERSON
        return "" if personal else path_of(arrival.invitation)
    return reverse("account_signup") if settings.OPEN_SIGNUP else ""


def pending_confirmation(request: Any) -> PendingConfirmation | None:
    """Return the pending confirmation of this session; None if there is none."""
    found = request.session.get(SESSION)
    return PendingConfirmation(**found) if found else None


def is_confirmed(pending: PendingConfirmation) -> bool:
    """Return whether the account made in this session has confirmed its address since."""
    if pending.user is None:
        return False
    return EmailAddress.objects.filter(
        user_id=pending.user, email=pending.email, verified=True
    ).exists()


# --- the links --------------------------------------------------------------------------------
def sign(address: EmailAddress) -> str:
    """Return the signature that our confirmation links carry besides the library's key."""
    return signing.Signer(salt=_SALT).sign(str(address.pk))


def was_confirmed(signature: str) -> bool:
    """Return whether a signature is ours and its address is confirmed by now."""
    if len(signature) > _LONGEST:
        return False
    try:
        pk = signing.Signer(salt=_SALT).unsign(signature)
    except signing.BadSignature:
        return False
    return EmailAddress.objects.filter(pk=pk, verified=True).exists()
