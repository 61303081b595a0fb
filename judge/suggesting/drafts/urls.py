"""Pages of drafts."""

from curation.base.access.page import page
from judge.suggesting.drafts import retention_views, views

urlpatterns = [
    page(
        "tasks/<int:pk>/rubric/drafts/",
        views.drafts,
        "rubric-drafts",
        menu="tasks",
        GET="signed_in",
        POST="signed_in",
    ),
    page(
        "tasks/<int:pk>/rubric/drafts/progress/",
        views.drafts_progress,
        "rubric-drafts-progress",
        menu="tasks",
        GET="signed_in",
    ),
    page(
        "staff/drafts/",
        retention_views.staff_drafts,
        "staff-drafts",
        menu="staff-runs",
        GET="staff",
    ),
    page("staff/drafts.csv", retention_views.staff_drafts_csv, "staff-drafts-csv", GET="staff"),
]
