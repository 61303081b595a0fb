"""Pages of finished work and what is paid for it: one's own, and those of staff."""

import re
from decimal import Decimal
from typing import Any

from django import forms
from django.core.paginator import Paginator
from django.http import HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import get_object_or_404, render
from django.utils import timezone
from django.utils.translation import gettext, ngettext
from django.utils.translation import gettext_lazy as _

from curation.base.lists.page import list_response
from curation.base.web.fields import DayField, set_numbers
from curation.base.web.forms import PageForm, read_filter
from curation.base.web.once import once
from curation.base.web.refusals import NotFound
from curation.base.web.step import go, refused_at, status_of
from curation.base.web.workbooks import XLSX
from curation.joining.domains.models import Domain
from curation.joining.people import User, access_person
from curation.staff.honoraria.access import readable_by
from curation.staff.honoraria.actions import (
    MOST_AMOUNT,
    MOST_MINUTES,
    enter_by_hand,
    state_minutes,
)
from curation.staff.honoraria.entry_list import ENTRIES
from curation.staff.honoraria.models import (
    BY_HAND,
    RATED,
    Honorarium,
    HonorariumRate,
    HonorariumStep,
    Payee,
    PayrollFile,
)
from curation.staff.honoraria.payroll import (
    PayeeForm,
    PayrollForm,
    make_payroll_file,
    set_payee_reference,
)
from curation.staff.honoraria.rates import (
    MOST_CAP,
    MOST_RATE,
    all_rates,
    day_of,
    money,
    rates_for,
    set_rate,
    sums_of,
    take_back_rate,
    with_prices,
)
from curation.staff.honoraria.sources import in_use

PER_PAGE = 50
MOST_TO_CORRECT = 300  # the newest decided entries that a correction may be about
_MINUTES = re.compile(r"minutes-([1-9][0-9]{0,17})")
_TYPES = {"csv": "text/csv; charset=utf-8", "xlsx": XLSX}
Unit, State = HonorariumRate.Unit, Honorarium.State


# --- forms ----------------------------------------------------------------------------------------
class _CurrencyField(forms.CharField):
    """Three letters, in capitals whatever was typed; the actions check them."""

    def __init__(self, **options: Any) -> None:
        super().__init__(
            required=False,
            max_length=3,
            label=_("Currency"),
            widget=forms.TextInput(attrs={"class": "is-short", "autocapitalize": "characters"}),
            **options,
        )

    def clean(self, value: Any) -> str:
        return str(super().clean(value)).upper()


class MinutesForm(forms.Form):
    """How long pieces took: one field for each that still waits, or whose time was sent."""

    def __init__(self, entries: list[Honorarium], *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        for entry in entries:
            if entry.state == State.WAITING or f"minutes-{entry.pk}" in self.data:
                self.fields[f"minutes-{entry.pk}"] = forms.IntegerField(
                    required=False,
                    min_value=1,
                    max_value=MOST_MINUTES,
                    initial=entry.minutes or entry.measured_minutes,
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
    unit = forms.ChoiceField(label=_("It is paid"), choices=Unit.choices, initial=Unit.PIECE)
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
        max_length=200, label=_("What was done"), help_text=_("The person reads it.")
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
        field: Any = self.fields["corrects"]
        field.choices = [("", _("nothing")), *((row.pk, _in_words(row)) for row in rows)]


def _in_words(entry: Honorarium) -> str:
    assert entry.amount is not None
    paid = money(entry.amount, entry.currency)
    return f"{day_of(entry.finished_at):%Y-%m-%d} · {entry.title or entry} · {paid}"


# --- one's own ------------------------------------------------------------------------------------
def own_work(request: HttpRequest) -> HttpResponse:
    """Show the person's finished work; a POST states how long pieces took."""
    return _own(request, PayeeForm(initial={"reference": _reference(request.user)}), request.POST)


def own_payee(request: HttpRequest) -> HttpResponse:
    """Store by which reference payroll knows the person."""
    return _own(request, PayeeForm(request.POST), None)


def _own(request: HttpRequest, payee: PayeeForm, minutes: Any) -> HttpResponse:
    person: Any = request.user
    if not in_use():
        raise NotFound
    with refused_at(payee):
        if payee.is_bound and payee.is_valid():
            set_payee_reference(actor=person, person=person, **payee.cleaned_data)
            return go(request, gettext("Your payee reference is stored."), "honoraria")
    shown = _work_of(request, person)
    # What was decided, or moved to another page, since the form was shown is not passed over.
    keys = [int(found[1]) for name in minutes or () if (found := _MINUTES.fullmatch(name))]
    sent = Honorarium.objects.filter(person=person, pk__in=keys)
    form = MinutesForm([*shown["entries"], *sent], minutes or None)
    with refused_at(form):
        if form.is_bound and form.is_valid():
            n = state_minutes(actor=person, minutes=form.said())
            said = ngettext(
                "The time of %(n)s piece is stored.", "The times of %(n)s pieces are stored.", n
            )
            return go(request, said % {"n": n}, request.get_full_path())
    names = [f"minutes-{entry.pk}" for entry in shown["entries"]]
    fields = [form[name] if name in form.fields else None for name in names]
    shown |= {
        "rows": [(entry, field, ()) for entry, field in zip(shown["entries"], fields, strict=True)],
        "editable": any(fields),
        "form": form,
        "payee": payee,
        "rates": rates_for(person),
    }
    status = max(status_of(form), status_of(payee))
    return render(request, "staff/honoraria/own.html", shown, status=status)


def _work_of(request: HttpRequest, person: User) -> dict[str, Any]:
    """Return a page of a person's finished work, the newest first, and the sums of all of it."""
    number = read_filter(PageForm, request.GET).cleaned_data["page"]
    mine = readable_by(Honorarium.objects.filter(person=person), request.user)
    page = Paginator(mine.select_related("task", "domain", "payroll"), PER_PAGE).get_page(number)
    return {"page": page, "entries": with_prices(page.object_list), "sums": sums_of(mine)}


def _reference(who: Any) -> str:
    return Payee.objects.filter(user=who).values_list("reference", flat=True).first() or ""


# --- staff ----------------------------------------------------------------------------------------
def entries(request: HttpRequest) -> HttpResponseBase:
    """List the finished work, with its steps."""
    return list_response(request, ENTRIES, "staff/honoraria/entries.html", in_use=in_use())


@once
def rates(request: HttpRequest) -> HttpResponse:
    """Show the rates with their history; a POST sets one."""
    form = RateForm(request.POST or None, initial={"since": timezone.localdate()})
    with refused_at(form):
        if request.method == "POST" and form.is_valid():
            set_rate(actor=request.user, **form.cleaned_data)
            said = gettext("The rate is set. What was approved before keeps its amount.")
            return go(request, said, "staff-honoraria-rates")
    shown = {"form": form, "rates": all_rates()}
    return render(request, "staff/honoraria/rates.html", shown, status=status_of(form))


def rate_take_back(request: HttpRequest, pk: int) -> HttpResponse:
    """Take a mistaken rate back."""
    take_back_rate(actor=request.user, rate=get_object_or_404(HonorariumRate, pk=pk))
    said = gettext("The rate is taken back. What was approved by it keeps its amount.")
    return go(request, said, "staff-honoraria-rates")


@once
def person(request: HttpRequest, pk: int) -> HttpResponse:
    """Show a person's finished work; a POST enters work by hand."""
    found = access_person(pk)
    form = HandForm(found, request.user, request.POST or None)
    with refused_at(form):
        if request.method == "POST" and form.is_valid():
            enter_by_hand(actor=request.user, person=found, **form.cleaned_data)
            said = gettext("Entered. It waits for approval by somebody who is not paid for it.")
            return go(request, said, "staff-honoraria-person", found.pk)
    return _person_page(request, found, form, PayeeForm(initial={"reference": _reference(found)}))


def payee(request: HttpRequest, pk: int) -> HttpResponse:
    """Store by which reference payroll knows a person."""
    found, form = access_person(pk), PayeeForm(request.POST)
    with refused_at(form):
        if form.is_valid():
            set_payee_reference(actor=request.user, person=found, **form.cleaned_data)
            said = gettext("The payee reference of %(who)s is stored.") % {"who": found.pseudonym}
            return go(request, said, "staff-honoraria-person", found.pk)
    return _person_page(request, found, HandForm(found, request.user), form)


def _person_page(request: HttpRequest, who: User, form: HandForm, payee: PayeeForm) -> HttpResponse:
    shown = _work_of(request, who)
    steps: dict[int, list[HonorariumStep]] = {entry.pk: [] for entry in shown["entries"]}
    for step in HonorariumStep.objects.filter(entry__in=steps).select_related("actor"):
        steps[step.entry_id].append(step)
    shown["rows"] = [(entry, None, steps[entry.pk]) for entry in shown["entries"]]
    shown |= {"person": who, "form": form, "payee": payee}
    status = max(status_of(form), status_of(payee))
    return render(request, "staff/honoraria/person.html", shown, status=status)


@once
def payroll(request: HttpRequest) -> HttpResponse:
    """Show the payroll files; a POST freezes the approved work of a period."""
    form = PayrollForm(request.POST or None, initial={"last_day": timezone.localdate()})
    with refused_at(form):
        if request.method == "POST" and form.is_valid():
            made = make_payroll_file(actor=request.user, **form.cleaned_data)
            said = gettext("Payroll file %(n)s is made.") % {"n": made.number}
            return go(request, said, "staff-payroll")
    left = Honorarium.objects.filter(state=State.APPROVED, payroll__isnull=True).count()
    files = PayrollFile.objects.select_related("made_by").defer("csv", "xlsx")
    shown = {"form": form, "files": files, "left": left}
    return render(request, "staff/honoraria/payroll.html", shown, status=status_of(form))


def payroll_file(request: HttpRequest, number: int, kind: str) -> HttpResponse:
    """Download a payroll file: the same bytes each time."""
    found = get_object_or_404(PayrollFile, number=number)
    content = bytes(getattr(found, kind)) if kind in _TYPES else b""
    if not content:
        raise NotFound
    return HttpResponse(
        content,
        content_type=_TYPES[kind],
        headers={
            "Content-Disposition": f'attachment; filename="payroll-{found.number}.{kind}"',
            "X-Content-Type-Options": "nosniff",
        },
    )
