"""Staff's page of one application."""

from typing import Any

from django import forms
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from curation.base.process import prepared_reasons
from curation.base.process.lifecycle import ApplicationStage
from curation.base.text import storable
from curation.base.web.forms import ReasonForm, days_filter
from curation.base.web.refusals import BadInput
from curation.base.web.step import go, refused_at, status_of
from curation.joining.domains.forms import domain_filter
from curation.qualifying.applications.models import Application
from curation.qualifying.applications.queries import access_application, certificates, languages_of
from curation.qualifying.exams.queries import exam_intro
from curation.qualifying.qualification import actions, queries, staff_queries
from curation.qualifying.qualification.history import application_history

YEARS = {"3": (3, 5), "6": (6, 10), "11": (11, 20), "21": (21, 200)}


class QueueFilter(forms.Form):
    """The filter of the list of applications."""

    q = forms.CharField(
        required=False, max_length=200, label=gettext_lazy("Search"), widget=forms.SearchInput()
    )
    stage = forms.ChoiceField(
        required=False,
        label=gettext_lazy("Stage"),
        choices=[("", gettext_lazy("All stages")), *ApplicationStage.choices],
    )
    domain = domain_filter()
    route = forms.ChoiceField(
        required=False,
        label=gettext_lazy("How they came to us"),
        choices=[("", gettext_lazy("Any way")), *Application.Route.choices],
    )
    years = forms.ChoiceField(
        required=False,
        label=gettext_lazy("Years of practice"),
        choices=[
            ("", gettext_lazy("Any")),
            ("3", gettext_lazy("3 to 5")),
            ("6", gettext_lazy("6 to 10")),
            ("11", gettext_lazy("11 to 20")),
            ("21", gettext_lazy("more than 20")),
        ],
    )
    days = days_filter()


class WordsForm(forms.Form):
    """Words to applicants who are admitted; they may be left out."""

    words = forms.CharField(
        required=False,
        max_length=4000,
        label=gettext_lazy("Your own words"),
        help_text=gettext_lazy("Sent to every applicant you ticked. They may be left out."),
        widget=forms.Textarea(attrs={"rows": 2}),
    )


class RejectForm(forms.Form):
    """The reason why applications are rejected: prepared, in one's own words, or both."""

    reason = forms.ChoiceField(
        required=False,
        label=gettext_lazy("Prepared reason"),
        help_text=gettext_lazy("Each applicant reads it in their own language."),
        choices=lambda: [("", gettext_lazy("None")), *prepared_reasons.choices()],
    )
    words = forms.CharField(
        required=False,
        max_length=4000,
        label=gettext_lazy("Your own words"),
        help_text=gettext_lazy(
            "Added after the prepared reason, and sent to every applicant you ticked."
        ),
        widget=forms.Textarea(attrs={"rows": 2}),
    )

    def clean(self) -> dict[str, Any]:
        """Refuse to reject people without a reason."""
        given: dict[str, Any] = super().clean() or {}
        if not self.errors and not given["reason"] and storable.is_blank(given["words"]):
            said = gettext_lazy("Give a reason, prepared or your own. Each applicant reads it.")
            self.add_error("words", said)
        return given


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
