"""Forms of honoraria: the time of work, rates, work by hand, payroll, the list's filter."""

from collections.abc import Iterable
from decimal import Decimal
from typing import Any

from django import forms
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from curation.base.web.fields import DayField, set_numbers
from curation.base.web.forms import reason_field
from curation.joining.domains.forms import domain_filter
from curation.joining.domains.models import Domain
from curation.joining.people import User
from curation.staff.honoraria.actions import MOST_AMOUNT, MOST_MINUTES
from curation.staff.honoraria.models import (
    BY_HAND,
    RATED,
    REFERENCE_LIMIT,
    Honorarium,
    HonorariumRate,
    Work,
)
from curation.staff.honoraria.prices import day_of, money
from curation.staff.honoraria.queries import Piece, readable_by
from curation.staff.honoraria.rate_actions import MOST_CAP, MOST_RATE

MOST_TO_CORRECT = 300  # the newest decided entries that a correction may be about


class _CurrencyField(forms.CharField):
    """Three letters, in capitals whatever was typed; the action checks them."""

    def __init__(self, **options: Any) -> None:
        options.setdefault("label", _("Currency"))
        super().__init__(
            required=False,
            max_length=3,
            widget=forms.TextInput(attrs={"class": "is-short", "autocapitalize": "characters"}),
            **options,
        )

    def clean(self, value: Any) -> str:
        return str(super().clean(value)).upper()


class MinutesForm(forms.Form):
    """How long pieces took: one field for each that still waits, or whose time was sent."""

    def __init__(self, pieces: Iterable[Piece], *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        for piece in pieces:
            if piece.open or f"minutes-{piece.pk}" in self.data:
                self.fields[f"minutes-{piece.pk}"] = forms.IntegerField(
                    required=False,
                    min_value=1,
                    max_value=MOST_MINUTES,
                    initial=piece.suggested_minutes,
                    label=_("Minutes"),
                )
        set_numbers(self.fields.values())

    def said(self) -> dict[int, int | None]:
        """Return entry -> minutes, of the fields that were sent."""
        return {
            int(name.removeprefix("minutes-")): value
            for name, value in self.cleaned_data.items()
            if name in self.data
        }


class PayeeForm(forms.Form):
    """How payroll knows a person."""

    reference = forms.CharField(
        required=False,
        max_length=REFERENCE_LIMIT,
        label=_("Payee reference"),
        help_text=_(
            "The name or number under which payroll knows the person, such as a supplier number. "
            "Never bank details: they are not stored here."
        ),
    )


class RateForm(forms.Form):
    """What a kind of work is paid from a day on."""

    kind = forms.ChoiceField(label=_("Work"), choices=[(k.value, k.label) for k in RATED])
    domain = forms.ModelChoiceField(
        Domain.objects.filter(external=False),
        to_field_name="key",
        required=False,
        label=_("Domain"),
        empty_label=_("All domains without an own rate"),
    )
    amount = forms.DecimalField(
        required=False,
        min_value=Decimal("0.01"),
        max_value=MOST_RATE,
        decimal_places=2,
        label=_("Amount"),
        help_text=_("Empty if nothing is paid from that day on."),
    )
    currency = _CurrencyField(help_text=_("Three letters: EUR, USD, CNY."))
    unit = forms.ChoiceField(
        label=_("It is paid"),
        choices=HonorariumRate.Unit.choices,
        initial=HonorariumRate.Unit.PIECE,
    )
    cap_minutes = forms.IntegerField(
        required=False,
        min_value=1,
        max_value=MOST_CAP,
        label=_("Minutes of a piece that count at most"),
        help_text=_("By the hour only: what somebody states beyond it is not paid."),
    )
    since = DayField(label=_("From this day on"))

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        set_numbers(self.fields.values())


class HandForm(forms.Form):
    """Work that the product does not record, or a correction."""

    kind = forms.ChoiceField(label=_("Work"), choices=[(k.value, k.label) for k in BY_HAND])
    description = forms.CharField(
        required=False,
        max_length=200,
        label=_("What was done"),
        help_text=_("The person reads it."),
    )
    day = DayField(label=_("Day of the work"))
    domain = forms.ModelChoiceField(
        Domain.objects.filter(external=False),
        to_field_name="key",
        required=False,
        label=_("Domain"),
        empty_label=_("None in particular"),
    )
    minutes = forms.IntegerField(
        required=False, min_value=1, max_value=MOST_MINUTES, label=_("Minutes")
    )
    amount = forms.DecimalField(
        required=False,
        min_value=-MOST_AMOUNT,
        max_value=MOST_AMOUNT,
        decimal_places=2,
        label=_("Amount"),
        help_text=_("Empty: the rate of this work counts. A correction may be below zero."),
    )
    currency = _CurrencyField()
    corrects = forms.TypedChoiceField(
        required=False,
        coerce=int,
        empty_value=None,
        label=_("Corrects"),
        help_text=_("Of a correction only: the approved work that it is about."),
    )

    def __init__(self, person: User, reader: Any, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        set_numbers(self.fields.values())
        self.initial.setdefault("day", timezone.localdate())
        decided = Honorarium.objects.filter(person=person, amount__isnull=False)
        rows = readable_by(decided, reader).select_related("task")[:MOST_TO_CORRECT]
        field = self.fields["corrects"]
        assert isinstance(field, forms.TypedChoiceField)
        field.choices = [("", _("nothing")), *((row.pk, _in_words(row)) for row in rows)]


def _in_words(entry: Honorarium) -> str:
    assert entry.amount is not None
    paid = money(entry.amount, entry.currency)
    return f"{day_of(entry.finished_at):%Y-%m-%d} · {entry.title or entry} · {paid}"


class PayrollForm(forms.Form):
    """The period of a payroll file, by the days on which work was finished."""

    first_day = DayField(
        label=_("Work finished from"), help_text=_("Empty: all that is in no file yet.")
    )
    last_day = DayField(label=_("Up to and including"))


class RefusalForm(forms.Form):
    """Why pieces are refused."""

    reason = reason_field(_("Why they are not paid"), help_text=_("The person reads it."), rows=2)


class EntryFilter(forms.Form):
    """The filter of the list of finished work."""

    q = forms.CharField(
        required=False, max_length=200, label=_("Person"), widget=forms.SearchInput()
    )
    domain = domain_filter()
    kind = forms.ChoiceField(
        required=False, label=_("Work"), choices=[("", _("All work")), *Work.choices]
    )
    state = forms.ChoiceField(
        required=False, label=_("State"), choices=[("", _("Any state")), *Honorarium.State.choices]
    )
    since = DayField(label=_("From"))
    until = DayField(label=_("To"))
    file = forms.IntegerField(
        required=False, min_value=1, max_value=2**31 - 1, label=_("Payroll file")
    )

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        set_numbers([self.fields["file"]])
