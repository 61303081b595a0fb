"""Pages of spending, for staff."""

from curation.base.access.page import Pages
from judge.runs.pages import spending_views as views

page = Pages("staff/", menu="staff-runs", GET="staff", POST="staff.administration")

urlpatterns = [
    page("calls/", views.calls, "staff-calls", "GET"),
    page("budgets/", views.budgets, "staff-budgets", "GET POST"),
]
