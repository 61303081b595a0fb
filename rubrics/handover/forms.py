"""The form of staff who hand a rubric over."""

from collections.abc import Iterable
from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from curation.base.web.forms import reason_field
from curation.joining.people.models import User


class HandoverForm(forms.Form):
    """Who takes the rubric over, and why."""

    taker = forms.TypedChoiceField(label=_("Who takes it over"), coerce=int)
    reason = reason_field(help_text=_("Only staff read it."))

    def __init__(self, *args: Any, people: Iterable[User], **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        field = self.fields["taker"]
        assert isinstance(field, forms.TypedChoiceField)
        field.choices = [
            ("", _("Choose an expert")),
            *((one.pk, f"{one.name_for_staff} · {one.pseudonym}") for one in people),
        ]
