"""Pages of errata: readers report, staff decide."""

from curation.base.access.page import page
from judge.gold.releases import erratum_views as views

urlpatterns = [
    page("errata/", views.errata, "errata", GET="signed_in", POST="signed_in"),
    page("staff/errata/", views.staff_errata, "staff-errata", menu="gold", GET="staff"),
    page(
        "staff/errata/new/",
        views.staff_erratum_new,
        "staff-erratum-new",
        menu="gold",
        GET="staff",
        POST="staff.gold",
    ),
    page(
        "staff/errata/<int:pk>/",
        views.staff_erratum,
        "staff-erratum",
        menu="gold",
        GET="staff",
        POST="staff.gold",
    ),
]
