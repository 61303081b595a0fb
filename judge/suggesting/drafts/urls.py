"""Pages of drafts."""

from django.utils.translation import gettext_lazy as _

from curation.base.access.page import Pages
from judge.suggesting.drafts import retention_views, views

drafts = Pages("tasks/<int:pk>/rubric/drafts/", menu="tasks", GET="signed_in", POST="signed_in")
staff = Pages("staff/", menu="staff-runs", GET="staff")

urlpatterns = [
    drafts("", views.drafts, "rubric-drafts", "GET POST", label=_("Drafts of this rubric")),
    drafts("progress/", views.drafts_progress, "rubric-drafts-progress", "GET"),
    staff("drafts/", retention_views.staff_drafts, "staff-drafts", "GET", label=_("Drafts"),
          tab="staff-runs"),
    staff("drafts.csv", retention_views.staff_drafts_csv, "staff-drafts-csv", "GET"),
]  # fmt: skip
