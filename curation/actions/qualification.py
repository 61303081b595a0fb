"""An application, from sending it to the training."""

from collections.abc import Mapping
from typing import Any

from django.db import IntegrityError, transaction
from django.utils.translation import gettext as _

from curation import text
from curation.errors import BadInput, Conflict, Denied
from curation.lifecycle import ApplicationStage
from curation.models import Application, Domain, Qualification, Trial, User
from curation.models.qualification import MIN_YEARS


@transaction.atomic
def apply(
    *,
    actor: Any,
    domain: Domain,
    affiliation: str,
    degree: str,
    years: int,
    credentials: str,
    route: str = Application.Route.DIRECT,
    referred_by: Any = None,
    colleague: str = "",
) -> Application:
    """Apply for a domain.

    Args:
        referred_by: the person who referred the applicant, where they have an account.
        colleague: the referrer's address as typed; kept in the history for the staff, who alone
            learn whether it belongs to an account.

    Raises:
        BadInput: something is missing, or fewer than three years of practice.
        Conflict: an application for this domain exists, or the qualification does.
    """
    problems: dict[str, list[str]] = {}
    for name, value, limit in (
        ("affiliation", affiliation, 200),
        ("degree", degree, 200),
        ("credentials", credentials, 5000),
    ):
        problem = text.problem_with(value, limit=limit)
        if problem or text.is_blank(value):
            problems[name] = [problem or _("Please fill this in.")]
    if years < MIN_YEARS:
        problems["years"] = [
            _(
                "The programme asks for at least %(min)s years of practice. If you typed the "
                "number by mistake, correct it; otherwise you are welcome once you have them."
            )
            % {"min": MIN_YEARS}
        ]
    elif years > 70:
        problems["years"] = [_("Count the years of practice, not the year you began.")]
    if domain.external:
        problems["domain"] = [_("Choose one of the programme's domains.")]
    if referred_by is not None and referred_by.pk == actor.pk:
        problems["colleague"] = [_("Name somebody else. Nobody can refer themselves.")]
    if problems:
        raise BadInput(fields=problems)
    if Qualification.objects.filter(user=actor, domain=domain).exists():
        raise Conflict(
            _("You are an expert of this domain already, so there is nothing to apply for."),
            code="already_qualified",
        )
    try:
        with transaction.atomic():
            application = Application.objects.create(
                user=actor,
                domain=domain,
                affiliation=text.clean(affiliation),
                degree=text.clean(degree),
                years=years,
                credentials=text.clean(credentials),
                route=route,
                referred_by=referred_by,
            )
    except IntegrityError:
        raise Conflict(
            _("You have applied for this domain already. Your application is on your home page."),
            code="already_applied",
        ) from None
    if not actor.affiliation:
        actor.affiliation = application.affiliation
        User.objects.filter(pk=actor.pk).update(affiliation=application.affiliation)
    application.record_start(actor=actor, **({"colleague": colleague} if colleague else {}))
    return application


def _refuse_own(actor: Any, application: Application) -> None:
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
        Conflict: wrong stage, or the domain's exam has no questions yet.
        Denied: the applicant is the actor.
    """
    _refuse_own(actor, application)
    application.process.check(application.stage, ApplicationStage.EXAM)
    exam = getattr(application.domain, "exam", None)
    if exam is None or not exam.questions.exists():
        raise Conflict(
            _("This domain has no exam yet. Add one first, then admit the applicant."),
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
def finish_training(
    *, actor: Any, application: Application, version: str, answers: Mapping[str, int], key: Any
) -> dict[str, bool]:
    """Check the training's questions; all right opens the trial task.

    Args:
        answers: question id -> chosen option.
        key: question id -> right option (from `curation.training`).

    Returns:
        question id -> whether it was answered right. Wrong ones can be tried again at once: the
        check teaches, it does not select.
    """
    application.process.check(application.stage, ApplicationStage.TRIAL)
    marks = {question: answers.get(question) == right for question, right in key.items()}
    if all(marks.values()):
        Application.objects.filter(pk=application.pk).update(training_version=version)
        application.training_version = version
        application.advance(ApplicationStage.TRIAL, actor=actor, training=version)
        Trial.objects.create(application=application, number=1)
    return marks


@transaction.atomic
def qualify(*, actor: Any, application: Application, reason: str, **data: Any) -> Qualification:
    """Make the applicant an expert of the domain."""
    application.advance(ApplicationStage.QUALIFIED, actor=actor, reason=reason, **data)
    qualification, _created = Qualification.objects.update_or_create(
        user=application.user, domain=application.domain, defaults={"active": True}
    )
    return qualification


@transaction.atomic
def suspend(*, actor: Any, application: Application, reason: str) -> None:
    """Suspend an expert in a domain, with a reason. Nothing they made is deleted."""
    _refuse_own(actor, application)
    words = _reason(reason, _("Say why. The expert reads it."))
    application.advance(ApplicationStage.SUSPENDED, actor=actor, reason=words)
    Qualification.objects.filter(user=application.user, domain=application.domain).update(
        active=False
    )


@transaction.atomic
def reinstate(*, actor: Any, application: Application, reason: str) -> None:
    """Lift a suspension, with a reason."""
    _refuse_own(actor, application)
    words = _reason(reason, _("Say why. The expert reads it."))
    if application.stage != ApplicationStage.SUSPENDED:
        raise Conflict(_("This expert is not suspended now."), code="wrong_stage")
    qualify(actor=actor, application=application, reason=words)
