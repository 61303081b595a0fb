"""Pages of the alignment report.

Seniors read it without the disagreements, which name responses they may have to score blind.
"""

from curation.base.access.page import Pages
from judge.results.alignment import page_views as views

page = Pages("staff/", menu="alignment", GET="senior_or_staff")

urlpatterns = [
    page("alignment/", views.alignment, "alignment", "GET"),
    page("alignment.csv", views.alignment_csv, "alignment-csv", "GET"),
    page("alignment.json", views.alignment_json, "alignment-json", "GET"),
    page(
        "alignment/thresholds/",
        views.thresholds,
        "alignment-thresholds",
        GET="staff",
        POST="staff.scoring",
    ),
    page("alignment/sheets/<int:pk>/", views.alignment_sheet, "alignment-sheet", GET="staff"),
]
