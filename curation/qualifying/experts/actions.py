"""The action that makes an expert a senior of a domain, or ends that."""

from typing import Any

from django.db import transaction
from django.utils.translation import gettext as _

from curation.base.access.action import action
from curation.base.process.signals import seniority_ended
from curation.base.web.reasons import required_reason
from curation.base.web.refusals import Conflict, Denied
from curation.joining.accounts.adapter import end_sessions
from curation.joining.domains.models import Domain
from curation.joining.people.models import Qualification, SeniorityChange, User


@action("staff.recruiting")
@transaction.atomic
def set_senior(
    *, actor: Any, person: User, domain: Domain, senior: bool, reason: str
) -> Qualification:
    """Make an expert a senior of a domain, or end that, on the record.

    Raises:
        BadInput: no reason.
        Conflict: `not_qualified`, no active qualification in the domain; `no_change`, it is so
            already.
        Denied: the actor is not staff, or is the person.
    """
    if person.pk == actor.pk:
        raise Denied(_("You cannot decide on your own qualification. Somebody else has to."))
    reason = required_reason(reason, _("Say why. It stays on the record."), limit=2000)
    held = Qualification.objects.filter(user=person, domain=domain).first()
    if held is None or (senior and not held.active):
        raise Conflict(
            _("Only an active expert of a domain can be its senior."), code="not_qualified"
        )
    changed = Qualification.objects.filter(pk=held.pk, senior=not senior).update(senior=senior)
    if not changed:
        raise Conflict(_("This was decided already."), code="no_change")
    SeniorityChange.objects.create(qualification=held, actor=actor, senior=senior, reason=reason)
    if not senior:
        end_sessions(person)  # so that open pages lose the role at once
        seniority_ended.send(sender=Qualification, instance=held, actor=actor)
    held.senior = senior
    return held
