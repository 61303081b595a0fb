"""Pages of assignments."""

from django.utils.translation import gettext_lazy as _

from curation.base.access.page import Pages
from judge.scoring.assignments import list_views, views

page = Pages("staff/", menu="alignment", GET="staff", POST="staff.scoring")

urlpatterns = [
    page("alignment/sheets/", views.sheets, "staff-sheets", "GET POST",
         label=_("Sheets for alignment")),
    page("sheets/", list_views.sheet_list, "staff-sheet-list", "GET", label=_("Sheets of experts")),
    page("graded-sheets/", list_views.graded_sheet_list, "staff-graded-sheet-list", "GET",
         label=_("Sheets of experts with one grade")),
    page("sheets/<int:pk>/release/", views.release_sheet, "staff-sheet-release", "GET POST",
         label="task.title"),
    page("checks/<int:pk>/release/", views.release_meta, "staff-check-release", "GET POST",
         label="task.title"),
]  # fmt: skip
