"""Pages of exact answers."""

from curation.base.access.page import page
from curation.tasks.task import exact_views as views

urlpatterns = [
    page(
        "tasks/<int:pk>/answer/",
        views.task_answer,
        "task-answer",
        menu="tasks",
        GET="signed_in",
        POST="signed_in",
    ),
    page(
        "staff/sources/",
        views.staff_sources,
        "staff-sources",
        menu="staff-screening",
        GET="staff",
        POST="staff.editing",
    ),
    page(
        "staff/sources/accept/",
        views.staff_source_accept,
        "staff-source-accept",
        menu="staff-screening",
        POST="staff.editing",
    ),
]
