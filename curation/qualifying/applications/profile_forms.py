"""Forms of an expert's profile and of the check of a certificate."""

from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from curation.base.text import language_names
from curation.base.web.fields import DayField
from curation.base.web.forms import reason_field
from curation.qualifying.applications.profile_models import CertificateCheck

LANGUAGES = ("language_1", "language_2", "language_3")


class ProfileForm(forms.Form):
    """Degree, beginning of the practice and languages of an expert."""

    degree = forms.CharField(required=False, max_length=200, label=_("Degree or licence"))
    practising_since = forms.IntegerField(
        required=False,
        label=_("In practice since"),
        help_text=_("A year, so that the years of practice go on by themselves."),
        widget=forms.NumberInput(attrs={"class": "is-num", "inputmode": "numeric"}),
        error_messages={"invalid": _("Give the year with four digits, for example 2014.")},
    )
    language_1 = forms.ChoiceField(required=False, label=_("The language they work in best"))
    language_2 = forms.ChoiceField(required=False, label=_("Second language"))
    language_3 = forms.ChoiceField(required=False, label=_("Third language"))

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        for name in LANGUAGES:
            field = self.fields[name]
            assert isinstance(field, forms.ChoiceField)
            field.choices = [("", _("not known")), *language_names.choices()]

    def values(self) -> dict[str, Any]:
        """Return the arguments of `enter_profile`."""
        said = self.cleaned_data
        return {
            "degree": said["degree"],
            "practising_since": said["practising_since"],
            "languages": [said[name] for name in LANGUAGES if said[name]],
        }


class CheckForm(forms.Form):
    """What the check of a certificate found, and until when the certificate holds."""

    outcome = forms.ChoiceField(label=_("Result"), choices=CertificateCheck.Outcome.choices)
    checked_on = DayField(label=_("Checked on"))
    valid_until = DayField(label=_("Valid until"), help_text=_("Empty if it does not expire."))
    how = reason_field(
        _("Where you looked"),
        help_text=_("The register with the number of the entry, or the document. Staff read it."),
        rows=2,
    )
