"""Addresses of the drafts."""

from curation.base.access.page import page
from rubrics.drafts import views

urlpatterns = [
    page("tasks/<int:pk>/rubric/draft/", views.draft, "rubric-draft", menu="tasks", GET="signed_in",
         POST="signed_in", label="task.title", up="tasks"),
]  # fmt: skip
