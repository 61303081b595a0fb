"""Pages of the leaderboard, for staff alone (see `judge.results.leaderboard.ranking`)."""

from django.utils.translation import gettext_lazy as _

from curation.base.access.page import Pages
from judge.results.leaderboard import half_views, table_views, views

page = Pages(menu="leaderboard", GET="staff")

urlpatterns = [
    page("leaderboard/", views.leaderboard, "leaderboard", "GET", label=_("Leaderboard"), go="b"),
    page("leaderboard.csv", views.leaderboard_csv, "leaderboard-csv", "GET"),
    page("leaderboard.json", views.leaderboard_json, "leaderboard-json", "GET"),
    page("leaderboard/table/", table_views.board_table, "leaderboard-table", "GET",
         label=_("Table of a domain")),
    page("leaderboard/table.<slug:kind>", table_views.board_table_file, "leaderboard-table-file",
         "GET"),
    page("leaderboard/halves/", half_views.board_halves, "leaderboard-halves", "GET",
         label=_("Open and private half")),
    page("leaderboard/halves.json", half_views.board_halves_json, "leaderboard-halves-json", "GET"),
    page("leaderboard/candidates/<int:pk>/", half_views.board_candidate, "board-candidate", "GET",
         POST="staff.scoring", label="candidate.name"),
]  # fmt: skip
