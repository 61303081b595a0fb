"""The page on which staff retire a task from draws."""

from curation.base.access.page import page
from judge.base.gold_sets import retirement_views as views

urlpatterns = [
    page("staff/tasks/<int:pk>/retirement/", views.retirement, "task-retirement",
         menu="staff-tasks", GET="staff", POST="staff.gold"),
]  # fmt: skip
