"""Forms of pools, demands and real outcomes."""

from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from curation.base.web.fields import set_numbers
from curation.base.web.forms import reason_field
from judge.methods.profiles.actions import CLIENT, MOST_DEMANDED
from judge.methods.profiles.models import ProfilePool


class PoolForm(forms.Form):
    """A new pool."""

    key = forms.CharField(
        label=_("Key"),
        max_length=60,
        help_text=_("Letters, digits and hyphens. Files and commands name the pool by it."),
    )
    name = forms.CharField(label=pgettext_lazy("of a thing", "Name"), max_length=200)
    description = forms.CharField(
        label=_("Description"),
        required=False,
        widget=forms.Textarea(attrs={"rows": 2}),
        help_text=_("Where the profiles come from, and of which day they are."),
    )


class ImportForm(forms.Form):
    """A file of profiles."""

    file = forms.FileField(
        label=_("File"),
        help_text=_(
            "CSV or Excel with the columns key, name, link and text; other columns are facts. Or "
            "JSON lines with the same fields, and facts as an object."
        ),
    )


class DemandForm(forms.Form):
    """How many profiles of which pool a task asks for."""

    pool = forms.ModelChoiceField(
        label=_("Pool of profiles"),
        queryset=ProfilePool.objects.all(),
        empty_label=_("Choose a pool"),
    )
    number = forms.IntegerField(label=_("How many"), min_value=1, max_value=MOST_DEMANDED)
    what = forms.CharField(
        label=_("Of what"), max_length=60, help_text=_("In the plural: creators, suppliers.")
    )

    prefix = "demand"

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        set_numbers(self.fields.values())


class OutcomeForm(forms.Form):
    """Which profiles were really chosen."""

    rater = forms.CharField(label=_("Who chose"), max_length=120, initial=CLIENT)
    chosen = forms.CharField(
        label=_("Chosen profiles"),
        required=False,
        widget=forms.Textarea(attrs={"rows": 6}),
        help_text=_("Their keys, one a line. Empty: none was chosen."),
    )
    reason = reason_field(
        _("Where this comes from"), help_text=_("It stays on record with the list."), rows=2
    )

    prefix = "outcome"

    def values(self) -> dict[str, Any]:
        """Return the arguments of the action `set_outcome`."""
        data = self.cleaned_data
        keys = [line.strip() for line in data["chosen"].splitlines() if line.strip()]
        return {"rater": data["rater"], "chosen": keys, "reason": data["reason"]}
