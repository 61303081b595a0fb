"""Pages of assignments."""

from curation.access.page import page
from judge.assignments import views

urlpatterns = [
    page(
        "staff/alignment/sheets/",
        views.sheets,
        "staff-sheets",
        menu="alignment",
        GET="staff",
        POST="staff",
    ),
    page(
        "staff/sheets/<int:pk>/release/",
        views.release_sheet,
        "staff-sheet-release",
        menu="alignment",
        GET="staff",
        POST="staff",
    ),
    page(
        "staff/checks/<int:pk>/release/",
        views.release_meta,
        "staff-check-release",
        GET="staff",
        POST="staff",
    ),
]
