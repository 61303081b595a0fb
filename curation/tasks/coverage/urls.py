"""Pages of the work maps and their coverage."""

from curation.base.access.page import page
from curation.tasks.coverage import views

urlpatterns = [
    page("staff/work-map/", views.work_maps, "work-maps", menu="work-maps", GET="staff"),
    page("staff/work-map/<key:key>/", views.work_map, "work-map", menu="work-maps", GET="staff"),
    page(
        "staff/tasks/<int:pk>/work-type/",
        views.task_work_type,
        "task-work-type",
        menu="staff-tasks",
        GET="staff",
        POST="staff.editing",
    ),
]
