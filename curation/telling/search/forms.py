"""The form of the search."""

from django import forms
from django.utils.translation import gettext_lazy as _

from curation.telling.search.search import LONGEST


class SearchForm(forms.Form):
    """The search box."""

    q = forms.CharField(required=False, max_length=LONGEST, label=_("Search"))
