"""Invitations for staff, and an expert's referral link."""

from collections.abc import Collection
from dataclasses import dataclass
from typing import Any

from django.db.models import Count, Q, QuerySet

from curation.base.web.refusals import NotFound
from curation.joining.invitations.links import in_state, state_of
from curation.joining.invitations.models import Arrival, Invitation

MOST_ARRIVALS = 100  # shown on one invitation's page


def invitations(*, kind: str = "", state: str = "") -> QuerySet[Invitation]:
    """Return the invitations of a kind and state ("" for all), newest first."""
    rows = Invitation.objects.select_related("invited_by", "domain")
    if kind:
        rows = rows.filter(kind=kind)
    if state:
        rows = in_state(rows, state)
    return rows.order_by("-id")


def mails_waiting() -> QuerySet[Invitation]:
    """Return the open invitations whose e-mail the sweep has still to send."""
    return in_state(Invitation.objects.filter(mail_due_at__isnull=False), "open")


@dataclass(frozen=True)
class MailUnderWay:
    """How many e-mails are still to be sent, and how many of them failed before."""

    waiting: int
    failed: int


def mail_under_way() -> MailUnderWay:
    """Count the e-mails that are still to be sent. One query."""
    counted = mails_waiting().aggregate(
        waiting=Count("pk"), failed=Count("pk", filter=Q(mail_failures__gt=0))
    )
    return MailUnderWay(**counted)


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


def referred_by_link(ids: Collection[int]) -> QuerySet[Any, Any]:
    """Return the pairs (who arrived, whose referral it was), a source of conflicts of interest."""
    return Arrival.objects.filter(
        Q(user__in=ids) | Q(invitation__invited_by__in=ids),
        invitation__kind=Invitation.Kind.REFERRAL,
    ).values_list("user_id", "invitation__invited_by_id")
