"""Pages of pipeline."""

from curation.base.access.page import page
from curation.staff.pipeline import views

urlpatterns = [
    page(
        "staff/pipeline/",
        views.staff_pipeline,
        "staff-pipeline",
        menu="staff-pipeline",
        GET="staff",
    ),
    page("staff/tasks/", views.staff_tasks, "staff-tasks", menu="staff-tasks", GET="staff"),
    page("staff/tasks/<int:pk>/", views.staff_task, "staff-task", menu="staff-tasks", GET="staff"),
    page("staff/audit/", views.staff_audit, "staff-audit", menu="staff-audit", GET="staff"),
]
