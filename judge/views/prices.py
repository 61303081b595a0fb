"""Staff say what models cost."""

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _

from curation import text
from curation.errors import BadInput
from judge.actions.prices import set_price
from judge.forms.candidates import blame
from judge.forms.prices import PriceForm, begun
from judge.queries import prices as queries


def staff_prices(request: HttpRequest) -> HttpResponse:
    """The price table with its history, and a form that enters a price or changes one."""
    if request.method == "POST":
        form = PriceForm(request.POST)
        if form.is_valid():
            try:
                set_price(actor=request.user, **form.values())
            except BadInput as refused:
                blame(form, refused)
            else:
                messages.success(request, _("Stored. What runs cost is counted with it now."))
                return redirect("staff-prices")
    else:
        given = {name: request.GET.get(name, "")[:120] for name in ("provider", "model")}
        if any(map(text.problem_with, given.values())):
            given = dict.fromkeys(given, "")  # no column can hold it, so nothing is named so
        form = PriceForm(initial=begun(**given))
    return render(
        request,
        "runs/prices.html",
        {"form": form, "rows": queries.price_rows(), "history": queries.price_history()},
        status=400 if form.errors else 200,
    )
