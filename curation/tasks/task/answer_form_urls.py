"""The page of the form of the answer."""

from django.utils.translation import gettext_lazy as _

from curation.base.access.page import page
from curation.tasks.task import answer_form_views as views

urlpatterns = [
    page("tasks/<int:pk>/form/", views.task_form, "task-form", menu="tasks", GET="signed_in",
         POST="signed_in", label=_("Form of the answer"), up="task-edit"),
]  # fmt: skip
