"""The staff's decision on one application."""

from typing import Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _

from curation import reasons
from curation.actions import qualification as actions
from curation.errors import BadInput
from curation.forms.qualification import (
    ReasonForm,
    take_back,
)
from curation.lifecycle import ApplicationStage
from curation.queries import applying, exams, staff_applications
from curation.queries import qualification as queries
from curation.queries.happenings import happenings


# --- staff ----------------------------------------------------------------------------------------
def staff_application(request: HttpRequest, pk: int) -> HttpResponse:
    """One application with its decision."""
    thing = queries.access_application(request.user, pk, "application.decide")
    form = ReasonForm(request.POST or None)
    if request.method == "POST":
        form = ReasonForm(request.POST)
        if form.is_valid():
            try:
                words = form.cleaned_data["reason"]
                if request.POST.get("decision") == "turn_down":
                    words = reasons.written_to(thing.user, request.POST.get("prepared", ""), words)
                done = _decide(request, thing, words)
            except BadInput as refusal:
                take_back(form, refusal)
            else:
                messages.success(request, done)
                return redirect("staff-application", thing.pk)
    ties, more_ties = staff_applications.ties_in_domain(thing)
    return render(
        request,
        "people/application.html",
        {
            "application": thing,
            "person": thing.user,
            "form": form,
            "steps": queries.steps(thing),
            "story": happenings(thing, for_staff=True),
            "certificates": applying.certificates(thing),
            "languages": applying.languages_of(thing),
            "others": staff_applications.others_of(thing),
            "ties": ties,
            "more_ties": more_ties,
            "reasons": reasons.choices(),
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
