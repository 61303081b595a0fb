"""Pages of exact answers."""

from curation.base.access.page import Pages, page
from curation.tasks.task import exact_views as views

staff = Pages("staff/sources/", menu="staff-screening", GET="staff", POST="staff.editing")

urlpatterns = [
    page(
        "tasks/<int:pk>/answer/",
        views.task_answer,
        "task-answer",
        menu="tasks",
        GET="signed_in",
        POST="signed_in",
    ),
    staff("", views.staff_sources, "staff-sources", "GET POST"),
    staff("accept/", views.staff_source_accept, "staff-source-accept", "POST"),
]
