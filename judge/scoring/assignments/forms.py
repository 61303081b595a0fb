"""The form of the page where staff assign responses, and a reader of its checkboxes."""

from typing import Any

from django import forms
from django.http import QueryDict
from django.utils.translation import gettext_lazy as _

from curation.base.text import storable
from curation.base.web.fields import set_numbers
from judge.scoring.assignments.queries import MOST, domains_and_candidates


class DrawForm(forms.Form):
    """How many responses to draw, of which domain and candidate; or the responses of one task."""

    domain = forms.ChoiceField(label=_("Domain"), required=False)
    candidate = forms.ChoiceField(label=_("Candidate"), required=False)
    task = forms.CharField(label=_("Task key"), required=False, max_length=200)
    form = forms.ChoiceField(
        label=_("How they score"),
        required=False,
        choices=[("lines", _("Line by line")), ("grade", _("One grade from 1 to 5"))],
    )
    size = forms.IntegerField(label=_("Responses"), min_value=1, max_value=MOST)
    seed = forms.IntegerField(label=_("Seed"), min_value=0, max_value=2**63 - 1)

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        set_numbers(self.fields.values())
        domains, candidates = domains_and_candidates()
        self.fields["domain"].choices = [("", _("All")), *domains]  # type: ignore[attr-defined]
        self.fields["candidate"].choices = [  # type: ignore[attr-defined]
            ("", _("All")),
            *((name, name) for name in candidates),
        ]


def numbers_in(sent: QueryDict, name: str) -> list[int]:
    """Return the whole numbers sent under a name, at most MOST; other values are ignored."""
    found = (storable.whole_number(value) for value in sent.getlist(name))
    return [number for number in found if number is not None][:MOST]
