"""Pages of assignments."""

from curation.base.access.page import page
from judge.scoring.assignments import list_views, views

urlpatterns = [
    page(
        "staff/alignment/sheets/",
        views.sheets,
        "staff-sheets",
        menu="alignment",
        GET="staff",
        POST="staff.scoring",
    ),
    page(
        "staff/sheets/",
        list_views.sheet_list,
        "staff-sheet-list",
        menu="alignment",
        GET="staff",
    ),
    page(
        "staff/graded-sheets/",
        list_views.graded_sheet_list,
        "staff-graded-sheet-list",
        menu="alignment",
        GET="staff",
    ),
    page(
        "staff/sheets/<int:pk>/release/",
        views.release_sheet,
        "staff-sheet-release",
        menu="alignment",
        GET="staff",
        POST="staff.scoring",
    ),
    page(
        "staff/checks/<int:pk>/release/",
        views.release_meta,
        "staff-check-release",
        GET="staff",
        POST="staff.scoring",
    ),
]
