"""Model and form fields with our own rules: a line, a day, a number."""

from collections.abc import Iterable
from datetime import date
from typing import Any

from django import forms
from django.core.validators import MaxValueValidator, MinValueValidator
from django.db import models
from django.utils.translation import gettext_lazy as _

from curation.base.text.storable import one_line


class LineField(models.CharField):
    """A title, name or label: one visible line (`curation.base.text.storable.one_line`).

    It cleans on every save, so forms, the API, imports and commands share the rule. Migrations see
    a plain CharField.
    """

    def to_python(self, value: Any) -> Any:
        value = super().to_python(value)
        return one_line(value) if isinstance(value, str) else value

    def pre_save(self, model_instance: models.Model, add: bool) -> Any:
        value = super().pre_save(model_instance, add)
        if isinstance(value, str):
            value = one_line(value)
            setattr(model_instance, self.attname, value)
        return value

    def deconstruct(self) -> Any:
        name, _path, args, kwargs = super().deconstruct()
        return name, "django.db.models.CharField", args, kwargs


FIRST, LAST = date(1900, 1, 1), date(2999, 12, 31)


class DayField(forms.DateField):
    """A day from 1900 to 2999, so that its midnight can be computed in every time zone."""

    def __init__(self, **options: Any) -> None:
        sentence = _("Choose a day from 1900 to 2999.")
        super().__init__(
            required=False,
            # A browser shows no other form of a day, whatever the language of the page.
            widget=forms.DateInput(attrs={"type": "date"}, format="%Y-%m-%d"),
            validators=[MinValueValidator(FIRST, sentence), MaxValueValidator(LAST, sentence)],
            **options,
        )


_SENTENCES = {
    "required": _("Please fill this in."),
    "invalid": _("Type a number."),
    "min_value": _("Type a number of at least %(limit_value)s."),
    "max_value": _("Type a number of at most %(limit_value)s."),
    "max_decimal_places": _("Type at most %(max)s digits after the point."),
    "max_digits": _("This number has too many digits."),
    "max_whole_digits": _("This number has too many digits."),
}


def set_numbers(fields: Iterable[forms.Field]) -> None:
    """Make the number fields among these short, and give them our error messages."""
    for field in fields:
        if isinstance(field, forms.IntegerField):  # the base of float and decimal fields
            field.widget.attrs.setdefault("class", "is-short")
            field.error_messages.update(_SENTENCES)
            if not isinstance(field, forms.FloatField | forms.DecimalField):
                field.error_messages["invalid"] = _("Enter a whole number.")
