"""Pages of spending: calls of every purpose, and the monthly budgets."""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext as _

from curation.web.forms import query_of, read_filter
from curation.web.once import once
from curation.web.step import go, refused_at, status_of
from judge.calls.monthly_budget import PURPOSES
from judge.spending import queries
from judge.spending.actions import set_monthly_budget
from judge.spending.forms import BudgetForm, CallFilter

ON_A_PAGE = 50


def calls(request: HttpRequest) -> HttpResponse:
    """List the calls of every purpose with their cost, newest first."""
    form = read_filter(CallFilter, request.GET)
    kept = {k: v for k, v in request.GET.dict().items() if k not in ("before", "after")}
    return render(
        request,
        "spending/calls.html",
        {
            "form": form,
            "page": queries.calls_page(form.cleaned_data, size=ON_A_PAGE),
            "spent": queries.spent_this_month(),
            "query": query_of(kept),
            "narrowed": any(kept.values()),
        },
    )


@once
def budgets(request: HttpRequest) -> HttpResponse:
    """Show and set what each purpose may cost in a month."""
    form = BudgetForm(request.POST) if request.method == "POST" else BudgetForm()
    if request.method == "POST" and form.is_valid():
        with refused_at(form):
            set_monthly_budget(actor=request.user, **form.values())
            return go(request, _("Set. Calls from now on keep within it."), "staff-budgets")
    return render(
        request,
        "spending/budgets.html",
        {
            "form": form,
            "spent": [row for row in queries.spent_this_month() if row.purpose in PURPOSES],
            "history": queries.budget_history(),
        },
        status=status_of(form),
    )
