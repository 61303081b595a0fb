"""Staff's pages of the methods of judging and their settings."""

from typing import Any

from django import forms
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from curation.base.text import storable
from curation.base.web.fields import set_numbers
from curation.base.web.forms import reason_field
from curation.base.web.once import ReadVersionField, once
from curation.base.web.step import go, refused_at, status_of
from curation.joining.domains.models import Category
from curation.joining.domains.policies import latest
from judge.methods.base import queries
from judge.methods.base.actions import set_bands, set_demand, set_scale
from judge.methods.graded.scale import GradeScale
from judge.methods.list_match.bands import Bands
from judge.methods.list_match.facts import bands_in_force

_WHY = gettext_lazy("It stays on record with the table.")
_LIMITS = (4, 3, 2)  # grades that invented entries may limit an answer to


def _percent(label: Any, **more: Any) -> forms.IntegerField:
    return forms.IntegerField(label=label, min_value=0, max_value=100, **more)


class BandForm(forms.Form):
    """The least coverage of each grade, and how many invented entries limit it."""

    at_2 = _percent(gettext_lazy("Grade 2 from, in percent of the gold list"))
    at_3 = _percent(gettext_lazy("Grade 3 from"))
    at_4 = _percent(gettext_lazy("Grade 4 from"))
    at_5 = _percent(gettext_lazy("Grade 5 from"))
    over_4 = _percent(
        gettext_lazy("At most grade 4 where more than this percent is invented"),
        required=False,
        help_text=gettext_lazy("Empty: no such limit."),
    )
    over_3 = _percent(gettext_lazy("At most grade 3 where more than this"), required=False)
    over_2 = _percent(gettext_lazy("At most grade 2 where more than this"), required=False)
    reason = reason_field(gettext_lazy("Why these bands"), help_text=_WHY, rows=2)
    read = ReadVersionField()

    def __init__(self, data: Any, *, bands: Bands) -> None:
        shown = {f"at_{n}": least for n, least in enumerate(bands.coverage, start=2)}
        shown |= {f"over_{grade}": percent for percent, grade in bands.invented}
        super().__init__(data, initial={**shown, "read": bands.number})
        set_numbers(self.fields.values())

    def values(self) -> dict[str, Any]:
        """Return the arguments of the action `set_bands`."""
        data = self.cleaned_data
        limits = [(data[f"over_{n}"], n) for n in _LIMITS if data[f"over_{n}"] is not None]
        return {
            "coverage": [data[f"at_{n}"] for n in (2, 3, 4, 5)],
            "invented": limits,
            "reason": data["reason"],
            "read": data["read"],
        }


class ScaleForm(forms.Form):
    """The words of the five grades."""

    category = forms.ModelChoiceField(
        label=gettext_lazy("Kind of task"),
        required=False,
        queryset=Category.objects.select_related("domain").order_by("domain__name", "name"),
        empty_label=gettext_lazy("All that have no scale of their own"),
    )
    reason = reason_field(
        gettext_lazy("Why these words"),
        help_text=gettext_lazy("It stays on record. All five empty: back to the next wider scale."),
        rows=2,
    )
    read = ReadVersionField()

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        for n in range(1, 6):
            self.fields[f"grade_{n}"] = forms.CharField(
                label=gettext_lazy("Grade %(n)s") % {"n": n},
                required=False,
                widget=forms.Textarea(attrs={"rows": 2}),
            )
        self.order_fields(("category", *(f"grade_{n}" for n in range(1, 6)), "reason", "read"))

    def values(self) -> dict[str, Any]:
        """Return the arguments of the action `set_scale`."""
        data = self.cleaned_data
        return {
            "category": data["category"],
            "sentences": [data[f"grade_{n}"] for n in range(1, 6)],
            "reason": data["reason"],
            "read": data["read"],
        }


class DemandForm(forms.Form):
    """How many of what a list task asks for."""

    task = forms.CharField(label=gettext_lazy("Key of the task"), max_length=120)
    number = forms.IntegerField(label=gettext_lazy("How many"), min_value=1, max_value=500)
    what = forms.CharField(
        label=gettext_lazy("Of what"),
        max_length=60,
        help_text=gettext_lazy("In the plural: companies, people."),
    )

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        set_numbers(self.fields.values())


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
