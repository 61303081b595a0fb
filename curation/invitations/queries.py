"""Invitations for staff, and an expert's referral link."""

from dataclasses import dataclass
from typing import Any

from django.db.models import QuerySet

from curation.invitations.links import in_state, state_of
from curation.invitations.models import Arrival, Invitation
from curation.web.refusals import NotFound

MOST_ARRIVALS = 100  # shown on one invitation's page


def invitations(*, kind: str = "", state: str = "") -> QuerySet[Invitation]:
    """Return the invitations of a kind and state ("" for all), newest first."""
    rows = Invitation.objects.select_related("invited_by", "domain")
    if kind:
        rows = rows.filter(kind=kind)
    if state:
        rows = in_state(rows, state)
    return rows.order_by("-id")


def access_invitation(pk: int) -> Invitation:
    """Return an invitation, on routes for staff only.

    Raises:
        NotFound: no such invitation.
    """
    found = Invitation.objects.select_related("invited_by", "domain").filter(pk=pk).first()
    if found is None:
        raise NotFound()
    return found


def arrivals(invitation: Invitation) -> list[Arrival]:
    """Return the latest people who used an invitation, newest first."""
    rows = Arrival.objects.filter(invitation=invitation).select_related("user")
    return list(rows.order_by("-at", "-id")[:MOST_ARRIVALS])


@dataclass(frozen=True)
class Referral:
    """An expert's own link.

    Attributes:
        invitation: the open link; None if there is none.
        brought: how many people used the expert's links and confirmed their address; never who.
    """

    invitation: Invitation | None
    brought: int


def referral_of(expert: Any) -> Referral:
    """Return the referral link of an expert.

    Only people with a confirmed address are counted: a count that rose at once would reveal
    whether an address already has an account.
    """
    found = Invitation.objects.filter(
        invited_by=expert, kind=Invitation.Kind.REFERRAL, revoked_at__isnull=True
    ).first()
    brought = (
        Arrival.objects.filter(
            invitation__invited_by=expert,
            invitation__kind=Invitation.Kind.REFERRAL,
            user__emailaddress__verified=True,
        )
        .distinct()
        .count()
    )
    return Referral(found if found and state_of(found) == "open" else None, brought)
