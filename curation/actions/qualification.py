"""An application in the hands of the staff, and the training."""

from typing import Any

from django.db import transaction
from django.utils.translation import gettext as _

from curation import text
from curation.access import is_staff
from curation.actions.standing import check_decision, reinstate_expert, suspend_expert
from curation.errors import BadInput, Conflict, Denied
from curation.lifecycle import ApplicationStage
from curation.models import Application, Qualification
from curation.queries.bank import is_ready


def _refuse_own(actor: Any, application: Application) -> None:
    if not is_staff(actor, None):
        raise Denied()
    if application.user_id == actor.pk:
        raise Denied(_("Somebody else decides on your own application."))


def _reason(reason: str, missing: str) -> str:
    """The reason, ready to be stored; refused if it is blank or cannot be stored."""
    problem = text.problem_with(reason, limit=5000)
    if problem or text.is_blank(reason):
        raise BadInput(fields={"reason": [problem or missing]})
    return text.clean(reason)


@transaction.atomic
def admit(*, actor: Any, application: Application, reason: str = "") -> Application:
    """Staff let an applicant sit the exam.

    Raises:
        Conflict: wrong stage, or no paper of the domain's exam can be drawn yet.
        Denied: the applicant is the actor.
    """
    _refuse_own(actor, application)
    application.process.check(application.stage, ApplicationStage.EXAM)
    exam = getattr(application.domain, "exam", None)
    if not is_ready(exam):
        raise Conflict(
            _(
                "The exam of this domain is not ready: its bank is empty or cannot fill the "
                "blueprint. Complete it first, then admit the applicant."
            ),
            code="no_exam",
        )
    application.advance(ApplicationStage.EXAM, actor=actor, reason=text.clean(reason))
    return application


@transaction.atomic
def turn_down(*, actor: Any, application: Application, reason: str) -> Application:
    """Staff reject an application, with a reason that reaches the applicant.

    Raises:
        BadInput: no reason, or one that cannot be stored.
        Conflict: the stage no longer allows it.
    """
    _refuse_own(actor, application)
    words = _reason(reason, _("Give a reason. The applicant reads it."))
    application.advance(ApplicationStage.REJECTED, actor=actor, reason=words)
    return application


@transaction.atomic
def qualify(*, actor: Any, application: Application, reason: str, **data: Any) -> Qualification:
    """Make the applicant an expert of the domain."""
    application.advance(ApplicationStage.QUALIFIED, actor=actor, reason=reason, **data)
    qualification, _created = Qualification.objects.update_or_create(
        user=application.user, domain=application.domain, defaults={"active": True}
    )
    return qualification


@transaction.atomic
def suspend(*, actor: Any, application: Application, reason: str) -> int:
    """Suspend an expert in a domain, with a reason. Nothing they made is deleted.

    Returns:
        how many pieces of open work went to colleagues.
    """
    check_decision(actor, application.user, reason)
    application.process.check(application.stage, ApplicationStage.SUSPENDED)
    released = suspend_expert(
        actor=actor, person=application.user, domain=application.domain, reason=reason
    )
    application.refresh_from_db(fields=["stage", "stage_since"])
    return released


@transaction.atomic
def reinstate(*, actor: Any, application: Application, reason: str) -> None:
    """Lift a suspension, with a reason."""
    reinstate_expert(actor=actor, person=application.user, domain=application.domain, reason=reason)
    application.refresh_from_db(fields=["stage", "stage_since"])
