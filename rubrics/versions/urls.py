"""Addresses of the versions."""

from curation.base.access.page import page
from rubrics.versions import views

urlpatterns = [
    page("tasks/<int:pk>/rubric/versions/", views.versions, "rubric-versions", menu="tasks",
         GET="signed_in", label="task.title", up="tasks"),
]  # fmt: skip
