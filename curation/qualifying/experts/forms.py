"""Forms of staff about experts: suspension, seniority, slots, the list's filter."""

from django import forms
from django.utils.translation import gettext_lazy as _

from curation.base.web.forms import ReasonForm, reason_field
from curation.base.web.once import ReadVersionField
from curation.joining.domains.forms import domain_filter
from curation.joining.domains.models import Domain


class StandingForm(forms.Form):
    """Suspend an expert in a domain (`active` is false) or reinstate them, with a reason."""

    domain = forms.ModelChoiceField(Domain.objects.all(), widget=forms.HiddenInput)
    active = forms.TypedChoiceField(
        choices=[("1", "1"), ("0", "0")], coerce=lambda v: v == "1", widget=forms.HiddenInput
    )
    reason = reason_field(rows=2)


class SeniorForm(forms.Form):
    """Make an expert a senior of a domain, or end that, with a reason."""

    domain = forms.ModelChoiceField(Domain.objects.all(), widget=forms.HiddenInput)
    senior = forms.TypedChoiceField(
        choices=[("1", "1"), ("0", "0")], coerce=lambda v: v == "1", widget=forms.HiddenInput
    )
    reason = reason_field(rows=2)


class PeopleFilter(forms.Form):
    """The filter of the list of people."""

    q = forms.CharField(
        required=False, max_length=200, label=_("Search"), widget=forms.SearchInput()
    )
    domain = domain_filter()
    standing = forms.ChoiceField(
        required=False,
        label=_("Standing"),
        choices=[
            ("", _("Everybody")),
            ("active", _("Active experts")),
            ("senior", _("Seniors")),
            ("suspended", _("Suspended")),
            ("applicant", _("Not qualified yet")),
            ("staff", _("Staff")),
            ("closed", _("Closed accounts")),
        ],
    )


class SlotForm(ReasonForm):
    """One more slot, with its number, which tells a page that is older than the last grant."""

    number = ReadVersionField()
