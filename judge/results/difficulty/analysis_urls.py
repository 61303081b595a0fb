"""Pages of the analysis, for staff alone: they name candidates, whom others score blind."""

from curation.base.access.page import page
from judge.results.difficulty import analysis_views as views

urlpatterns = [
    page(
        "staff/task-analysis/", views.task_analysis, "task-analysis", menu="leaderboard",
        GET="staff",
    ),
    page(
        "staff/task-analysis.csv", views.tasks_csv, "task-analysis-csv", menu="leaderboard",
        GET="staff",
    ),
    page(
        "staff/task-analysis/lines.csv", views.lines_csv, "line-analysis-csv", menu="leaderboard",
        GET="staff",
    ),
    page(
        "staff/task-analysis/<int:pk>/", views.one_task, "task-analysis-task", menu="leaderboard",
        GET="staff", POST="staff.editing",
    ),
]  # fmt: skip
