"""Pages of exact answers."""

from django.utils.translation import gettext_lazy as _

from curation.base.access.page import Pages, page
from curation.tasks.task import exact_views as views

staff = Pages("staff/sources/", menu="staff-screening", GET="staff", POST="staff.editing")

urlpatterns = [
    page("tasks/<int:pk>/answer/", views.task_answer, "task-answer", menu="tasks", GET="signed_in",
         POST="signed_in", label=_("Answer and steps"), up="task-edit"),
    staff("", views.staff_sources, "staff-sources", "GET POST",
          label=_("Sources that do not count")),
    staff("accept/", views.staff_source_accept, "staff-source-accept", "POST"),
]  # fmt: skip
