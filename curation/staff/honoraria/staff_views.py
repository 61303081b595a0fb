"""Staff's pages: finished work as a list, a person's statement, rates, budget, payroll files."""

from django.http import HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import render
from django.utils import timezone
from django.utils.translation import gettext as _

from curation.base.lists.page import list_response
from curation.base.web.forms import PageForm, read_filter
from curation.base.web.once import once
from curation.base.web.refusals import NotFound
from curation.base.web.step import go, refused_at, status_of
from curation.base.web.workbooks import XLSX
from curation.joining.people import User, access_person
from curation.staff.honoraria import queries
from curation.staff.honoraria.access import access_payroll, access_rate
from curation.staff.honoraria.actions import enter_by_hand
from curation.staff.honoraria.collect import in_use
from curation.staff.honoraria.entry_list import ENTRIES
from curation.staff.honoraria.forms import HandForm, PayeeForm, PayrollForm, RateForm
from curation.staff.honoraria.models import Payee
from curation.staff.honoraria.payroll_actions import make_payroll_file
from curation.staff.honoraria.rate_actions import set_payee_reference, set_rate, take_back_rate

_TYPES = {"csv": "text/csv; charset=utf-8", "xlsx": XLSX}


def entries(request: HttpRequest) -> HttpResponseBase:
    """List the finished work, with its steps."""
    return list_response(request, ENTRIES, "staff/honoraria/entries.html", in_use=in_use())


def budget(request: HttpRequest) -> HttpResponse:
    """Show what work costs, by month and kind."""
    shown = {"budget": queries.budget(), "in_use": in_use()}
    return render(request, "staff/honoraria/budget.html", shown)


# --- rates ----------------------------------------------------------------------------------------
@once
def rates(request: HttpRequest) -> HttpResponse:
    """Show the rates with their history; a POST sets one."""
    form = RateForm(request.POST or None, initial={"since": timezone.localdate()})
    with refused_at(form):
        if request.method == "POST" and form.is_valid():
            set_rate(actor=request.user, **form.cleaned_data)
            said = _("The rate is set. What was approved before keeps its amount.")
            return go(request, said, "staff-honoraria-rates")
    shown = {"form": form, "rows": queries.rate_rows()}
    return render(request, "staff/honoraria/rates.html", shown, status=status_of(form))


def rate_take_back(request: HttpRequest, pk: int) -> HttpResponse:
    """Take a mistaken rate back."""
    take_back_rate(actor=request.user, rate=access_rate(pk))
    said = _("The rate is taken back. What was approved by it keeps its amount.")
    return go(request, said, "staff-honoraria-rates")


# --- one person -----------------------------------------------------------------------------------
@once
def person(request: HttpRequest, pk: int) -> HttpResponse:
    """Show a person's statement; a POST enters work by hand."""
    found = access_person(pk)
    form = HandForm(found, request.user, request.POST or None)
    with refused_at(form):
        if request.method == "POST" and form.is_valid():
            enter_by_hand(actor=request.user, person=found, **form.cleaned_data)
            said = _("Entered. It waits for approval by somebody who is not paid for it.")
            return go(request, said, "staff-honoraria-person", found.pk)
    return _person_page(request, found, form, PayeeForm(initial={"reference": _reference(found)}))


def payee(request: HttpRequest, pk: int) -> HttpResponse:
    """Store by which reference payroll knows a person."""
    found, form = access_person(pk), PayeeForm(request.POST)
    with refused_at(form):
        if form.is_valid():
            set_payee_reference(actor=request.user, person=found, **form.cleaned_data)
            said = _("The payee reference of %(who)s is stored.") % {"who": found.pseudonym}
            return go(request, said, "staff-honoraria-person", found.pk)
    return _person_page(request, found, HandForm(found, request.user), form)


def _reference(who: User) -> str:
    return Payee.objects.filter(user=who).values_list("reference", flat=True).first() or ""


def _person_page(
    request: HttpRequest, who: User, form: HandForm, payee_form: PayeeForm
) -> HttpResponse:
    number = read_filter(PageForm, request.GET).cleaned_data["page"]
    shown = queries.statement_of(who, number, reader=request.user)
    steps = queries.steps_on([piece.pk for piece in shown.pieces])
    return render(
        request,
        "staff/honoraria/person.html",
        {
            "person": who,
            "statement": shown,
            "rows": [(piece, steps.get(piece.pk, [])) for piece in shown.pieces],
            "form": form,
            "payee": payee_form,
        },
        status=max(status_of(form), status_of(payee_form)),
    )


# --- payroll files --------------------------------------------------------------------------------
@once
def payroll(request: HttpRequest) -> HttpResponse:
    """Show the payroll files; a POST freezes the approved work of a period."""
    form = PayrollForm(request.POST or None, initial={"last_day": timezone.localdate()})
    with refused_at(form):
        if request.method == "POST" and form.is_valid():
            made = make_payroll_file(actor=request.user, **form.cleaned_data)
            said = _("Payroll file %(n)s is made.") % {"n": made.number}
            return go(request, said, "staff-payroll")
    return render(
        request,
        "staff/honoraria/payroll.html",
        {"form": form, "files": queries.payroll_files(), "left": queries.left_for_payroll()},
        status=status_of(form),
    )


def payroll_file(request: HttpRequest, number: int, kind: str) -> HttpResponse:
    """Download a payroll file: the same bytes each time."""
    if kind not in _TYPES:
        raise NotFound
    found = access_payroll(number)
    return HttpResponse(
        bytes(found.csv if kind == "csv" else found.xlsx),
        content_type=_TYPES[kind],
        headers={
            "Content-Disposition": f'attachment; filename="payroll-{found.number}.{kind}"',
            "X-Content-Type-Options": "nosniff",
        },
    )
