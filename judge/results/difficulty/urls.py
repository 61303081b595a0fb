"""Pages of the shares of models that are right, for staff alone: they tell what models answered."""

from curation.base.access.page import page
from judge.results.difficulty import views

urlpatterns = [
    page("staff/difficulty/", views.difficulty, "difficulty", menu="leaderboard", GET="staff"),
    page(
        "staff/difficulty.csv", views.difficulty_csv, "difficulty-csv", menu="leaderboard",
        GET="staff",
    ),
    page(
        "staff/difficulty/rules/", views.rules, "difficulty-rules", menu="leaderboard",
        GET="staff", POST="staff.editing",
    ),
    page(
        "staff/difficulty/<int:pk>/", views.one_task, "difficulty-task", menu="leaderboard",
        GET="staff", POST="staff.editing",
    ),
]  # fmt: skip
