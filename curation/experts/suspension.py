"""Actions that suspend an expert in a domain and reinstate them."""

from typing import Any

from django.db import transaction
from django.utils.translation import gettext as _

from curation.access.action import action
from curation.accounts.adapter import end_sessions
from curation.applications.models import Application
from curation.domains.models import Domain
from curation.panels.seats import hand_over_places
from curation.people.models import Qualification, StandingChange, User
from curation.process.lifecycle import ApplicationStage
from curation.process.signals import qualification_ended
from curation.trials.models import Trial
from curation.web.reasons import required_reason
from curation.web.refusals import Conflict, Denied


@action("staff.recruiting")
@transaction.atomic
def suspend_expert(*, actor: Any, person: User, domain: Domain, reason: str) -> int:
    """Suspend an expert in a domain, sign them out everywhere, and hand over their open work.

    What they made stays: their drafts and tasks keep author and stage, and a rubric in refinement
    waits. All work is handed over in this transaction, so that work which is finished at the same
    time is either finished before it or handed over.

    Returns:
        How many pieces of open work were handed over.

    Raises:
        BadInput: no reason.
        Conflict: no active qualification in the domain.
        Denied: the actor is not staff, or is the person.
    """
    words = check_decision(actor, person, reason)
    released = end_qualification(actor=actor, person=person, domain=domain, words=words)
    if released is None:
        raise Conflict(
            _("This expert is not active in the domain now."),
            code="wrong_stage",
        )
    end_sessions(person)  # so that open pages lose the qualification at once
    return released


def end_qualification(*, actor: Any, person: User, domain: Domain, words: str) -> int | None:
    """End a qualification in the caller's transaction and hand over the open work.

    Args:
        words: the reason, checked.

    Returns:
        How many pieces of work were handed over; None if the qualification is not active.
    """
    held = _switch(person, domain, active=False)
    if held is None:
        return None
    _move_application(held, ApplicationStage.SUSPENDED, actor, words)
    StandingChange.objects.create(qualification=held, actor=actor, active=False, reason=words)
    released = Trial.objects.filter(reader=person, application__domain=domain, verdict="").update(
        reader=None, reading_since=None
    )
    released += hand_over_places(user=person, domain_id=domain.pk)
    answers = qualification_ended.send(sender=Qualification, instance=held, actor=actor)
    return released + sum(int(number or 0) for _receiver, number in answers)


@action("staff.recruiting")
@transaction.atomic
def reinstate_expert(*, actor: Any, person: User, domain: Domain, reason: str) -> Qualification:
    """Lift a suspension. Work that was handed over stays with the colleagues.

    Raises:
        BadInput: no reason.
        Conflict: not suspended in the domain, or the account is closed.
        Denied: the actor is not staff, or is the person.
    """
    words = check_decision(actor, person, reason)
    if not person.is_active:
        raise Conflict(
            _("This account is closed. Open it first, under “data and closing”."), code="closed"
        )
    held = _switch(person, domain, active=True)
    if held is None:
        raise Conflict(_("This expert is not suspended now."), code="wrong_stage")
    _move_application(held, ApplicationStage.QUALIFIED, actor, words)
    StandingChange.objects.create(qualification=held, actor=actor, active=True, reason=words)
    return held


def check_decision(actor: Any, person: Any, reason: str) -> str:
    """Check a decision on a person, and return its reason ready to be stored.

    Raises:
        Denied: the actor is the person.
        BadInput: no reason.
    """
    if person.pk == actor.pk:
        raise Denied(_("You cannot decide on your own qualification. Somebody else has to."))
    return required_reason(reason, _("Say why. The expert reads it."))


def _switch(person: User, domain: Domain, *, active: bool) -> Qualification | None:
    """Switch a qualification by compare-and-swap and return it; None if it was so already."""
    rows = Qualification.objects.filter(user=person, domain=domain)
    if not rows.filter(active=not active).update(active=active):
        return None
    return rows.select_related("user", "domain").get()


def _move_application(held: Qualification, to: str, actor: Any, words: str) -> None:
    """Advance the application as well; an expert who was entered by hand has none."""
    application = Application.objects.filter(user=held.user, domain=held.domain).first()
    if application is not None and to in application.stage_spec.to:
        application.advance(to, actor=actor, reason=words)
