"""Pages of errata: readers report, staff decide."""

from django.utils.translation import gettext_lazy as _

from curation.base.access.page import Pages, page
from judge.gold.releases import erratum_views as views

staff = Pages("staff/errata/", menu="gold", GET="staff", POST="staff.gold")

urlpatterns = [
    page("errata/", views.errata, "errata", GET="signed_in", POST="signed_in",
         label=_("Report an error"), alone="in the menu of the account"),
    staff("", views.staff_errata, "staff-errata", "GET", label=_("Errata"), tab="gold"),
    staff("new/", views.staff_erratum_new, "staff-erratum-new", "GET POST",
          label=_("Enter a report that came by mail")),
    staff("<int:pk>/", views.staff_erratum, "staff-erratum", "GET POST"),
]  # fmt: skip
