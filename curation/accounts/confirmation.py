"""Confirming an e-mail address after signing up: which one waits, and which link was used.

The session that signed up remembers the address it typed, whether or not an account was made for
it: an address that has an account already must look the same from outside.
"""

from dataclasses import dataclass
from typing import Any

from allauth.account.models import EmailAddress
from django.conf import settings
from django.core import signing
from django.urls import reverse

from curation.invitations.links import path_of, read
from curation.invitations.models import Arrival, Invitation

SESSION = "confirming"
_SALT = "curation.confirming"
_LONGEST = 200  # characters of a signature; anything longer is none of ours


@dataclass(frozen=True)
class Awaited:
    """The address a session waits for.

    Attributes:
        email: as it was typed.
        user: the account made for it; None where the address had an account already.
        again: where to sign up with another address; empty where staff chose the address.
    """

    email: str
    user: int | None
    again: str


def remember(request: Any, user: Any) -> None:
    """Note in the session which address must be confirmed before anybody signs in."""
    email = str(request.POST.get("email") or request.POST.get("login") or "").strip().lower()
    if user is not None and not EmailAddress.objects.filter(user=user, email=email).exists():
        email = user.email
    request.session[SESSION] = {
        "email": email,
        "user": user.pk if user is not None else None,
        "again": _again(request, user),
    }


def _again(request: Any, user: Any) -> str:
    """Where to sign up once more: the form just sent, or the one the account came by."""
    match = request.resolver_match
    if match is not None and match.view_name == "join":
        personal = read(match.kwargs["token"]).invitation.kind == Invitation.Kind.PERSON
        return "" if personal else request.path
    arrival = Arrival.objects.select_related("invitation").filter(user=user).first()
    if arrival is not None:
        personal = arrival.invitation.kind == Invitation.Kind.PERSON
        return "" if personal else path_of(arrival.invitation)
    return reverse("account_signup") if settings.OPEN_SIGNUP else ""


def awaited(request: Any) -> Awaited | None:
    """What this session waits for; None where it has not just signed up or tried to sign in."""
    found = request.session.get(SESSION)
    return Awaited(**found) if found else None


def is_confirmed(waits: Awaited) -> bool:
    """Whether the account this session made has confirmed its address since."""
    if waits.user is None:
        return False
    return EmailAddress.objects.filter(
        user_id=waits.user, email=waits.email, verified=True
    ).exists()


# --- the links --------------------------------------------------------------------------------
def sign(address: EmailAddress) -> str:
    """What a link that confirms this address carries besides the library's key."""
    return signing.Signer(salt=_SALT).sign(str(address.pk))


def was_confirmed(signature: str) -> bool:
    """True for a link of ours whose address is confirmed by now. Any other text: False."""
    if len(signature) > _LONGEST:
        return False
    try:
        pk = signing.Signer(salt=_SALT).unsign(signature)
    except signing.BadSignature:
        return False
    return EmailAddress.objects.filter(pk=pk, verified=True).exists()
