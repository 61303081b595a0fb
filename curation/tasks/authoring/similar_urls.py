"""Pages of similar."""

from django.utils.translation import gettext_lazy as _

from curation.base.access.page import page
from curation.tasks.authoring import similar_views as views

urlpatterns = [
    page("staff/tasks/<int:pk>/alike/", views.staff_task_alike, "staff-task-alike",
         menu="staff-tasks", GET="staff", label=_("Similar prompts")),
]  # fmt: skip
