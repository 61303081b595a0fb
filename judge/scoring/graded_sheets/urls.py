"""Pages and API of graded sheets."""

from curation.base.access.page import page
from judge.scoring.graded_sheets import api, views

urlpatterns = [
    page(
        "graded-sheets/<int:pk>/",
        views.sheet,
        "graded-sheet",
        menu="scoring",
        GET="expert",
        POST="expert",
    ),
    page(
        "graded-sheets/<int:pk>/save/",
        views.save,
        "graded-sheet-save",
        menu="scoring",
        POST="expert",
    ),
    page(
        "graded-sheets/<int:pk>/hand-back/",
        views.hand_back,
        "graded-sheet-hand-back",
        menu="scoring",
        GET="expert",
        POST="expert",
    ),
    page(
        "staff/graded-sheets/<int:pk>/release/",
        views.release,
        "staff-graded-sheet-release",
        menu="alignment",
        GET="staff",
        POST="staff.scoring",
    ),
]

api_patterns = [
    page("graded-sheets/", api.GradedSheets.as_view(), "api-graded-sheets", GET="expert"),
    page(
        "graded-sheets/<int:pk>/",
        api.GradedSheetDetail.as_view(),
        "api-graded-sheet",
        GET="expert",
        PUT="expert",
    ),
    page(
        "graded-sheets/<int:pk>/submit/",
        api.GradedSheetSubmit.as_view(),
        "api-graded-sheet-submit",
        POST="expert",
    ),
]
