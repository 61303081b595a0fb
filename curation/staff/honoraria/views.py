"""A person's page of their own work and what is paid for it."""

from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from curation.base.web.forms import PageForm, read_filter
from curation.base.web.step import go, refused_at, status_of
from curation.staff.honoraria.access import refuse_without_rates
from curation.staff.honoraria.actions import state_minutes
from curation.staff.honoraria.forms import MinutesForm, PayeeForm
from curation.staff.honoraria.models import Payee
from curation.staff.honoraria.queries import Statement, pieces_sent, rates_for, statement_of
from curation.staff.honoraria.rate_actions import set_payee_reference


def own_work(request: HttpRequest) -> HttpResponse:
    """Show the person's finished work; a POST states how long pieces took."""
    refuse_without_rates()
    number = read_filter(PageForm, request.GET).cleaned_data["page"]
    shown = statement_of(_user(request), number, reader=request.user)
    # What was decided, or moved to another page, since the form was shown is not passed over.
    sent = pieces_sent(_user(request), request.POST) if request.method == "POST" else []
    form = MinutesForm([*shown.pieces, *sent], request.POST or None)
    with refused_at(form):
        if request.method == "POST" and form.is_valid():
            n = state_minutes(actor=request.user, minutes=form.said())
            said = ngettext(
                "The time of %(n)s piece is stored.", "The times of %(n)s pieces are stored.", n
            )
            return go(request, said % {"n": n}, request.get_full_path())
    return _page(request, shown, form, PayeeForm(initial={"reference": _reference(request)}))


def own_payee(request: HttpRequest) -> HttpResponse:
    """Store by which reference payroll knows the person."""
    refuse_without_rates()
    form = PayeeForm(request.POST)
    with refused_at(form):
        if form.is_valid():
            set_payee_reference(actor=request.user, person=_user(request), **form.cleaned_data)
            return go(request, _("Your payee reference is stored."), "honoraria")
    shown = statement_of(_user(request), None, reader=request.user)
    return _page(request, shown, MinutesForm(shown.pieces), form)


def _user(request: HttpRequest) -> Any:
    return request.user


def _reference(request: HttpRequest) -> str:
    mine = Payee.objects.filter(user=request.user.pk)
    return mine.values_list("reference", flat=True).first() or ""


def _page(
    request: HttpRequest, shown: Statement, form: MinutesForm, payee: PayeeForm
) -> HttpResponse:
    rows = [
        (piece, form[name] if (name := f"minutes-{piece.pk}") in form.fields else None)
        for piece in shown.pieces
    ]
    return render(
        request,
        "staff/honoraria/own.html",
        {
            "statement": shown,
            "rows": rows,
            "form": form,
            "payee": payee,
            "rates": rates_for(_user(request)),
        },
        status=max(status_of(form), status_of(payee)),
    )
