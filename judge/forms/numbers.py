"""Number fields as they look and speak on the staff's pages."""

from collections.abc import Iterable

from django import forms
from django.utils.translation import gettext_lazy as _

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
    """Make the number fields among these short, and let them say plainly what they need."""
    for field in fields:
        if isinstance(field, forms.IntegerField):  # floats and decimals are of its kind
            field.widget.attrs.setdefault("class", "is-short")
            field.error_messages.update(_SENTENCES)
