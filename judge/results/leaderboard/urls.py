"""Pages of the leaderboard, for staff alone (see `judge.results.leaderboard.ranking`)."""

from curation.base.access.page import page
from judge.results.leaderboard import half_views, table_views, views

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
    page(
        "leaderboard/table/",
        table_views.board_table,
        "leaderboard-table",
        menu="leaderboard",
        GET="staff",
    ),
    page(
        "leaderboard/table.<slug:kind>",
        table_views.board_table_file,
        "leaderboard-table-file",
        menu="leaderboard",
        GET="staff",
    ),
    page(
        "leaderboard/halves/",
        half_views.board_halves,
        "leaderboard-halves",
        menu="leaderboard",
        GET="staff",
    ),
    page(
        "leaderboard/halves.json",
        half_views.board_halves_json,
        "leaderboard-halves-json",
        menu="leaderboard",
        GET="staff",
    ),
    page(
        "leaderboard/candidates/<int:pk>/",
        half_views.board_candidate,
        "board-candidate",
        menu="leaderboard",
        GET="staff",
        POST="staff.scoring",
    ),
]
