"""Pages of the source tiers, for staff."""

from django.utils.translation import gettext_lazy as _

from curation.base.access.page import Pages
from judge.methods.evidence.tiers import views

page = Pages("staff/methods/source-tiers/", menu="staff-runs", GET="staff", POST="staff.scoring")

urlpatterns = [
    page("", views.staff_source_tiers, "staff-source-tiers", "GET", label=_("Source tiers")),
    page("edit/", views.staff_source_tiers_edit, "staff-source-tiers-edit", "GET POST",
         label=_("Change the source tiers")),
]  # fmt: skip
