"""Pages of the alignment report.

Seniors read it without the disagreements, which name responses they may have to score blind.
"""

from django.utils.translation import gettext_lazy as _

from curation.base.access.page import Pages
from judge.results.alignment import page_views as views

page = Pages("staff/", menu="alignment", GET="senior_or_staff")

urlpatterns = [
    page("alignment/", views.alignment, "alignment", "GET", label=_("Alignment"), go="l"),
    page("alignment.csv", views.alignment_csv, "alignment-csv", "GET"),
    page("alignment.json", views.alignment_json, "alignment-json", "GET"),
    page("alignment/thresholds/", views.thresholds, "alignment-thresholds", GET="staff",
         POST="staff.scoring", label=_("Trust thresholds")),
    page("alignment/sheets/<int:pk>/", views.alignment_sheet, "alignment-sheet", GET="staff"),
]  # fmt: skip
