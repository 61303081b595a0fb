"""The applicant's pages, from applying to the training; and the staff's decision."""

from typing import Any

from django.contrib import messages
from django.core.paginator import Paginator
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _

from curation import training as course
from curation.actions import qualification as actions
from curation.errors import BadInput, Conflict
from curation.forms.qualification import (
    ApplicationFilter,
    ApplicationForm,
    ReasonForm,
    kept,
    take_back,
)
from curation.lifecycle import ApplicationStage
from curation.models import Domain
from curation.queries import exams
from curation.queries import qualification as queries
from curation.queries.happenings import happenings

PER_PAGE = 50


def _open_domains(user: Any) -> Any:
    """The domains a person has neither applied for nor qualified in."""
    return (
        Domain.objects.filter(external=False)
        .exclude(applications__user=user)
        .exclude(qualifications__user=user)
    )


def apply(request: HttpRequest) -> HttpResponse:
    """Apply for a domain."""
    form = ApplicationForm(request.POST or None, domains=_open_domains(request.user))
    if request.method == "POST":
        # A domain that is no longer open is refused by the action, with the right words.
        form.fields["domain"].queryset = Domain.objects.filter(external=False)  # type: ignore[attr-defined]
        if form.is_valid():
            values = dict(form.cleaned_data)
            try:
                application = actions.apply(
                    actor=request.user, referred_by=form.referrer(), **values
                )
            except BadInput as refusal:
                take_back(form, refusal)
            else:
                messages.success(
                    request,
                    _("Application sent. The staff read it; the exam opens when they admit you."),
                )
                return redirect("application", application.pk)
    return render(
        request,
        "qualification/apply.html",
        {
            "form": form,
            "applications": queries.own_applications(request.user),
            "nothing_open": not _open_domains(request.user).exists(),
        },
        status=400 if form.is_bound else 200,
    )


def application(request: HttpRequest, pk: int) -> HttpResponse:
    """Where one's application stands, what happens next, and what has happened."""
    thing = queries.access_application(request.user, pk, "application.work_on")
    return render(
        request,
        "qualification/application.html",
        {
            "application": thing,
            "steps": queries.steps(thing),
            "story": happenings(thing),
            "last": thing.history.order_by("-at", "-id").first(),
            "intro": exams.intro(thing),
            "sittings": list(thing.sittings.order_by("-attempt")),
            "trial": queries.latest_trial(thing),
        },
    )


def training(request: HttpRequest, pk: int) -> HttpResponse:
    """The units one after another, then the check. Answers are kept between visits."""
    thing = queries.access_application(request.user, pk, "application.work_on")
    waits = {ApplicationStage.APPLIED, ApplicationStage.EXAM, ApplicationStage.REJECTED}
    if thing.stage in waits:
        raise Conflict(_("The training opens when you have passed the exam."), code="wrong_stage")
    shelf = f"training-{thing.pk}"
    given: dict[str, int] = request.session.get(shelf, {})
    open_now = thing.stage == ApplicationStage.TRAINING
    if request.method == "POST":
        key = course.answer_key()
        for question in key:
            raw = request.POST.get(question, "")
            if raw.isdecimal() and len(raw) < 4:
                given[question] = int(raw)
        actions.finish_training(
            actor=request.user,
            application=thing,
            version=course.current_version(),
            answers=given,
            key=key,
        )
        if thing.stage == ApplicationStage.TRIAL:
            request.session.pop(shelf, None)
            messages.success(
                request, _("All answers are right. The trial task is open: write it next.")
            )
            return redirect("application", thing.pk)
        request.session[shelf] = given
        return redirect(f"{request.path}?unit=check#check")
    units = course.units()
    wanted = request.GET.get("unit", "")
    number = int(wanted) if wanted.isdecimal() and 1 <= int(wanted[:3]) <= len(units) else 1
    return render(
        request,
        "qualification/training.html",
        {
            "application": thing,
            "units": units,
            "unit": None if wanted == "check" else units[number - 1],
            "number": number,
            "before": number - 1,
            "after": number + 1 if number < len(units) else None,
            "open": open_now,
            "check": _check(given, open_now) if wanted == "check" else None,
        },
    )


def _check(given: dict[str, int], open_now: bool) -> list[dict[str, Any]]:
    """The check's questions with one's own answers; what was not tried shows no explanation."""
    key = course.answer_key()
    rows: list[dict[str, Any]] = []
    for question in course.questions():
        chosen = given.get(question.id)
        tried = chosen is not None
        rows.append(
            {
                "question": question,
                "chosen": chosen,
                "state": "open" if not tried else "yes" if chosen == key[question.id] else "no",
                "explanation": course.explanation(question.id) if tried or not open_now else "",
            }
        )
    return rows


# --- staff ----------------------------------------------------------------------------------------
def staff_applications(request: HttpRequest) -> HttpResponse:
    """All applications; those that wait for the staff come first."""
    form = ApplicationFilter(request.GET)
    wanted = kept(form)
    rows = queries.applications(stage=wanted.get("stage", ""), domain=wanted.get("domain"))
    page = Paginator(rows, PER_PAGE).get_page(request.GET.get("page"))
    return render(
        request,
        "people/applications.html",
        {"form": form, "page": page, "query": _query(request), "filtered": bool(wanted)},
    )


def _query(request: HttpRequest) -> str:
    """The rest of the query string, for the pager's links."""
    rest = request.GET.copy()
    rest.pop("page", None)
    return f"{rest.urlencode()}&" if rest else ""


def staff_application(request: HttpRequest, pk: int) -> HttpResponse:
    """One application with its decision."""
    thing = queries.access_application(request.user, pk, "application.decide")
    form = ReasonForm(request.POST or None)
    if request.method == "POST":
        form = ReasonForm(request.POST)
        if form.is_valid():
            try:
                done = _decide(request, thing, form.cleaned_data["reason"])
            except BadInput as refusal:
                take_back(form, refusal)
            else:
                messages.success(request, done)
                return redirect("staff-application", thing.pk)
    return render(
        request,
        "people/application.html",
        {
            "application": thing,
            "person": thing.user,
            "form": form,
            "steps": queries.steps(thing),
            "story": happenings(thing, for_staff=True),
            "colleague": queries.named_colleague(thing),
            "intro": exams.intro(thing),
            "may_turn_down": ApplicationStage.REJECTED in thing.place.to,
        },
        status=400 if form.errors else 200,
    )


def _decide(request: HttpRequest, thing: Any, reason: str) -> str:
    """Carry out one of the four decisions and say what follows from it.

    Raises:
        BadInput: an unknown decision, or a missing reason.
    """
    decision = request.POST.get("decision", "")
    who = {"who": thing.user.pseudonym}
    if decision == "admit":
        actions.admit(actor=request.user, application=thing, reason=reason)
        return _("%(who)s is admitted and can sit the exam now.") % who
    if decision == "turn_down":
        actions.turn_down(actor=request.user, application=thing, reason=reason)
        return _("Turned down. %(who)s reads your reason on the application page.") % who
    if decision == "suspend":
        actions.suspend(actor=request.user, application=thing, reason=reason)
        return _("%(who)s is suspended in this domain. Nothing they wrote was changed.") % who
    if decision == "reinstate":
        actions.reinstate(actor=request.user, application=thing, reason=reason)
        return _("%(who)s works in this domain again.") % who
    raise BadInput(_("Choose one of the decisions shown."))
