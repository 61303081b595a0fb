"""Pages of the leaderboard, for staff alone (see `judge.leaderboard.ranking`)."""

from curation.access.page import page
from judge.leaderboard import views

urlpatterns = [
    page("leaderboard/", views.leaderboard, "leaderboard", menu="leaderboard", GET="staff"),
    page(
        "leaderboard.csv", views.leaderboard_csv, "leaderboard-csv", menu="leaderboard", GET="staff"
    ),
    page(
        "leaderboard.json",
        views.leaderboard_json,
        "leaderboard-json",
        menu="leaderboard",
        GET="staff",
    ),
]
