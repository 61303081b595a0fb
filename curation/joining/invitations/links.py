"""Invitation links and the state of invitations.

A link is a signature of the invitation's id. It is computed when it is shown or mailed and stored
nowhere, so that a copy of the database contains no usable link.
"""

from dataclasses import dataclass

from django.core import signing
from django.db.models import F, Q, QuerySet
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, pgettext_lazy

from curation.base.web.refusals import Gone, NotFound
from curation.joining.invitations.models import Invitation

_SALT = "curation.invitations"
_LONGEST = 200  # characters of a token; ours have about 60

STATES = {
    "open": pgettext_lazy("an invitation", "Open"),
    "used": gettext_lazy("Used up"),
    "expired": gettext_lazy("Expired"),
    "revoked": gettext_lazy("Revoked"),
}


@dataclass(frozen=True)
class Link:
    """A link as read.

    Attributes:
        mailed: whether it was mailed to the invited person, so that opening it confirms the
            address.
    """

    invitation: Invitation
    mailed: bool


def token_of(invitation: Invitation, *, mailed: bool = False) -> str:
    """Return the secret part of a link."""
    return signing.Signer(salt=_SALT).sign_object([invitation.pk, int(mailed)])


def path_of(invitation: Invitation, *, mailed: bool = False) -> str:
    """Return the path of a link, without the host."""
    return reverse("join", args=[token_of(invitation, mailed=mailed)])


def read_link(token: str) -> Link:
    """Return the invitation behind a token.

    Raises:
        NotFound: `wrong_link`: the token is incomplete or not ours.
    """
    try:
        if len(token) > _LONGEST:
            raise signing.BadSignature
        pk, mailed = signing.Signer(salt=_SALT).unsign_object(token)
        found = Invitation.objects.select_related("invited_by", "domain").get(pk=pk)
    except (signing.BadSignature, Invitation.DoesNotExist, ValueError, TypeError):
        raise NotFound(
            _(
                "This link is not complete. Copy all of it from the message, to the last "
                "character, or ask the person who sent it for a new one."
            ),
            code="wrong_link",
        ) from None
    return Link(found, bool(mailed))


def state_of(invitation: Invitation) -> str:
    """Return a key of `STATES`.

    A referral link also ends with its expert's qualifications: see `refuse_unless_open`.
    """
    if invitation.revoked_at is not None:
        return "revoked"
    if invitation.uses >= invitation.max_uses:
        return "used"
    if invitation.expires_at <= timezone.now():
        return "expired"
    return "open"


def in_state(rows: QuerySet[Invitation], state: str) -> QuerySet[Invitation]:
    """Filter invitations by state, by the same rules as `state_of`."""
    free, now = Q(uses__lt=F("max_uses")), timezone.now()
    return {
        "revoked": rows.filter(revoked_at__isnull=False),
        "used": rows.filter(~free, revoked_at__isnull=True),
        "expired": rows.filter(free, revoked_at__isnull=True, expires_at__lte=now),
        "open": rows.filter(free, revoked_at__isnull=True, expires_at__gt=now),
    }[state]


def refuse_unless_open(invitation: Invitation) -> None:
    """Refuse a link that has ended.

    Raises:
        Gone: `link_revoked`, `link_used` or `link_expired`.
    """
    state = state_of(invitation)
    person = invitation.kind == Invitation.Kind.PERSON
    if state == "open" and invitation.kind == Invitation.Kind.REFERRAL:
        # A referral counts only while the expert holds an active qualification.
        state = "open" if invitation.invited_by.qualified_domain_ids() else "revoked"
    if state == "used":
        raise Gone(
            _(
                "This invitation has been used, and the account exists. Sign in with your "
                "e-mail address; if you have forgotten your password, you can reset it there."
            )
            if person
            else _(
                "This link has been used by as many people as it allows. Ask the person who "
                "gave it to you for another one."
            ),
            code="link_used",
        )
    if state == "expired":
        raise Gone(
            _("This invitation has expired. Ask the person who sent it for a new one."),
            code="link_expired",
        )
    if state == "revoked":
        raise Gone(
            _("This invitation was taken back. If you think that is a mistake, write to the person "
              "who sent it."),
            code="link_revoked",
        )  # fmt: skip
