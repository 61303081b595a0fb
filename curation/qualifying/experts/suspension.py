"""Actions that suspend an expert in a domain and reinstate them."""

from collections.abc import Sequence
from typing import Any

from django.db import transaction
from django.utils.translation import gettext as _

from curation.base.access.action import action
from curation.base.process.lifecycle import ApplicationStage
from curation.base.process.signals import qualifications_ended
from curation.base.web.reasons import required_reason
from curation.base.web.refusals import Conflict, Denied
from curation.joining.accounts.adapter import end_sessions
from curation.joining.domains.models import Domain
from curation.joining.people import Qualification, StandingChange, User, held_under
from curation.qualifying.applications.models import Application
from curation.qualifying.trials.models import Trial
from curation.screening.panels.seats import hand_over_places


@action("staff.recruiting")
@transaction.atomic
def suspend_expert(*, actor: Any, person: User, domain: Domain, reason: str) -> int:
    """Suspend an expert in a domain, sign them out everywhere, and hand over their open work.

    Returns:
        How many pieces of open work were handed over.

    Raises:
        BadInput, Conflict, Denied: as `end_standing`.
    """
    held = end_standing(actor=actor, person=person, domain=domain, reason=reason)
    return hand_over_work([held], actor=actor)


@action("staff.recruiting")
@transaction.atomic
def end_standing(*, actor: Any, person: User, domain: Domain, reason: str) -> Qualification:
    """Suspend an expert in a domain and sign them out everywhere.

    What they made stays: their drafts and tasks keep author and stage, and a rubric in refinement
    waits. The caller hands over their open work (`hand_over_work`) in the same transaction, so
    that work which is finished at the same time is either finished before it or handed over.

    Raises:
        BadInput: no reason.
        Conflict: no active qualification in the domain.
        Denied: the actor is not staff, or is the person.
    """
    words = check_decision(actor, person, reason)
    held = end_qualification(actor=actor, person=person, domain=domain, words=words)
    if held is None:
        raise Conflict(
            _("This expert is not active in the domain now."),
            code="wrong_stage",
        )
    end_sessions(person)  # so that open pages lose the qualification at once
    return held


def end_qualification(
    *, actor: Any, person: User, domain: Domain, words: str
) -> Qualification | None:
    """End a qualification; None if it is not active. The caller hands over the work afterwards.

    Args:
        words: the reason, checked.
    """
    held = _switch(person, domain, active=False)
    if held is None:
        return None
    _move_application(held, ApplicationStage.SUSPENDED, actor, words)
    StandingChange.objects.create(qualification=held, actor=actor, active=False, reason=words)
    return held


def hand_over_work(ended: Sequence[Qualification], *, actor: Any) -> int:
    """Hand over the open work of people whose qualifications ended, in the caller's transaction.

    Called once for all of them, so that nobody gets work in the moment before their own ends.

    Returns:
        How many pieces of work were handed over.
    """
    trials = Trial.objects.filter(
        held_under(ended, person="reader", domain="application__domain"), verdict=""
    )
    released = trials.update(reader=None, reading_since=None) + hand_over_places(ended)
    answers = qualifications_ended.send(sender=Qualification, ended=ended, actor=actor)
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
