"""An applicant's verbs: save a draft, apply, complete, withdraw, agree to the terms."""

from collections.abc import Mapping, Sequence
from typing import Any

from django.db import IntegrityError, transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from curation.base.access.action import action
from curation.base.process.lifecycle import ApplicationStage
from curation.base.text import storable, wording
from curation.base.web.refusals import BadInput, Conflict, Stale
from curation.joining.accounts import terms
from curation.joining.accounts.models import TermsConsent
from curation.joining.domains.models import Domain
from curation.joining.invitations.models import Arrival, Invitation
from curation.joining.people import Qualification, User
from curation.qualifying.applications.models import (
    MIN_YEARS,
    Application,
    ApplicationDraft,
    Certification,
)
from curation.tasks.attachments.actions import add_attachment
from curation.tasks.attachments.models import Attachment

MOST_CERTIFICATIONS = 10
MOST_LANGUAGES = 3
_EARLIEST = 1940  # the earliest plausible year of a certificate
_DRAFT_LIMIT = 60_000  # characters of a draft in all


# --- sending ----------------------------------------------------------------------------------
@action("signed_in")
@transaction.atomic
def apply(
    *,
    actor: Any,
    domain: Domain,
    affiliation: str,
    degree: str,
    years: int,
    credentials: str,
    languages: Sequence[str],
    terms_version: str,
    certifications: Sequence[Mapping[str, Any]] = (),
) -> Application:
    """Apply for a domain, or send a withdrawn application again.

    The route into the programme and the referrer are taken from the person's arrival.

    Args:
        languages: codes, best first; one to three.
        terms_version: the version of the terms the person agrees to; "" for none.
        certifications: `title`, `issuer` and `year` (or None) of each.

    Raises:
        BadInput: something is missing, or fewer than three years of practice.
        Conflict: the person has applied for this domain already, or is qualified in it.
    """
    profile = {"affiliation": affiliation, "degree": degree, "credentials": credentials}
    problems = _problems_of_profile(profile, years, languages)
    if domain.external:
        problems["domain"] = [_("Choose one of the programme's domains.")]
    if not terms_version:
        problems["consent"] = [_("The programme can only work with people who agree to its terms.")]
    elif terms_version != terms.current_version():
        problems["consent"] = [
            _("The terms have changed since you opened this page. Read them and agree again.")
        ]
    rows = [_certification(row, problems) for row in certifications]
    if len(rows) > MOST_CERTIFICATIONS:
        problems["certifications"] = [_too_many_certifications()]
    if problems:
        raise BadInput(fields=problems)
    if Qualification.objects.filter(user=actor, domain=domain).exists():
        raise Conflict(
            _("You are an expert of this domain already, so there is nothing to apply for."),
            code="already_qualified",
        )
    facts = {name: storable.clean(value) for name, value in profile.items()} | {
        "years": years,
        "languages": list(languages),
        "terms_version": terms_version,
        "consented_at": timezone.now(),
    }
    application = _resubmit(actor, domain, facts) or _create(actor, domain, facts)
    Certification.objects.bulk_create(Certification(application=application, **row) for row in rows)
    if not actor.affiliation:
        actor.affiliation = application.affiliation
        User.objects.filter(pk=actor.pk).update(affiliation=application.affiliation)
    agree(actor=actor, version=terms_version)
    ApplicationDraft.objects.filter(user=actor).delete()
    return application


def problem_with_years(years: int) -> str | None:
    """Say why nobody can apply with so many years of practice; None if it is fine."""
    if years < MIN_YEARS:
        return _(
            "The programme asks for at least %(min)s years of practice. If you typed the number "
            "by mistake, correct it; otherwise, you are welcome to apply once you have them."
        ) % {"min": MIN_YEARS}
    if years > 70:
        return _("Count the years of practice, not the year you began.")
    return None


def _problems_of_profile(
    profile: Mapping[str, str], years: int, languages: Sequence[str]
) -> dict[str, list[str]]:
    problems: dict[str, list[str]] = {}
    for name, value in profile.items():
        problem = storable.problem_with(value, limit=5000 if name == "credentials" else 200)
        if problem or storable.is_blank(value):
            problems[name] = [problem or _("Please fill this in.")]
    wrong = problem_with_years(years)
    if wrong:
        problems["years"] = [wrong]
    known = [code for code in languages if code in wording.CODES]
    if not languages or len(known) != len(languages):
        problems["languages"] = [_("Choose the language you work in best.")]
    elif len(set(known)) != len(known) or len(known) > MOST_LANGUAGES:
        problems["languages"] = [_("Name each language once, three at most.")]
    return problems


def _resubmit(actor: Any, domain: Domain, facts: Mapping[str, Any]) -> Application | None:
    """Send the withdrawn application for this domain again; None if there is none."""
    found = Application.objects.filter(
        user=actor, domain=domain, stage=ApplicationStage.WITHDRAWN
    ).first()
    if found is None:
        return None
    Application.objects.filter(pk=found.pk).update(**facts)
    found.certifications.all().delete()
    # Remove the evidence of the deleted certifications: hidden files must not take up room.
    found.attachments.filter(removed_at__isnull=True).update(removed_at=timezone.now())
    for name, value in facts.items():
        setattr(found, name, value)
    found.advance(ApplicationStage.APPLIED, actor=actor)
    return found


def _create(actor: Any, domain: Domain, facts: Mapping[str, Any]) -> Application:
    try:
        with transaction.atomic():
            application = Application.objects.create(
                user=actor, domain=domain, **facts, **arrival_fields(actor)
            )
    except IntegrityError:
        raise Conflict(
            _("You have applied for this domain already. Your application is on your home page."),
            code="already_applied",
        ) from None
    application.record_start(actor=actor)
    return application


# --- certifications ---------------------------------------------------------------------------
def _certification(row: Mapping[str, Any], problems: dict[str, list[str]]) -> dict[str, Any]:
    """Return a certification ready to store; add what is wrong with it to `problems`."""
    title, issuer, year = row.get("title", ""), row.get("issuer", ""), row.get("year")
    wrong = storable.problem_with(title, limit=200) or storable.problem_with(issuer, limit=200)
    if wrong is None and storable.is_blank(title):
        wrong = _("Give each certification its title, or leave its row empty.")
    if wrong is None and year is not None and not is_plausible_year(year):
        wrong = _("Give the year the certification was granted, with four digits.")
    if wrong:
        problems.setdefault("certifications", []).append(wrong)
        return {}
    return {"title": storable.clean(title), "issuer": storable.clean(issuer), "year": year}


def is_plausible_year(year: int) -> bool:
    """Return whether a certificate can have been granted in this year."""
    return _EARLIEST <= year <= timezone.now().year


def _too_many_certifications() -> str:
    return _(
        "You can list at most %(n)s certifications. Choose the ones that say most about you."
    ) % {"n": MOST_CERTIFICATIONS}


def _lock_if_waiting(application: Application) -> Application:
    """Lock and return the application; refuse once staff have decided on it."""
    fresh = Application.objects.select_for_update().get(pk=application.pk)
    if fresh.stage != ApplicationStage.APPLIED:
        raise Conflict(
            _("The staff have read this application, so nothing can be added to it any more."),
            code="wrong_stage",
        )
    return fresh


@action("application.work_on", about="application")
@transaction.atomic
def add_certification(*, actor: Any, application: Application, **row: Any) -> Certification:
    """Add a certification while the application waits for the staff.

    Raises:
        BadInput: no title, a text that cannot be stored, or an implausible year.
        Conflict: the staff have decided, or there are `MOST_CERTIFICATIONS` already.
    """
    fresh = _lock_if_waiting(application)
    problems: dict[str, list[str]] = {}
    values = _certification(row, problems)
    if problems:
        raise BadInput(fields={"title": problems["certifications"]})
    if fresh.certifications.count() >= MOST_CERTIFICATIONS:
        raise Conflict(_too_many_certifications(), code="too_many")
    return Certification.objects.create(application=fresh, **values)


@action("application.work_on", about="certification.application")
def add_evidence(*, actor: Any, certification: Certification, upload: Any) -> None:
    """Attach a file to a certification; it replaces an earlier one.

    Raises:
        BadInput, Conflict, Denied: from `add_attachment`.
    """
    row = add_attachment(actor=actor, thing=certification.application, upload=upload)
    with transaction.atomic():
        before = certification.evidence
        Certification.objects.filter(pk=certification.pk).update(evidence=row)
        _mark_removed(before)


@action("application.work_on", about="certification.application")
@transaction.atomic
def remove_certification(*, actor: Any, certification: Certification) -> None:
    """Remove a certification and its evidence from the application.

    Raises:
        Conflict: the staff have decided.
    """
    _lock_if_waiting(certification.application)
    evidence = certification.evidence
    certification.delete()
    _mark_removed(evidence)


def _mark_removed(evidence: Attachment | None) -> None:
    if evidence is not None:
        Attachment.objects.filter(pk=evidence.pk, removed_at__isnull=True).update(
            removed_at=timezone.now()
        )


# --- withdrawing ------------------------------------------------------------------------------
# Who has passed the exam goes on or stops; only closing the account withdraws their application.
WITHDRAWABLE = (ApplicationStage.APPLIED, ApplicationStage.EXAM)


@action("application.work_on", about="application")
@transaction.atomic
def withdraw(*, actor: Any, application: Application, reason: str = "") -> None:
    """Withdraw an application before the exam is passed.

    It can be sent again later; attempts at the exam stay counted.

    Raises:
        Denied: it is not the actor's.
        BadInput: a reason that cannot be stored.
        Conflict: the exam is running, or the stage no longer allows it.
    """
    problem = storable.problem_with(reason, limit=2000)
    if problem:
        raise BadInput(fields={"reason": [problem]})
    fresh = Application.objects.select_for_update().get(pk=application.pk)
    if fresh.sittings.filter(submitted_at__isnull=True).exists():
        raise Conflict(
            _("Your exam is running. Hand it in first, then withdraw."), code="exam_running"
        )
    if fresh.stage not in WITHDRAWABLE:
        raise Conflict(
            _("An application is withdrawn before the exam is passed, not later."),
            code="wrong_stage",
        )
    application.advance(ApplicationStage.WITHDRAWN, actor=actor, reason=storable.clean(reason))


@transaction.atomic
def resume(*, user: Any, by: Any, reason: str) -> int:
    """Resume the applications that closing an account withdrew from training or trial.

    Earlier ones the person sends again themselves. Returns how many go on.
    """
    resumed = 0
    for application in Application.objects.filter(
        user=user, stage=ApplicationStage.WITHDRAWN
    ).select_related("user", "domain"):
        left = application.history.filter(to_stage=ApplicationStage.WITHDRAWN).last()
        if left is not None and left.from_stage not in (*WITHDRAWABLE, ""):
            application.advance(left.from_stage, actor=by, reason=reason)
            resumed += 1
    return resumed


# --- terms ------------------------------------------------------------------------------------
@action("signed_in")
def agree(*, actor: Any, version: str) -> None:
    """Record that a person agrees to the terms; agreeing again changes nothing.

    Raises:
        Conflict: `terms_changed`: another version is in force.
    """
    if version != terms.current_version():
        raise Conflict(
            _("The terms have changed since you opened this page. Read them and agree again."),
            code="terms_changed",
        )
    TermsConsent.objects.get_or_create(user=actor, version=version)


# --- the draft --------------------------------------------------------------------------------
@action("signed_in")
@transaction.atomic
def save_draft(*, actor: Any, fields: Mapping[str, str], version: int) -> ApplicationDraft:
    """Store the form as typed so far, unless it was saved elsewhere since `version` was read.

    Args:
        version: of the draft the form was filled from; 0 where there was none.

    Raises:
        BadInput: a text cannot be stored, or all together are too long.
        Stale: another save came first; `data` holds both forms.
    """
    if sum(len(name) + len(value) for name, value in fields.items()) > _DRAFT_LIMIT:
        raise BadInput(_("This is more text than an application can hold."), code="too_long")
    for value in fields.values():
        problem = storable.problem_with(value)
        if problem:
            raise BadInput(problem)
    draft, created = ApplicationDraft.objects.get_or_create(
        user=actor, defaults={"fields": dict(fields)}
    )
    if created:
        return draft
    saved = ApplicationDraft.objects.filter(user=actor, version=version).update(
        fields=dict(fields), version=version + 1, saved_at=timezone.now()
    )
    draft.refresh_from_db()
    if not saved and draft.fields != dict(fields):
        raise Stale(
            data={
                "yours": dict(fields),
                "theirs": draft.fields,
                "version": draft.version,
                "at": draft.saved_at.isoformat(),
            }
        )
    return draft


def arrival_fields(user: Any) -> dict[str, Any]:
    """Return the fields of an application that come from the person's arrival.

    Returns:
        `route`, `referred_by` and `invitation` for `Application`.
    """
    arrival = (
        Arrival.objects.select_related("invitation__invited_by").filter(user_id=user.pk).first()
    )
    if arrival is None:
        return {"route": Application.Route.DIRECT, "referred_by": None, "invitation": None}
    invitation = arrival.invitation
    by_colleague = invitation.kind == Invitation.Kind.REFERRAL
    route = {
        Invitation.Kind.PERSON: Application.Route.INVITATION,
        Invitation.Kind.REFERRAL: Application.Route.REFERRAL,
        Invitation.Kind.VENDOR: Application.Route.VENDOR,
    }[Invitation.Kind(invitation.kind)]
    return {
        "route": route,
        "referred_by": invitation.invited_by if by_colleague else None,
        "invitation": invitation,
    }


@transaction.atomic
def qualify(*, actor: Any, application: Application, reason: str, **data: Any) -> Qualification:
    """Move an application to qualified and give the applicant the active qualification.

    Args:
        data: further facts for the history row.

    Raises:
        Conflict: `closed`: the applicant's account is closed.
    """
    if not application.user.is_active:
        raise Conflict(_("This person has closed their account."), code="closed")
    application.advance(ApplicationStage.QUALIFIED, actor=actor, reason=reason, **data)
    qualification, _created = Qualification.objects.update_or_create(
        user=application.user, domain=application.domain, defaults={"active": True}
    )
    return qualification
