"""Verbs on invitations: of one person, of a vendor's people, an expert's referral link."""

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

from curation.base.access.action import action
from curation.base.text import storable
from curation.base.web.refusals import BadInput, Conflict, Gone
from curation.joining.domains.models import Domain
from curation.joining.invitations.links import refuse_unless_open, state_of
from curation.joining.invitations.models import Arrival, Invitation
from curation.joining.people import User

REFERRAL_DAYS = 180
MOST_USES = 1000  # of one vendor's link


def _address(email: str) -> tuple[str, str | None]:
    """Return an address as it is stored, and what is wrong with it (None if nothing is)."""
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
    """Return field -> what is wrong with an invitation of one person.

    Fields that are missing in `given` are skipped, so that a form can check the readable ones and
    report all problems at once.
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
            _("There is already an open invitation to this address. Send it again from the list.")
        ]
    return problems


def problems_with_vendor(given: Mapping[str, Any]) -> dict[str, list[str]]:
    """Return field -> what is wrong with a vendor's link, like `problems_with_person`."""
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


@action("staff.recruiting")
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
    """Invite one person. The caller mails the link, by which the person opens an account.

    Args:
        days: until the link ends; None for the setting INVITATION_DAYS.

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


@action("staff.recruiting")
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
        max_uses: how many people may use it.
        email: the vendor's contact, to whom the caller mails the link; "" for none.
        days: until the link ends; None for the setting INVITATION_DAYS.

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
    """Return an expert's open referral link; None if there is none."""
    found = Invitation.objects.filter(
        invited_by=expert, kind=Invitation.Kind.REFERRAL, revoked_at__isnull=True
    ).first()
    return found if found is not None and state_of(found) == "open" else None


@action("expert")
@transaction.atomic
def renew_referral(*, actor: Any) -> Invitation:
    """Give an expert a new referral link and end the earlier one.

    REFERRALS_PER_EXPERT limits how many people may use all links of an expert together.

    Raises:
        Conflict: no active qualification, no referral left, or a parallel request made a link.
    """
    if not actor.qualified_domain_ids():
        raise Conflict(_("Only an active expert can refer colleagues."), code="not_qualified")
    brought = Arrival.objects.filter(
        invitation__invited_by=actor, invitation__kind=Invitation.Kind.REFERRAL
    ).count()
    left = settings.REFERRALS_PER_EXPERT - brought
    if left < 1:
        raise Conflict(
            _("You have referred as many colleagues as the programme allows. Thank you."),
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
            _("Your link was made a moment ago in another window. It is shown here now."),
            code="link_made",
        ) from None


@action("staff.recruiting")
@transaction.atomic
def revoke(*, actor: Any, invitation: Invitation) -> None:
    """End a link at once. Accounts made by it stay.

    Raises:
        Conflict: it was revoked or used up already.
    """
    closed = Invitation.objects.filter(
        pk=invitation.pk, revoked_at__isnull=True, uses__lt=F("max_uses")
    ).update(revoked_at=timezone.now())
    if not closed:
        raise Conflict(_("This invitation has ended already."), code="ended")


@action("staff.recruiting")
@transaction.atomic
def extend(*, actor: Any, invitation: Invitation) -> Invitation:
    """Restart the time of an open or expired invitation, before it is sent again.

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
def use_invitation(invitation: Invitation) -> None:
    """Count one use of an invitation, by a conditional update that never exceeds `max_uses`.

    Raises:
        Gone: it has ended.
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


def record_arrival(*, invitation: Invitation, user: User) -> Arrival:
    """Record which invitation a person used. Call `use_invitation` first, in one transaction."""
    return Arrival.objects.create(invitation=invitation, user=user)
