"""Pages of spending, for staff."""

from django.utils.translation import gettext_lazy as _

from curation.base.access.page import Pages
from judge.runs.pages import spending_views as views

page = Pages("staff/", menu="staff-runs", GET="staff", POST="staff.administration")

urlpatterns = [
    page("calls/", views.calls, "staff-calls", "GET", label=_("Calls"), tab="staff-runs"),
    page("budgets/", views.budgets, "staff-budgets", "GET POST", label=_("Monthly budgets"),
         up="staff-calls"),
]  # fmt: skip
