"""Pages of spending: calls of every purpose, and the monthly budgets."""

from django.http import HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import render
from django.utils.translation import gettext as _

from curation.base.lists.page import list_response
from curation.base.web.once import once
from curation.base.web.step import go, refused_at, status_of
from judge.asking.calls.monthly_budget import PURPOSES
from judge.runs.pages import spending_queries as queries
from judge.runs.pages.call_list import CALLS
from judge.runs.pages.spending_actions import set_monthly_budget
from judge.runs.pages.spending_forms import BudgetForm


def calls(request: HttpRequest) -> HttpResponseBase:
    """List the calls of every purpose with their cost, newest first; also as a file."""
    spent = () if request.GET.get("format") else queries.spent_this_month()
    return list_response(request, CALLS, "runs/spending/calls.html", spent=spent)


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
        "runs/spending/budgets.html",
        {
            "form": form,
            "spent": [row for row in queries.spent_this_month() if row.purpose in PURPOSES],
            "history": queries.budget_history(),
        },
        status=status_of(form),
    )
