"""What is typed into the search box."""

from django import forms
from django.utils.translation import gettext_lazy as _

from curation.search.search import LONGEST


class SearchForm(forms.Form):
    """A search for everything."""

    q = forms.CharField(required=False, max_length=LONGEST, label=_("Search"))
