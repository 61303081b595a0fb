"""Staff say what models cost."""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext as _

from curation.text import storable
from curation.web.step import go, refused_at, status_of
from judge.prices import queries
from judge.prices.actions import set_price
from judge.prices.forms import PriceForm, begun


def staff_prices(request: HttpRequest) -> HttpResponse:
    """The price table with its history, and a form that enters a price or changes one."""
    if request.method == "POST":
        form = PriceForm(request.POST)
        if form.is_valid():
            with refused_at(form):
                set_price(actor=request.user, **form.values())
                return go(
                    request, _("Stored. What runs cost is counted with it now."), "staff-prices"
                )
    else:
        given = {name: request.GET.get(name, "")[:120] for name in ("provider", "model")}
        if any(map(storable.problem_with, given.values())):
            given = dict.fromkeys(given, "")  # no column can hold it, so nothing is named so
        form = PriceForm(initial=begun(**given))
    return render(
        request,
        "prices/prices.html",
        {"form": form, "rows": queries.price_rows(), "history": queries.price_history()},
        status=status_of(form),
    )
