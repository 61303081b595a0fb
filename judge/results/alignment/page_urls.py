"""Pages of the alignment report.

Seniors read it without the disagreements, which name responses they may have to score blind.
"""

from curation.base.access.page import page
from judge.results.alignment import page_views as views

urlpatterns = [
    page("staff/alignment/", views.alignment, "alignment", menu="alignment", GET="senior_or_staff"),
    page(
        "staff/alignment.csv",
        views.alignment_csv,
        "alignment-csv",
        menu="alignment",
        GET="senior_or_staff",
    ),
    page(
        "staff/alignment.json",
        views.alignment_json,
        "alignment-json",
        menu="alignment",
        GET="senior_or_staff",
    ),
    page(
        "staff/alignment/thresholds/",
        views.thresholds,
        "alignment-thresholds",
        menu="alignment",
        GET="staff",
        POST="staff.scoring",
    ),
    page(
        "staff/alignment/sheets/<int:pk>/",
        views.alignment_sheet,
        "alignment-sheet",
        menu="alignment",
        GET="staff",
    ),
]
