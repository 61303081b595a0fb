"""Staff's page of one application."""

from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext as _

from curation.base.process import prepared_reasons
from curation.base.process.lifecycle import ApplicationStage
from curation.base.web.forms import ReasonForm
from curation.base.web.refusals import BadInput
from curation.base.web.step import go, refused_at, status_of
from curation.qualifying.applications.access import access_application
from curation.qualifying.applications.queries import certificates, languages_of
from curation.qualifying.exams.queries import exam_intro
from curation.qualifying.qualification import actions, queries, staff_queries
from curation.qualifying.qualification.history import application_history


# --- staff ----------------------------------------------------------------------------------------
def staff_application(request: HttpRequest, pk: int) -> HttpResponse:
    """Show an application with the decisions open to staff; a POST decides."""
    thing = access_application(request.user, pk, "application.oversee")
    form = ReasonForm(request.POST or None)
    if request.method == "POST":
        form = ReasonForm(request.POST)
        if form.is_valid():
            with refused_at(form):
                words = form.cleaned_data["reason"]
                if request.POST.get("decision") == "reject":
                    words = prepared_reasons.text_for(
                        thing.user, request.POST.get("prepared", ""), words
                    )
                done = _decide(request, thing, words)
                return go(request, done, "staff-application", thing.pk)
    conflicts, more_conflicts = staff_queries.conflicts_in_domain(thing)
    return render(
        request,
        "qualifying/qualification/staff_application.html",
        {
            "application": thing,
            "person": thing.user,
            "form": form,
            "steps": queries.steps(thing),
            "story": application_history(thing, for_staff=True),
            "certificates": certificates(thing),
            "languages": languages_of(thing),
            "others": staff_queries.others_of(thing),
            "conflicts": conflicts,
            "more_conflicts": more_conflicts,
            "reasons": prepared_reasons.choices(),
            "intro": exam_intro(thing),
            "may_reject": ApplicationStage.REJECTED in thing.stage_spec.to,
        },
        status=status_of(form),
    )


def _decide(request: HttpRequest, thing: Any, reason: str) -> str:
    """Carry out one of the decisions, and return the message that says what follows.

    Raises:
        BadInput: an unknown decision, or a missing reason.
    """
    decision = request.POST.get("decision", "")
    who = {"who": thing.user.pseudonym}
    if decision == "admit":
        actions.admit(actor=request.user, application=thing, reason=reason)
        return _("%(who)s is admitted and can sit the exam now.") % who
    if decision == "reject":
        actions.reject(actor=request.user, application=thing, reason=reason)
        return _("Rejected. %(who)s reads your reason on the application page.") % who
    if decision == "take_back":
        actions.take_back_rejection(actor=request.user, application=thing, reason=reason)
        return _("Taken back. %(who)s reads your reason and goes on where it had stopped.") % who
    if decision == "suspend":
        actions.suspend(actor=request.user, application=thing, reason=reason)
        return _("%(who)s is suspended in this domain. Nothing they wrote was changed.") % who
    if decision == "reinstate":
        actions.reinstate(actor=request.user, application=thing, reason=reason)
        return _("%(who)s works in this domain again.") % who
    raise BadInput(_("Choose one of the decisions shown."))
