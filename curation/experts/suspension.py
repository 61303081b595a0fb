"""Staff suspend an expert in a domain and lift it again; the open work goes to colleagues."""

from typing import Any

from django.db import transaction
from django.utils.translation import gettext as _

from curation.access.action import action
from curation.accounts.adapter import end_sessions
from curation.applications.models import Application
from curation.domains.models import Domain
from curation.panels.seats import hand_over
from curation.people.models import Qualification, StandingChange, User
from curation.process.lifecycle import ApplicationStage
from curation.process.signals import qualification_ended
from curation.trials.models import Trial
from curation.web.reasons import required_reason
from curation.web.refusals import Conflict, Denied


@action("staff")
@transaction.atomic
def suspend_expert(*, actor: Any, person: User, domain: Domain, reason: str) -> int:
    """Suspend an expert in a domain, and sign them out everywhere. What they made stays.

    What they hold goes to colleagues.

    Their own drafts and tasks keep their author and their stage; a rubric in refinement waits.
    Everything is handed over in this transaction: a colleague who finishes something at the same
    moment comes wholly before or wholly after it.

    Returns:
        how many pieces of open work were handed over.

    Raises:
        BadInput: no reason.
        Conflict: no active qualification in the domain.
        Denied: the actor is not staff, or the person themselves.
    """
    words = check_decision(actor, person, reason)
    held = _changed(person, domain, active=False)
    if held is None:
        raise Conflict(
            _("This expert is not active in the domain now."),
            code="wrong_stage",
        )
    _move_application(held, ApplicationStage.SUSPENDED, actor, words)
    StandingChange.objects.create(qualification=held, actor=actor, active=False, reason=words)
    end_sessions(person)  # pages opened with the standing close with it
    released = Trial.objects.filter(reader=person, application__domain=domain, verdict="").update(
        reader=None, reading_since=None
    )
    released += hand_over(user=person, domain_id=domain.pk)
    answers = qualification_ended.send(sender=Qualification, instance=held, actor=actor)
    return released + sum(int(number or 0) for _receiver, number in answers)


@action("staff")
@transaction.atomic
def reinstate_expert(*, actor: Any, person: User, domain: Domain, reason: str) -> Qualification:
    """Lift a suspension. Work that was handed over stays where it is.

    Raises:
        BadInput: no reason.
        Conflict: not suspended in the domain.
        Denied: the actor is not staff, or the person themselves.
    """
    words = check_decision(actor, person, reason)
    held = _changed(person, domain, active=True)
    if held is None:
        raise Conflict(_("This expert is not suspended now."), code="wrong_stage")
    _move_application(held, ApplicationStage.QUALIFIED, actor, words)
    StandingChange.objects.create(qualification=held, actor=actor, active=True, reason=words)
    return held


def check_decision(actor: Any, person: Any, reason: str) -> str:
    """The reason, ready to be stored; refused where staff decide on themselves.

    Raises:
        Denied, BadInput.
    """
    if person.pk == actor.pk:
        raise Denied(_("Somebody else decides on your own standing."))
    return required_reason(reason, _("Say why. The expert reads it."))


def _changed(person: User, domain: Domain, *, active: bool) -> Qualification | None:
    """The qualification, switched by compare-and-swap; None if it was so already."""
    rows = Qualification.objects.filter(user=person, domain=domain)
    if not rows.filter(active=not active).update(active=active):
        return None
    return rows.select_related("user", "domain").get()


def _move_application(held: Qualification, to: str, actor: Any, words: str) -> None:
    """Move the application with it. Who was entered by hand has none."""
    application = Application.objects.filter(user=held.user, domain=held.domain).first()
    if application is not None and to in application.place.to:
        application.advance(to, actor=actor, reason=words)
