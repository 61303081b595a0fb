"""Pages of pipeline."""

from curation.base.access.page import Pages, page
from curation.staff.pipeline import views

staff = Pages("staff/tasks/", menu="staff-tasks", GET="staff")

urlpatterns = [
    page(
        "staff/pipeline/",
        views.staff_pipeline,
        "staff-pipeline",
        menu="staff-pipeline",
        GET="staff",
    ),
    staff("", views.staff_tasks, "staff-tasks", "GET"),
    staff("<int:pk>/", views.staff_task, "staff-task", "GET"),
    page("staff/audit/", views.staff_audit, "staff-audit", menu="staff-audit", GET="staff"),
]
