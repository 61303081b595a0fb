"""Pages of errata: readers report, staff decide."""

from curation.base.access.page import Pages, page
from judge.gold.releases import erratum_views as views

staff = Pages("staff/errata/", menu="gold", GET="staff", POST="staff.gold")

urlpatterns = [
    page("errata/", views.errata, "errata", GET="signed_in", POST="signed_in"),
    staff("", views.staff_errata, "staff-errata", "GET"),
    staff("new/", views.staff_erratum_new, "staff-erratum-new", "GET POST"),
    staff("<int:pk>/", views.staff_erratum, "staff-erratum", "GET POST"),
]
