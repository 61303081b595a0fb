"""The form of a new API token."""

from datetime import timedelta

from django import forms
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from curation.joining.accounts.api_token_actions import DEFAULT_DAYS


class TokenForm(forms.Form):
    """The name and last day of a token."""

    name = forms.CharField(
        max_length=60,
        label=_("Name"),
        help_text=_("The program that will use it, so that you know it again in the list."),
        widget=forms.TextInput(attrs={"autocomplete": "off"}),
    )
    until = forms.DateField(
        label=_("Works until"),
        help_text=_("The last day it works, at most a year away."),
        widget=forms.DateInput(attrs={"type": "date"}, format="%Y-%m-%d"),
    )

    @classmethod
    def new(cls) -> "TokenForm":
        """Return an unbound form with the default last day."""
        return cls(initial={"until": timezone.localdate() + timedelta(days=DEFAULT_DAYS)})
