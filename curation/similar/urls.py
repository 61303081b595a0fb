"""Pages of similar."""

from curation.access.page import page
from curation.similar import views

urlpatterns = [
    page(
        "staff/tasks/<int:pk>/alike/",
        views.staff_task_alike,
        "staff-task-alike",
        menu="staff-tasks",
        GET="staff",
    ),
]
