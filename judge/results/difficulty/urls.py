"""Pages of the shares of models that are right, for staff alone: they tell what models answered."""

from django.utils.translation import gettext_lazy as _

from curation.base.access.page import Pages
from judge.results.difficulty import views

page = Pages("staff/", menu="leaderboard", GET="staff", POST="staff.editing")

urlpatterns = [
    page("difficulty/", views.difficulty, "difficulty", "GET", label=_("Models that are right")),
    page("difficulty.csv", views.difficulty_csv, "difficulty-csv", "GET"),
    page("difficulty/rules/", views.rules, "difficulty-rules", "GET POST",
         label=_("Rules on models that are right")),
    page("difficulty/<int:pk>/", views.one_task, "difficulty-task", "GET POST", label="row.title"),
]  # fmt: skip
