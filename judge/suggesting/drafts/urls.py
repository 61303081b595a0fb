"""Pages of drafts."""

from curation.base.access.page import Pages
from judge.suggesting.drafts import retention_views, views

drafts = Pages("tasks/<int:pk>/rubric/drafts/", menu="tasks", GET="signed_in", POST="signed_in")
staff = Pages("staff/", menu="staff-runs", GET="staff")

urlpatterns = [
    drafts("", views.drafts, "rubric-drafts", "GET POST"),
    drafts("progress/", views.drafts_progress, "rubric-drafts-progress", "GET"),
    staff("drafts/", retention_views.staff_drafts, "staff-drafts", "GET"),
    staff("drafts.csv", retention_views.staff_drafts_csv, "staff-drafts-csv", "GET"),
]
