"""What staff do for people: make them seniors of a domain, or end that."""

from typing import Any

from django.db import transaction
from django.utils.translation import gettext as _

from curation import text
from curation.access import is_staff
from curation.accounts import end_sessions
from curation.errors import BadInput, Conflict, Denied
from curation.models import Domain, Qualification, SeniorityChange, User
from curation.signals import seniority_ended


@transaction.atomic
def set_senior(
    *, actor: Any, person: User, domain: Domain, senior: bool, reason: str
) -> Qualification:
    """Make an expert a senior of a domain, or end that, on the record.

    Raises:
        BadInput: no reason.
        Conflict: no active qualification in the domain, or it is so already.
        Denied: the actor is not staff, or the person themselves.
    """
    if not is_staff(actor, None):
        raise Denied()
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
        raise Conflict(_("This was decided already."), code="no_change")
    SeniorityChange.objects.create(
        qualification=held, actor=actor, senior=senior, reason=text.clean(reason)
    )
    if not senior:
        end_sessions(person)  # pages opened with the role close with it
        seniority_ended.send(sender=Qualification, instance=held, actor=actor)
    held.senior = senior
    return held
