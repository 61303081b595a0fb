"""What staff do for people: invite them, and make them seniors of a domain."""

from typing import Any

from allauth.account.models import EmailAddress
from django.core.exceptions import ValidationError
from django.core.validators import validate_email
from django.db import IntegrityError, transaction
from django.utils.translation import gettext as _

from curation import text
from curation.errors import BadInput, Conflict, Denied
from curation.models import Domain, Qualification, SeniorityChange, User


@transaction.atomic
def invite(*, actor: Any, email: str, display_name: str, language: str = "en") -> User:
    """Create an account that has no password yet. The caller sends the link that sets one.

    Raises:
        BadInput: not an address, no name, or the address has an account already.
    """
    address = text.clean(email).lower()
    problems: dict[str, list[str]] = {}
    try:
        validate_email(address)
    except ValidationError:
        problems["email"] = [_("Type a complete e-mail address, such as name@example.org.")]
    problem = text.problem_with(display_name, limit=120)
    if problem or text.is_blank(display_name):
        problems["display_name"] = [problem or _("Type the person's name. Only staff see it.")]
    if language not in dict(User._meta.get_field("language").choices or ()):
        problems["language"] = [_("Choose one of the languages.")]
    known = User.objects.filter(email__iexact=address).first()
    if known is not None:
        problems["email"] = [
            _("This address has an account already: %(who)s. Nothing was sent.")
            % {"who": known.pseudonym}
        ]
    if problems:
        raise BadInput(fields=problems)
    try:
        with transaction.atomic():
            person = User.objects.create_user(
                address, None, display_name=text.clean(display_name), language=language
            )
    except IntegrityError:  # two of the staff invited the same person at once
        raise BadInput(
            fields={"email": [_("This address has an account already. Nothing was sent.")]}
        ) from None
    EmailAddress.objects.create(user=person, email=address, primary=True, verified=False)
    return person


@transaction.atomic
def set_senior(
    *, actor: Any, person: User, domain: Domain, senior: bool, reason: str
) -> Qualification:
    """Make an expert a senior of a domain, or end that, on the record.

    Raises:
        BadInput: no reason.
        Conflict: no active qualification in the domain, or it is so already.
        Denied: the person is the actor.
    """
    if person.pk == actor.pk:
        raise Denied(_("Somebody else decides on your own standing."))
    problem = text.problem_with(reason, limit=2000)
    if problem or text.is_blank(reason):
        raise BadInput(fields={"reason": [problem or _("Say why. It stays on the record.")]})
    held = Qualification.objects.filter(user=person, domain=domain).first()
    if held is None or (senior and not held.active):
        raise Conflict(
            _("Only an active expert of a domain can be its senior."), code="not_qualified"
        )
    changed = Qualification.objects.filter(pk=held.pk, senior=not senior).update(senior=senior)
    if not changed:
        raise Conflict(_("This was decided already. Load the page again."), code="no_change")
    SeniorityChange.objects.create(
        qualification=held, actor=actor, senior=senior, reason=text.clean(reason)
    )
    held.senior = senior
    return held
