"""Links that let people in: how they are written, read, and what state an invitation is in.

A link is a signature over the invitation's number. It is computed when it is shown or mailed and
stored nowhere, so a copy of the database opens no door. What may change (end, uses, revocation)
is in the row.
"""

from dataclasses import dataclass

from django.core import signing
from django.db.models import F, Q, QuerySet
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, pgettext_lazy

from curation.invitations.models import Invitation
from curation.web.refusals import Gone, NotFound

_SALT = "curation.invitations"
_LONGEST = 200  # characters; ours have about 60

STATES = {
    "open": pgettext_lazy("an invitation", "Open"),
    "used": gettext_lazy("Used up"),
    "expired": gettext_lazy("Expired"),
    "revoked": gettext_lazy("Revoked"),
}


@dataclass(frozen=True)
class Link:
    """A link that was read.

    Attributes:
        mailed: it was sent by e-mail to the invited person; opening it proves the mailbox.
    """

    invitation: Invitation
    mailed: bool


def token_of(invitation: Invitation, *, mailed: bool = False) -> str:
    """The secret part of the link."""
    return signing.Signer(salt=_SALT).sign_object([invitation.pk, int(mailed)])


def path_of(invitation: Invitation, *, mailed: bool = False) -> str:
    """The address of the page that lets people in, without the host."""
    return reverse("join", args=[token_of(invitation, mailed=mailed)])


def read(token: str) -> Link:
    """The invitation behind a link.

    Raises:
        NotFound: not one of our links. Mistyped, cut off and made up look the same.
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
                "character, or ask whoever sent it for a new one."
            ),
            code="wrong_link",
        ) from None
    return Link(found, bool(mailed))


def state_of(invitation: Invitation) -> str:
    """One of `STATES`. A referral link also ends with its expert's standing (see `refuse`)."""
    if invitation.revoked_at is not None:
        return "revoked"
    if invitation.uses >= invitation.max_uses:
        return "used"
    if invitation.expires_at <= timezone.now():
        return "expired"
    return "open"


def in_state(rows: QuerySet[Invitation], state: str) -> QuerySet[Invitation]:
    """Only those in this state, as `state_of` says."""
    free, now = Q(uses__lt=F("max_uses")), timezone.now()
    return {
        "revoked": rows.filter(revoked_at__isnull=False),
        "used": rows.filter(~free, revoked_at__isnull=True),
        "expired": rows.filter(free, revoked_at__isnull=True, expires_at__lte=now),
        "open": rows.filter(free, revoked_at__isnull=True, expires_at__gt=now),
    }[state]


def refuse_unless_open(invitation: Invitation) -> None:
    """Refuse a link that no longer lets anybody in, in the reader's words.

    Raises:
        Gone: `link_revoked`, `link_used` or `link_expired`.
    """
    state = state_of(invitation)
    person = invitation.kind == Invitation.Kind.PERSON
    if state == "open" and invitation.kind == Invitation.Kind.REFERRAL:
        # The link is the expert's word for a colleague; it does not outlast their standing.
        state = "open" if invitation.invited_by.qualified_domain_ids() else "revoked"
    if state == "used":
        raise Gone(
            _(
                "This invitation has been used: the account exists. Sign in with your e-mail "
                "address; a forgotten password can be replaced there."
            )
            if person
            else _(
                "As many people as it was made for have come by this link. Ask whoever gave it "
                "to you for another one."
            ),
            code="link_used",
        )
    if state == "expired":
        raise Gone(
            _("The time of this invitation is over. Ask whoever sent it for a new one."),
            code="link_expired",
        )
    if state == "revoked":
        raise Gone(
            _("This invitation was taken back. If you think that is a mistake, write to whoever "
              "sent it."),
            code="link_revoked",
        )  # fmt: skip
