"""The page on which staff retire a task from draws."""

from curation.base.access.page import page
from judge.base.retirements import views

urlpatterns = [
    page(
        "staff/tasks/<int:pk>/retirement/",
        views.retirement,
        "task-retirement",
        menu="staff-tasks",
        GET="staff",
        POST="staff.gold",
    ),
]
