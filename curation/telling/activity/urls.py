"""Pages of activity."""

from django.utils.translation import gettext_lazy as _

from curation.base.access.page import page
from curation.telling.activity import views

urlpatterns = [
    page("tasks/<int:pk>/story/", views.task_history, "task-story", menu="tasks", GET="signed_in",
         label=_("Trail")),
]  # fmt: skip
