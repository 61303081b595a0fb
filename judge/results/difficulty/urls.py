"""Pages of the shares of models that are right, for staff alone: they tell what models answered."""

from curation.base.access.page import Pages
from judge.results.difficulty import views

page = Pages("staff/", menu="leaderboard", GET="staff", POST="staff.editing")

urlpatterns = [
    page("difficulty/", views.difficulty, "difficulty", "GET"),
    page("difficulty.csv", views.difficulty_csv, "difficulty-csv", "GET"),
    page("difficulty/rules/", views.rules, "difficulty-rules", "GET POST"),
    page("difficulty/<int:pk>/", views.one_task, "difficulty-task", "GET POST"),
]
