"""A day that lists are narrowed by."""

from datetime import date
from typing import Any

from django import forms
from django.core.validators import MaxValueValidator, MinValueValidator
from django.utils.translation import gettext_lazy as _

FIRST, LAST = date(1900, 1, 1), date(2999, 12, 31)


class DayField(forms.DateField):
    """A day near enough to ours that its midnight exists in every time zone."""

    def __init__(self, **options: Any) -> None:
        sentence = _("Choose a day from 1900 to 2999.")
        super().__init__(
            required=False,
            widget=forms.DateInput(attrs={"type": "date"}),
            validators=[MinValueValidator(FIRST, sentence), MaxValueValidator(LAST, sentence)],
            **options,
        )
