"""The filter of the list of flags."""

from django import forms
from django.utils.translation import gettext_lazy as _

from curation.base.web.forms import PageForm


class FlagFilter(PageForm):
    """Narrow the list to the flags on one run's verdicts."""

    run = forms.IntegerField(label=_("Run"), min_value=1, max_value=2**63 - 1, required=False)
