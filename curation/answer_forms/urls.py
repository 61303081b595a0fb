"""The page of the form of the answer."""

from curation.access.page import page
from curation.answer_forms import views

urlpatterns = [
    page(
        "tasks/<int:pk>/form/",
        views.task_form,
        "task-form",
        menu="tasks",
        GET="signed_in",
        POST="signed_in",
    ),
]
