"""Pages of the applicant: the form, the application, the terms."""

from typing import Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.http import url_has_allowed_host_and_scheme
from django.utils.translation import gettext as _

from curation.base.process.lifecycle import ApplicationStage
from curation.base.web.once import once
from curation.base.web.refusals import BadInput, Conflict
from curation.base.web.step import go, refused_at
from curation.joining.accounts import terms
from curation.joining.domains.models import Domain
from curation.qualifying.applications import actions
from curation.qualifying.applications.actions import WITHDRAWABLE
from curation.qualifying.applications.forms import (
    LANGUAGES,
    PROFILE,
    ApplicationForm,
    CertificationForm,
    CertificationRow,
    check_rows,
    rows_in,
)
from curation.qualifying.applications.models import Application
from curation.qualifying.applications.queries import (
    access_application,
    access_certification,
    certificates,
    draft_of,
    initial_values,
    languages_of,
    own_applications,
)
from curation.qualifying.exams.queries import exam_intro
from curation.qualifying.qualification import queries
from curation.qualifying.qualification.history import application_history
from curation.qualifying.trials.queries import latest_trial
from curation.tasks.attachments.content import ACCEPT


# --- applying ---------------------------------------------------------------------------------
def _open_domains(user: Any) -> Any:
    """Return the domains a person can apply for: no qualification, and no application that stands.

    A withdrawn application may be sent again.
    """
    held = Application.objects.filter(user=user).exclude(stage=ApplicationStage.WITHDRAWN)
    return (
        Domain.objects.filter(external=False)
        .exclude(pk__in=held.values("domain"))
        .exclude(qualifications__user=user)
    )


def apply(request: HttpRequest) -> HttpResponse:
    """Show the form and take an application. Rows of certifications work without JavaScript."""
    if request.method != "POST":
        return _new_form(request)
    rows = rows_in(request.POST, request.FILES)
    then = request.POST.get("then", "")
    if then == "row" or then.startswith("drop-"):
        form = ApplicationForm(initial=request.POST.dict(), domains=_open_domains(request.user))
        return _form(request, form, _rows_changed(rows, then))
    form = ApplicationForm(request.POST, domains=Domain.objects.filter(external=False))
    certifications = check_rows(rows)
    faulty = any(row.error for row in rows)
    if form.is_valid() and not faulty:
        with refused_at(form):
            application = actions.apply(
                actor=request.user, **form.profile(), certifications=certifications
            )
            return _after_sending(request, application, rows)
    if faulty:
        form.add_error(None, _("A certification is missing something: its row below says what."))
    return _form(request, form, rows, status=400)


def _new_form(request: HttpRequest) -> HttpResponse:
    user: Any = request.user
    draft = draft_of(user)
    kept = draft.fields if draft else {"affiliation": user.affiliation, **initial_values(user)}
    form = ApplicationForm(initial=kept, domains=_open_domains(request.user))
    return _form(request, form, rows_in(kept), draft=draft)


def _rows_changed(rows: list[CertificationRow], then: str) -> list[CertificationRow]:
    """Add a row, or drop one, as the pressed button says."""
    if then == "row":
        number = max((row.number for row in rows), default=-1) + 1
        return [*rows, CertificationRow(number)][: actions.MOST_CERTIFICATIONS]
    return [row for row in rows if then != f"drop-{row.number}"]


def _form(
    request: HttpRequest,
    form: ApplicationForm,
    rows: list[CertificationRow],
    *,
    draft: Any = None,
    status: int = 200,
) -> HttpResponse:
    answer = render(
        request,
        "qualifying/applications/apply.html",
        {
            "form": form,
            "rows": rows or [CertificationRow(0)],
            "new_row": CertificationRow(0),
            "most_rows": actions.MOST_CERTIFICATIONS,
            "accept": ACCEPT,
            "draft": draft,
            "version": draft.version if draft else request.POST.get("version", "0"),
            "terms_version": terms.current_version(),
            "applications": own_applications(request.user),
            "nothing_open": not _open_domains(request.user).exists(),
        },
        status=status,
    )
    answer["Cache-Control"] = "no-store"  # so that going back shows the saved draft
    return answer


def _after_sending(
    request: HttpRequest, application: Application, rows: list[CertificationRow]
) -> Any:
    """Add the evidence to a sent application. A file that is refused does not undo it."""
    named = [row for row in rows if not row.is_blank]
    for row, certification in zip(named, application.certifications.all(), strict=True):
        upload = request.FILES.get(row.file_name)
        if upload is not None:
            _try_evidence(request, certification, upload)
    return go(
        request,
        _("Application sent. The staff read it; the exam opens when they admit you."),
        "application",
        application.pk,
    )


def _try_evidence(request: HttpRequest, certification: Any, upload: Any) -> bool:
    try:
        actions.add_evidence(actor=request.user, certification=certification, upload=upload)
    except (BadInput, Conflict) as refusal:
        said = str((refusal.fields.get("file") or [refusal.detail])[0])
        messages.error(
            request,
            _("The evidence for “%(title)s” was not accepted: %(why)s")
            % {"title": certification.title, "why": said},
        )
        return False
    return True


def apply_draft(request: HttpRequest) -> JsonResponse:
    """Save the form for the page's script."""
    wanted = {*PROFILE, *LANGUAGES}
    fields = {
        name: str(value)
        for name, value in request.POST.dict().items()
        if name in wanted or name.startswith("cert-")
    }
    raw = request.POST.get("version", "0")
    version = int(raw) if raw.isascii() and raw.isdecimal() and len(raw) < 10 else 0
    draft = actions.save_draft(actor=request.user, fields=fields, version=version)
    return JsonResponse(
        {"saved_at": f"{timezone.localtime(draft.saved_at):%H:%M:%S}", "version": draft.version}
    )


# --- one application --------------------------------------------------------------------------
def application(request: HttpRequest, pk: int) -> HttpResponse:
    """Show a person's application: its stage, what happens next, its history."""
    thing = access_application(request.user, pk, "application.work_on")
    return _page(request, thing, CertificationForm())


def _page(
    request: HttpRequest, thing: Application, form: CertificationForm, *, status: int = 200
) -> HttpResponse:
    stage = thing.stage
    return render(
        request,
        "qualifying/qualification/application.html",
        {
            "application": thing,
            "steps": queries.steps(thing),
            "story": application_history(thing),
            "last": thing.history.exclude(data__has_key="event").order_by("-at", "-id").first(),
            "intro": exam_intro(thing),
            "sittings": list(thing.sittings.order_by("-attempt")),
            "trial": latest_trial(thing),
            "certificates": certificates(thing),
            "languages": languages_of(thing),
            "certification_form": form,
            "accept": ACCEPT,
            "may_complete": stage == ApplicationStage.APPLIED,
            "may_withdraw": thing.stage in WITHDRAWABLE,
        },
        status=status,
    )


def application_withdraw(request: HttpRequest, pk: int) -> HttpResponse:
    """Withdraw a person's own application."""
    thing = access_application(request.user, pk, "application.work_on")
    actions.withdraw(actor=request.user, application=thing)
    return go(
        request, _("Withdrawn. You can send it again whenever you like."), "application", thing.pk
    )


@once
def certification_add(request: HttpRequest, pk: int) -> HttpResponse:
    """Add a certification, with its evidence if a file was chosen."""
    thing = access_application(request.user, pk, "application.work_on")
    form = CertificationForm(request.POST)
    if form.is_valid():
        with refused_at(form):
            added = actions.add_certification(
                actor=request.user, application=thing, **form.cleaned_data
            )
            upload = request.FILES.get("file")
            if upload is None or _try_evidence(request, added, upload):
                messages.success(request, _("Added: %(name)s.") % {"name": added.title})
            return redirect("application", thing.pk)
    return _page(request, thing, form, status=400)


@once
def certification_evidence(request: HttpRequest, pk: int) -> HttpResponse:
    """Add a file as evidence of a certification."""
    thing = access_certification(request.user, pk)
    upload = request.FILES.get("file")
    if upload is None:
        messages.error(request, _("Choose a file first, then add it."))
    elif _try_evidence(request, thing, upload):
        messages.success(request, _("Evidence added to “%(name)s”.") % {"name": thing.title})
    return redirect("application", thing.application_id)


def certification_remove(request: HttpRequest, pk: int) -> HttpResponse:
    """Remove a certification from the application."""
    thing = access_certification(request.user, pk)
    actions.remove_certification(actor=request.user, certification=thing)
    return go(
        request,
        _("Removed: %(name)s.") % {"name": thing.title},
        "application",
        thing.application_id,
    )


# --- terms ------------------------------------------------------------------------------------
def terms_page(request: HttpRequest) -> HttpResponse:
    """Show the terms; a signed-in person can agree to them here."""
    wanted = request.POST.get("next") or request.GET.get("next") or "/"
    if not (wanted.startswith("/") and url_has_allowed_host_and_scheme(wanted, allowed_hosts=None)):
        wanted = "/"
    if request.method == "POST":
        actions.agree(actor=request.user, version=request.POST.get("version", ""))
        request.session.pop(terms.DUE, None)
        return go(request, _("Noted. You agreed to these terms today."), wanted)
    signed_in = request.user.is_authenticated
    return render(
        request,
        "terms.html",
        {
            "sections": terms.sections(),
            "version": terms.current_version(),
            "may_agree": signed_in and not terms.has_agreed(request.user),
            "due": signed_in and bool(request.session.get(terms.DUE)),
            "changed": signed_in and terms.has_ever_agreed(request.user),
            "next": wanted,
        },
    )
