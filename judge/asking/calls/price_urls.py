"""Pages of prices."""

from django.utils.translation import gettext_lazy as _

from curation.base.access.page import page
from judge.asking.calls import price_views as views

urlpatterns = [
    page("staff/prices/", views.staff_prices, "staff-prices", menu="staff-runs", GET="staff",
         POST="staff.scoring", label=_("Prices"), tab="staff-runs"),
]  # fmt: skip
