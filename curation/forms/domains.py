"""The field by which lists are narrowed to one domain."""

from django import forms
from django.utils.translation import gettext_lazy as _

from curation.models import Domain


def domain_filter(*, external: bool = False) -> forms.ModelChoiceField:
    """One domain, named by its key, or all of them.

    Args:
        external: whether the domains of imported benchmarks can be chosen too; they have tasks,
            but neither people nor panels.
    """
    return forms.ModelChoiceField(
        Domain.objects.all() if external else Domain.objects.filter(external=False),
        to_field_name="key",
        required=False,
        label=_("Domain"),
        empty_label=_("All domains"),
    )
