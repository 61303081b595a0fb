"""Letting people in: invite one, give a vendor or an expert a link, take it back, come in by it."""

from collections.abc import Mapping
from datetime import timedelta
from typing import Any

from django.conf import settings
from django.core.exceptions import ValidationError
from django.core.validators import validate_email
from django.db import IntegrityError, transaction
from django.db.models import F
from django.utils import timezone
from django.utils.translation import gettext as _

from curation.access.action import action
from curation.domains.models import Domain
from curation.invitations.links import refuse_unless_open, state_of
from curation.invitations.models import Arrival, Invitation
from curation.people.models import User
from curation.text import storable
from curation.web.refusals import BadInput, Conflict, Gone

REFERRAL_DAYS = 180
MOST_USES = 1000  # of a vendor's link; a larger programme makes a second one


def _address(email: str) -> tuple[str, str | None]:
    """The address as it is stored, and what is wrong with it."""
    address = storable.clean(email).lower()
    try:
        validate_email(address)
    except ValidationError:
        return address, _("Type a complete e-mail address, such as name@example.org.")
    return address, None


def _shared_problems(given: Mapping[str, Any]) -> dict[str, list[str]]:
    problems: dict[str, list[str]] = {}
    if "language" in given and given["language"] not in dict(settings.LANGUAGES):
        problems["language"] = [_("Choose one of the languages.")]
    if "days" in given and not 1 <= given["days"] <= 365:
        problems["days"] = [_("Choose from 1 to 365 days.")]
    return problems


def problems_with_person(given: Mapping[str, Any]) -> dict[str, list[str]]:
    """Field -> what keeps a person from being invited so; a field that is not given is passed over.

    A form asks before all of its fields can be read, so that it says everything at once.
    """
    problems = _shared_problems(given)
    if "name" in given:
        problem = storable.problem_with(given["name"], limit=120)
        if problem or storable.is_blank(given["name"]):
            problems["name"] = [problem or _("Type the person's name. Only staff see it.")]
    if "email" not in given:
        return problems
    address, wrong = _address(given["email"])
    known = User.objects.filter(email__iexact=address).first()
    if wrong:
        problems["email"] = [wrong]
    elif known is not None:
        problems["email"] = [
            _("This address has an account already: %(who)s. Nothing was sent.")
            % {"who": known.pseudonym}
        ]
    elif any(
        state_of(row) == "open"
        for row in Invitation.objects.filter(kind=Invitation.Kind.PERSON, email=address)
    ):
        problems["email"] = [
            _("An invitation to this address is open already. Send it again from the list.")
        ]
    return problems


def problems_with_vendor(given: Mapping[str, Any]) -> dict[str, list[str]]:
    """Field -> what keeps a vendor's link from being made so; as `problems_with_person`."""
    problems = _shared_problems(given)
    if given.get("email", "").strip():
        _found, wrong = _address(given["email"])
        if wrong:
            problems["email"] = [wrong]
    if "vendor" in given:
        problem = storable.problem_with(given["vendor"], limit=200)
        if problem or storable.is_blank(given["vendor"]):
            problems["vendor"] = [problem or _("Type the vendor's name.")]
    if "max_uses" in given and not 1 <= given["max_uses"] <= MOST_USES:
        problems["max_uses"] = [
            _("Choose a number from 1 to %(most)s.") % {"most": f"{MOST_USES:,}"}
        ]
    return problems


@action("staff")
@transaction.atomic
def invite_person(
    *,
    actor: Any,
    email: str,
    name: str,
    language: str = "en",
    domain: Domain | None = None,
    days: int | None = None,
) -> Invitation:
    """Invite one person. The caller mails the link; the account is made when it is opened.

    Raises:
        BadInput: not an address, no name, or the address has an account or an open invitation.
    """
    days = settings.INVITATION_DAYS if days is None else days
    problems = problems_with_person(
        {"email": email, "name": name, "language": language, "days": days}
    )
    if problems:
        raise BadInput(fields=problems)
    return Invitation.objects.create(
        kind=Invitation.Kind.PERSON,
        invited_by=actor,
        email=_address(email)[0],
        name=storable.clean(name),
        language=language,
        domain=domain,
        expires_at=timezone.now() + timedelta(days=days),
    )


@action("staff")
@transaction.atomic
def invite_vendor(
    *,
    actor: Any,
    vendor: str,
    max_uses: int,
    email: str = "",
    language: str = "en",
    domain: Domain | None = None,
    days: int | None = None,
) -> Invitation:
    """Make a link for a vendor's people.

    Args:
        max_uses: how many people may come by it.
        email: the vendor's contact, who gets the link by mail where an address is given.

    Raises:
        BadInput: no name, a number out of range, or not an address.
    """
    days = settings.INVITATION_DAYS if days is None else days
    problems = problems_with_vendor(
        {
            "email": email,
            "vendor": vendor,
            "max_uses": max_uses,
            "language": language,
            "days": days,
        }
    )
    if problems:
        raise BadInput(fields=problems)
    return Invitation.objects.create(
        kind=Invitation.Kind.VENDOR,
        invited_by=actor,
        email=_address(email)[0] if email.strip() else "",
        vendor=storable.clean(vendor),
        max_uses=max_uses,
        language=language,
        domain=domain,
        expires_at=timezone.now() + timedelta(days=days),
    )


def open_referral_of(expert: Any) -> Invitation | None:
    """The expert's link that still lets people in, if there is one."""
    found = Invitation.objects.filter(
        invited_by=expert, kind=Invitation.Kind.REFERRAL, revoked_at__isnull=True
    ).first()
    return found if found is not None and state_of(found) == "open" else None


@action("expert")
@transaction.atomic
def renew_referral(*, actor: Any) -> Invitation:
    """Give an expert a link of their own; one they had ends.

    The number of people an expert brings is limited over all of their links.

    Raises:
        Conflict: no active qualification, all referrals are used, or two tabs asked at once.
    """
    if not actor.qualified_domain_ids():
        raise Conflict(_("Only an active expert can refer colleagues."), code="not_qualified")
    brought = Arrival.objects.filter(
        invitation__invited_by=actor, invitation__kind=Invitation.Kind.REFERRAL
    ).count()
    left = settings.REFERRALS_PER_EXPERT - brought
    if left < 1:
        raise Conflict(
            _("You have brought as many colleagues as the programme foresees. Thank you."),
            code="no_referral_left",
        )
    now = timezone.now()
    Invitation.objects.filter(
        invited_by=actor, kind=Invitation.Kind.REFERRAL, revoked_at__isnull=True
    ).update(revoked_at=now)
    try:
        with transaction.atomic():
            return Invitation.objects.create(
                kind=Invitation.Kind.REFERRAL,
                invited_by=actor,
                language=actor.language,
                max_uses=left,
                expires_at=now + timedelta(days=REFERRAL_DAYS),
            )
    except IntegrityError:
        raise Conflict(
            _("Your link was made a moment ago in another window. It stands here now."),
            code="link_made",
        ) from None


@action("staff")
@transaction.atomic
def revoke(*, actor: Any, invitation: Invitation) -> None:
    """Close a link at once. Who came by it stays.

    Raises:
        Conflict: it lets nobody in any more.
    """
    closed = Invitation.objects.filter(
        pk=invitation.pk, revoked_at__isnull=True, uses__lt=F("max_uses")
    ).update(revoked_at=timezone.now())
    if not closed:
        raise Conflict(_("This invitation has ended already."), code="ended")


@action("staff")
@transaction.atomic
def prolong(*, actor: Any, invitation: Invitation) -> Invitation:
    """Start the time of an open or expired invitation anew, before it is sent again.

    Raises:
        Conflict: it was revoked or used up.
    """
    renewed = Invitation.objects.filter(
        pk=invitation.pk, revoked_at__isnull=True, uses__lt=F("max_uses")
    ).update(expires_at=timezone.now() + timedelta(days=settings.INVITATION_DAYS))
    if not renewed:
        raise Conflict(_("This invitation was used or taken back. Make a new one."), code="ended")
    invitation.refresh_from_db()
    return invitation


@transaction.atomic
def take_place(invitation: Invitation) -> None:
    """Use the invitation once. Parallel uses never pass its number: one compare-and-swap.

    Raises:
        Gone: it ended, perhaps a moment ago.
    """
    refuse_unless_open(invitation)
    taken = Invitation.objects.filter(
        pk=invitation.pk,
        revoked_at__isnull=True,
        uses__lt=F("max_uses"),
        expires_at__gt=timezone.now(),
    ).update(uses=F("uses") + 1)
    if not taken:
        invitation.refresh_from_db()
        refuse_unless_open(invitation)
        raise Gone()


def arrive(*, invitation: Invitation, user: User) -> Arrival:
    """Record by which invitation a person came. Call `take_place` first, in one transaction."""
    return Arrival.objects.create(invitation=invitation, user=user)
