"""Forms of the pages of agreement."""

from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from curation.joining.domains.forms import domain_filter
from judge.scoring.agreement.models import Adjudication

KINDS = Adjudication.Kind.choices


class AgreementFilter(forms.Form):
    """The kind of verdicts, the domain and the page to show."""

    kind = forms.ChoiceField(choices=KINDS, required=False, widget=forms.HiddenInput)
    domain = domain_filter(external=True)
    page = forms.IntegerField(required=False, min_value=1, widget=forms.HiddenInput)

    def clean_kind(self) -> str:
        return self.cleaned_data["kind"] or Adjudication.Kind.REVIEW.value


class RulingForm(forms.Form):
    """A ruling on one disputed line; the action checks what is missing."""

    kind = forms.ChoiceField(choices=KINDS)
    criterion = forms.IntegerField(min_value=1)
    response = forms.IntegerField(min_value=0, required=False)
    seen = forms.IntegerField(min_value=0)
    ruling = forms.CharField(required=False, label=_("Ruling"))
    reason = forms.CharField(required=False, strip=False, label=_("Reason"))

    def values(self) -> dict[str, Any]:
        """Return the arguments of the action `settle`."""
        data = self.cleaned_data
        return {**data, "response": data["response"] or None}
