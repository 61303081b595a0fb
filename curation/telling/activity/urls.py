"""Pages of activity."""

from curation.base.access.page import page
from curation.telling.activity import views

urlpatterns = [
    page("tasks/<int:pk>/story/", views.task_history, "task-story", menu="tasks", GET="signed_in"),
]
