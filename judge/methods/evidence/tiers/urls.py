"""Pages of the source tiers, for staff."""

from curation.base.access.page import page
from judge.methods.evidence.tiers import views

urlpatterns = [
    page(
        "staff/methods/source-tiers/", views.staff_source_tiers, "staff-source-tiers",
        menu="staff-runs", GET="staff",
    ),
    page(
        "staff/methods/source-tiers/edit/", views.staff_source_tiers_edit,
        "staff-source-tiers-edit", menu="staff-runs", GET="staff", POST="staff.scoring",
    ),
]  # fmt: skip
