"""Pages of assignments."""

from curation.base.access.page import Pages
from judge.scoring.assignments import list_views, views

page = Pages("staff/", menu="alignment", GET="staff", POST="staff.scoring")

urlpatterns = [
    page("alignment/sheets/", views.sheets, "staff-sheets", "GET POST"),
    page("sheets/", list_views.sheet_list, "staff-sheet-list", "GET"),
    page("graded-sheets/", list_views.graded_sheet_list, "staff-graded-sheet-list", "GET"),
    page("sheets/<int:pk>/release/", views.release_sheet, "staff-sheet-release", "GET POST"),
    page("checks/<int:pk>/release/", views.release_meta, "staff-check-release", "GET POST"),
]
