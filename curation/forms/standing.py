"""Suspending an expert in a domain, and lifting it."""

from django import forms
from django.utils.translation import gettext_lazy as _

from curation.models import Domain


class StandingForm(forms.Form):
    """The domain, what is decided, and why."""

    domain = forms.ModelChoiceField(Domain.objects.all(), widget=forms.HiddenInput)
    active = forms.TypedChoiceField(
        choices=[("1", "1"), ("0", "0")], coerce=lambda v: v == "1", widget=forms.HiddenInput
    )
    reason = forms.CharField(
        required=False, max_length=5000, label=_("Reason"), widget=forms.Textarea(attrs={"rows": 2})
    )
