"""Actions of staff on applications: admit, reject, suspend, reinstate."""

from typing import Any

from django.db import transaction
from django.utils.translation import gettext as _

from curation.base.access.action import action
from curation.base.process.lifecycle import ApplicationStage
from curation.base.text import storable
from curation.base.web.reasons import required_reason
from curation.base.web.refusals import Conflict, Denied
from curation.qualifying.applications.models import Application
from curation.qualifying.exams.bank_queries import is_ready
from curation.qualifying.experts.suspension import check_decision, reinstate_expert, suspend_expert
from curation.qualifying.trials.actions import open_trial_again


def _refuse_own(actor: Any, application: Application) -> None:
    if application.user_id == actor.pk:
        raise Denied(_("You cannot decide on your own application. Somebody else has to."))


@action("application.decide", about="application")
@transaction.atomic
def admit(*, actor: Any, application: Application, reason: str = "") -> Application:
    """Admit an applicant to the exam.

    Raises:
        Conflict: `wrong_stage`; or `no_exam`, the domain's exam cannot draw a paper yet.
        Denied: the actor is the applicant.
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
    application.advance(ApplicationStage.EXAM, actor=actor, reason=storable.clean(reason))
    return application


@action("application.decide", about="application")
@transaction.atomic
def reject(*, actor: Any, application: Application, reason: str) -> Application:
    """Reject an application, with a reason that the applicant reads.

    Raises:
        BadInput: no reason, or one that cannot be stored.
        Conflict: the stage does not allow it.
        Denied: the actor is the applicant.
    """
    _refuse_own(actor, application)
    words = required_reason(reason, _("Give a reason. The applicant reads it."))
    application.advance(ApplicationStage.REJECTED, actor=actor, reason=words)
    return application


@action("application.decide", about="application")
@transaction.atomic
def take_back_rejection(*, actor: Any, application: Application, reason: str) -> Application:
    """Take a rejection back, to the stage where the application was rejected.

    A trial task that a senior rejected opens in its next version, as if it were returned.

    Raises:
        BadInput: no reason.
        Conflict: `wrong_stage`, it is not rejected; `attempts_used`, no attempt at the exam is
            left.
        Denied: the actor is the applicant.
    """
    _refuse_own(actor, application)
    words = required_reason(reason, _("Say why you take it back. The applicant reads it."))
    rejection = application.history.filter(to_stage=ApplicationStage.REJECTED).last()
    if application.stage != ApplicationStage.REJECTED or rejection is None:
        raise Conflict(_("This application is not rejected."), code="wrong_stage")
    back_to = rejection.from_stage
    if back_to == ApplicationStage.EXAM and _attempts_used(application):
        raise Conflict(
            _(
                "All attempts at the exam are used, so the applicant could not go on. Allow more "
                "attempts in the exam's settings first."
            ),
            code="attempts_used",
        )
    application.advance(back_to, actor=actor, reason=words)
    open_trial_again(application)
    return application


def _attempts_used(application: Application) -> bool:
    exam = getattr(application.domain, "exam", None)
    return exam is not None and application.sittings.count() >= exam.attempts


@action("application.decide", about="application")
@transaction.atomic
def suspend(*, actor: Any, application: Application, reason: str) -> int:
    """Suspend the expert of an application in its domain, with a reason.

    Returns:
        How many pieces of open work were handed over.

    Raises:
        BadInput, Conflict, Denied: as `suspend_expert`.
    """
    check_decision(actor, application.user, reason)
    application.process.check(application.stage, ApplicationStage.SUSPENDED)
    released = suspend_expert(
        actor=actor, person=application.user, domain=application.domain, reason=reason
    )
    application.refresh_from_db(fields=["stage", "stage_since"])
    return released


@action("application.decide", about="application")
@transaction.atomic
def reinstate(*, actor: Any, application: Application, reason: str) -> None:
    """Lift the suspension of an application's expert, with a reason.

    Raises:
        BadInput, Conflict, Denied: as `reinstate_expert`.
    """
    reinstate_expert(actor=actor, person=application.user, domain=application.domain, reason=reason)
    application.refresh_from_db(fields=["stage", "stage_since"])
