"""Suspending an expert in a domain, and lifting it."""

from django import forms
from django.utils.translation import gettext_lazy as _

from curation.domains.forms import domain_filter
from curation.domains.models import Domain
from curation.web.forms import ReasonForm, reason_field
from curation.web.once import AsRead


class StandingForm(forms.Form):
    """The domain, what is decided, and why."""

    domain = forms.ModelChoiceField(Domain.objects.all(), widget=forms.HiddenInput)
    active = forms.TypedChoiceField(
        choices=[("1", "1"), ("0", "0")], coerce=lambda v: v == "1", widget=forms.HiddenInput
    )
    reason = reason_field(rows=2)


class SeniorForm(forms.Form):
    """Make somebody a senior of a domain, or end that."""

    domain = forms.ModelChoiceField(Domain.objects.all(), widget=forms.HiddenInput)
    senior = forms.TypedChoiceField(
        choices=[("1", "1"), ("0", "0")], coerce=lambda v: v == "1", widget=forms.HiddenInput
    )
    reason = reason_field(rows=2)


class PeopleFilter(forms.Form):
    """Narrows the list of people."""

    q = forms.CharField(required=False, max_length=200, label=_("Search"))
    domain = domain_filter()


class SlotForm(ReasonForm):
    """One more slot, by its number: the page may be older than the last one given."""

    number = AsRead()
