"""Close an account, open it again, and remove the name of a person who left.

What people made stays, because other work builds on it: their tasks, verdicts and sheets belong to
a pseudonym. A row of a person is never deleted.
"""

from typing import Any

from allauth.account.models import EmailAddress
from allauth.mfa.models import Authenticator
from allauth.usersessions.models import UserSession
from django.db import transaction
from django.db.models import Q
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop

from curation.base.access.action import action
from curation.base.process.lifecycle import ApplicationStage
from curation.base.process.signals import name_removed
from curation.base.web.models import SentForm
from curation.base.web.reasons import required_reason
from curation.base.web.refusals import Conflict, Denied
from curation.joining.accounts.adapter import end_sessions
from curation.joining.accounts.api_tokens import ApiToken
from curation.joining.accounts.models import AccountChange, NameRemoval, SignIn
from curation.joining.domains.models import Domain
from curation.joining.invitations.models import Invitation
from curation.joining.people import REMOVED_HOST, Qualification, User, refuse_last_administrator
from curation.qualifying.applications.actions import resume
from curation.qualifying.applications.applicant_data import remove_applicant_data
from curation.qualifying.applications.models import Application
from curation.qualifying.applications.profiles import remove_profiles
from curation.qualifying.experts.suspension import end_qualification, hand_over_work
from curation.staff.honoraria.payroll import remove_payee

# Stored in English, shown in the reader's language.
BY_THE_PERSON = gettext_noop("Closed by its person.")


@action("account.close", about="person")
@transaction.atomic
def close_account(*, actor: Any, person: User, reason: str = "") -> int:
    """Close an account as `end_account`, and hand over its person's open work.

    Returns:
        How many pieces of open work were handed over.

    Raises:
        BadInput, Conflict, Denied: as `end_account`.
    """
    ended = end_account(actor=actor, person=person, reason=reason)
    return hand_over_work(ended, actor=actor)


@action("account.close", about="person")
@transaction.atomic
def end_account(*, actor: Any, person: User, reason: str = "") -> list[Qualification]:
    """Close an account: its person can no longer sign in and gets no e-mail.

    Qualifications end as by a suspension, applications under way are withdrawn, sessions and API
    tokens end.

    Args:
        reason: required from staff; a person who closes their own account need not give one.

    Returns:
        The qualifications that ended. The caller hands over the work under them
        (`hand_over_work`), in the same transaction.

    Raises:
        BadInput: staff gave no reason.
        Conflict: it is closed already; `last_staff` or `last_administrator`: it is the last open
            account of staff, or of an administrator.
        Denied: the actor is neither the person nor an administrator.
    """
    own = actor.pk == person.pk
    words = reason.strip() or (BY_THE_PERSON if own else "")
    words = required_reason(words, _("Say why. It stays on the record."), limit=2000)
    staff = User.objects.select_for_update().filter(is_staff=True, is_active=True).order_by("pk")
    if person.is_staff and {row.pk for row in staff} == {person.pk}:
        raise Conflict(
            _("This is the only open account of staff. Make somebody else staff first."),
            code="last_staff",
        )
    refuse_last_administrator(person)
    if not User.objects.filter(pk=person.pk, is_active=True).update(is_active=False):
        raise Conflict(_("This account is closed already."), code="closed")
    person.is_active = False
    domains = Domain.objects.filter(qualifications__user=person, qualifications__active=True)
    ended = [
        end_qualification(actor=actor, person=person, domain=domain, words=words)
        for domain in domains.order_by("pk")
    ]
    for application in Application.objects.filter(user=person).select_related("user", "domain"):
        if ApplicationStage.WITHDRAWN in application.stage_spec.to:
            application.advance(ApplicationStage.WITHDRAWN, actor=actor, reason=words)
    ApiToken.objects.filter(user=person, ended_at__isnull=True).update(
        ended_at=timezone.now(), ended_by=actor, ended_why=words
    )
    end_sessions(person)
    AccountChange.objects.create(user=person, actor=actor, closed=True, reason=words)
    return [held for held in ended if held is not None]


@action("staff.administration")
@transaction.atomic
def open_account(*, actor: Any, person: User, reason: str) -> None:
    """Open a closed account again.

    Applications that were in training or trial go on there. Qualifications stay suspended until
    staff reinstate them.

    Raises:
        BadInput: no reason.
        Conflict: it is open, or the name was removed.
    """
    words = required_reason(reason, _("Say why. It stays on the record."), limit=2000)
    if NameRemoval.objects.filter(user=person).exists():
        raise Conflict(
            _("The name was removed, so nobody can sign in to this account. Invite the person."),
            code="name_removed",
        )
    if not User.objects.filter(pk=person.pk, is_active=False).update(is_active=True):
        raise Conflict(_("This account is open already."), code="open")
    person.is_active = True
    AccountChange.objects.create(user=person, actor=actor, closed=False, reason=words)
    resume(user=person, by=actor, reason=words)


@action("staff.administration")
@transaction.atomic
def remove_name(*, actor: Any, person: User, reason: str) -> NameRemoval:
    """Remove name, addresses, affiliation and evidence of a closed account, for good.

    The pseudonym stays, and what the person wrote: `queries.texts_naming` finds the texts that hold
    the name, for staff to read before.

    Raises:
        BadInput: no reason.
        Conflict: the account is open, or its name was removed already.
        Denied: the person is the actor.
    """
    if person.pk == actor.pk:
        raise Denied(_("Another member of staff has to do this for you."))
    words = required_reason(reason, _("Say why. It stays on the record."), limit=2000)
    fresh = User.objects.select_for_update().get(pk=person.pk)
    if fresh.is_active:
        raise Conflict(_("Close the account first."), code="open")
    if NameRemoval.objects.filter(user=fresh).exists():
        raise Conflict(_("The name was removed already."), code="name_removed")
    addresses = _addresses(fresh)
    _remove_sign_in(fresh)
    remove_applicant_data(fresh)
    remove_profiles(fresh)
    remove_payee(fresh)
    _remove_from_invitations(fresh, addresses)
    name_removed.send(sender=User, instance=fresh, addresses=addresses, actor=actor)
    fresh.email = f"expert-{fresh.pk}@{REMOVED_HOST}"
    fresh.display_name = fresh.affiliation = ""
    fresh.set_unusable_password()
    fresh.save(update_fields=["email", "display_name", "affiliation", "password"])
    return NameRemoval.objects.create(user=fresh, actor=actor, reason=words)


def _addresses(person: User) -> list[str]:
    """Return every address of a person, in lower case: invitations are stored so."""
    known = EmailAddress.objects.filter(user=person).values_list("email", flat=True)
    return sorted({person.email.casefold(), *(address.casefold() for address in known)})


def _remove_from_invitations(person: User, addresses: list[str]) -> None:
    """Remove name and address from invitations of the person, also under an earlier address."""
    of_person = Q(email__in=addresses) | Q(arrivals__user=person)
    invited = Invitation.objects.filter(of_person, kind=Invitation.Kind.PERSON)
    Invitation.objects.filter(pk__in=list(invited.values_list("pk", flat=True))).update(
        email=f"expert-{person.pk}@{REMOVED_HOST}", name=""
    )
    # A vendor's invitation may name the person as its contact.
    Invitation.objects.filter(email__in=addresses).update(email="")


def _remove_sign_in(person: User) -> None:
    for rows in (EmailAddress, Authenticator, UserSession, SentForm, SignIn):
        rows.objects.filter(user=person).delete()
