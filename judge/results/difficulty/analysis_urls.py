"""Pages of the analysis, for staff alone: they name candidates, whom others score blind."""

from django.utils.translation import gettext_lazy as _

from curation.base.access.page import Pages
from judge.results.difficulty import analysis_views as views

page = Pages("staff/", menu="leaderboard", GET="staff")

urlpatterns = [
    page("task-analysis/", views.task_analysis, "task-analysis", "GET", label=_("Tasks and lines")),
    page("task-analysis.csv", views.tasks_csv, "task-analysis-csv", "GET"),
    page("task-analysis/lines.csv", views.lines_csv, "line-analysis-csv", "GET"),
    page("task-analysis/<int:pk>/", views.one_task, "task-analysis-task", "GET",
         POST="staff.editing", label="row.task.title"),
]  # fmt: skip
