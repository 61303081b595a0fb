"""Pages of pipeline."""

from django.utils.translation import gettext_lazy as _

from curation.base.access.page import Pages, page
from curation.staff.pipeline import views

staff = Pages("staff/tasks/", menu="staff-tasks", GET="staff")

urlpatterns = [
    page("staff/pipeline/", views.staff_pipeline, "staff-pipeline", menu="staff-pipeline",
         GET="staff", label=_("Pipeline"), go="p"),
    staff("", views.staff_tasks, "staff-tasks", "GET", label=_("Tasks"), go="a"),
    staff("<int:pk>/", views.staff_task, "staff-task", "GET", label="task"),
    page("staff/audit/", views.staff_audit, "staff-audit", menu="staff-audit", GET="staff",
         label=_("Audit"), go="d"),
]  # fmt: skip
