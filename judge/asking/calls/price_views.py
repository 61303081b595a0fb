"""Staff's page of the prices of models."""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext as _

from curation.base.text import storable
from curation.base.web.step import go, refused_at, status_of
from judge.asking.calls import price_queries as queries
from judge.asking.calls.price_actions import set_price
from judge.asking.calls.price_forms import PriceForm, initial_values


def staff_prices(request: HttpRequest) -> HttpResponse:
    """Show the price table with its history, and take the form of a price."""
    if request.method == "POST":
        form = PriceForm(request.POST)
        if form.is_valid():
            with refused_at(form):
                set_price(actor=request.user, **form.values())
                return go(
                    request, _("Saved. The cost of runs is now counted with it."), "staff-prices"
                )
    else:
        named = {name: request.GET.get(name, "")[:120] for name in ("provider", "model")}
        if any(map(storable.problem_with, named.values())):
            named = dict.fromkeys(named, "")  # a query for text that no column stores would fail
        form = PriceForm(initial=initial_values(**named))
    return render(
        request,
        "asking/prices/prices.html",
        {"form": form, "rows": queries.price_rows(), "history": queries.price_history()},
        status=status_of(form),
    )
