"""Addresses of scoring: sheets, and the check of anchors."""

from django.urls import path

from judge import api
from judge.views import meta, scoring

urlpatterns = [
    path("scoring/", scoring.queue, name="scoring"),
    path("scoring/anchors/<int:pk>/take/", scoring.take, name="sheet-take"),
    path("scoring/anchors/<int:pk>/check/", meta.take, name="meta-take"),
    path("sheets/<int:pk>/", scoring.sheet, name="sheet"),
    path("sheets/<int:pk>/lines/<int:line>/", scoring.line, name="sheet-line"),
    path("sheets/<int:pk>/submit/", scoring.submit, name="sheet-submit"),
    path("sheets/<int:pk>/hand-back/", scoring.hand_back, name="sheet-hand-back"),
    path("meta/<int:pk>/", meta.check, name="meta"),
]

api_patterns = [
    path("sheets/", api.Sheets.as_view(), name="api-sheets"),
    path("sheets/<int:pk>/", api.SheetDetail.as_view(), name="api-sheet"),
    path("sheets/<int:pk>/submit/", api.SheetSubmit.as_view(), name="api-sheet-submit"),
    path("sheets/<int:pk>/lines/<str:criterion>/", api.SheetLines.as_view(), name="api-sheet-line"),
]
