"""Staff's pages of the methods of judging and their settings."""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext as _

from curation.base.text import storable
from curation.base.web.once import once
from curation.base.web.step import go, refused_at, status_of
from curation.joining.domains.policies import latest
from judge.methods.base import queries
from judge.methods.base.actions import set_bands, set_demand, set_scale
from judge.methods.base.forms import BandForm, DemandForm, ScaleForm
from judge.methods.graded.models import GradeScale
from judge.methods.list_match.facts import bands_in_force


def staff_methods(request: HttpRequest) -> HttpResponse:
    """Show the methods, and the settings in force with their history."""
    return render(request, "methods/base/methods.html", {"p": queries.settings()})


@once
def staff_method_bands(request: HttpRequest) -> HttpResponse:
    """Set which coverage of a gold list gives which grade."""
    form = BandForm(request.POST if request.method == "POST" else None, bands=bands_in_force())
    if request.method == "POST" and form.is_valid():
        with refused_at(form):
            set_bands(actor=request.user, **form.values())
            return go(request, _("Saved. Judgments from now on use these bands."), "staff-methods")
    words = {"title": _("Bands of coverage"), "form": form}
    return render(request, "methods/base/setting.html", words, status=status_of(form))


@once
def staff_method_scale(request: HttpRequest) -> HttpResponse:
    """Say what the five grades mean."""
    newest = {"read": latest(GradeScale)}
    form = ScaleForm(request.POST if request.method == "POST" else None, initial=newest)
    if request.method == "POST" and form.is_valid():
        with refused_at(form):
            set_scale(actor=request.user, **form.values())
            return go(request, _("Saved. Judgments from now on use these words."), "staff-methods")
    words = {"title": _("Scale of grades"), "form": form}
    return render(request, "methods/base/setting.html", words, status=status_of(form))


def staff_method_demand(request: HttpRequest) -> HttpResponse:
    """Say how many items a list task asks for."""
    if request.method == "POST":
        form = DemandForm(request.POST)
        if form.is_valid():
            with refused_at(form):
                set_demand(actor=request.user, **form.cleaned_data)
                return go(request, _("Saved. Only so many entries count."), "staff-methods")
    else:
        key = request.GET.get("task", "")[:120]
        form = DemandForm(initial={"task": "" if storable.problem_with(key) else key})
    words = {"title": _("What a list task asks for"), "form": form}
    return render(request, "methods/base/setting.html", words, status=status_of(form))
