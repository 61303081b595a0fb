"""Pages of scoring."""

from curation.base.access.page import page
from judge.scoring.pages import api, views

urlpatterns = [
    page("scoring/", views.queue, "scoring", menu="scoring", GET="expert"),
    page("scoring/anchors/<int:pk>/take/", views.take, "sheet-take", menu="scoring", POST="expert"),
    page("sheets/<int:pk>/", views.sheet, "sheet", menu="scoring", GET="expert"),
    page(
        "sheets/<int:pk>/lines/<int:line>/", views.line, "sheet-line", menu="scoring", POST="expert"
    ),
    page("sheets/<int:pk>/submit/", views.submit, "sheet-submit", menu="scoring", POST="expert"),
    page(
        "sheets/<int:pk>/hand-back/",
        views.hand_back,
        "sheet-hand-back",
        menu="scoring",
        GET="expert",
        POST="expert",
    ),
]

api_patterns = [
    page("sheets/", api.Sheets.as_view(), "api-sheets", GET="expert"),
    page("sheets/<int:pk>/", api.SheetDetail.as_view(), "api-sheet", GET="expert"),
    page("sheets/<int:pk>/submit/", api.SheetSubmit.as_view(), "api-sheet-submit", POST="expert"),
    page(
        "sheets/<int:pk>/lines/<str:criterion>/",
        api.SheetLines.as_view(),
        "api-sheet-line",
        PUT="expert",
    ),
]
