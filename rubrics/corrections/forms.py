"""The form of an author who confirms a rubric after an amendment."""

from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from rubrics.corrections.queries import TouchedLine


class ConfirmForm(forms.Form):
    """The touched lines that stay as they are, and the version of the text that was read."""

    text_version = forms.IntegerField(widget=forms.HiddenInput, min_value=0, max_value=2**31 - 1)
    kept = forms.TypedMultipleChoiceField(
        label=_("These lines stay as they are"),
        required=False,
        coerce=int,
        widget=forms.CheckboxSelectMultiple,
    )

    def __init__(self, *args: Any, touched: list[TouchedLine], **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        field = self.fields["kept"]
        assert isinstance(field, forms.TypedMultipleChoiceField)
        field.choices = [(entry.line.pk, f"{entry.n}. {entry.line.text}") for entry in touched]
