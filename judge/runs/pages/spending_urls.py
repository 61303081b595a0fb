"""Pages of spending, for staff."""

from curation.base.access.page import page
from judge.runs.pages import spending_views as views

urlpatterns = [
    page("staff/calls/", views.calls, "staff-calls", menu="staff-runs", GET="staff"),
    page(
        "staff/budgets/",
        views.budgets,
        "staff-budgets",
        menu="staff-runs",
        GET="staff",
        POST="staff.administration",
    ),
]
