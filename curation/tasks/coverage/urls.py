"""Pages of the work maps and their coverage."""

from django.utils.translation import gettext_lazy as _

from curation.base.access.page import Pages, page
from curation.tasks.coverage import views

staff = Pages("staff/work-map/", menu="work-maps", GET="staff")

urlpatterns = [
    staff("", views.work_maps, "work-maps", "GET", label=_("Work maps"), go="w"),
    staff("<key:key>/", views.work_map, "work-map", "GET", label="domain"),
    page("staff/tasks/<int:pk>/work-type/", views.task_work_type, "task-work-type",
         menu="staff-tasks", GET="staff", POST="staff.editing", label=_("Work type")),
]  # fmt: skip
