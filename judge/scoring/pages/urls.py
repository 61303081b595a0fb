"""Pages of scoring."""

from django.utils.translation import gettext_lazy as _

from curation.base.access.page import Pages
from judge.scoring.pages import api, views

own = Pages(menu="scoring", GET="expert", POST="expert")
rest = Pages("sheets/", GET="expert")

urlpatterns = [
    own("scoring/", views.queue, "scoring", "GET", label=_("Scoring"), go="o", counts="scoring"),
    own("scoring/anchors/<int:pk>/take/", views.take, "sheet-take", "POST"),
    own("sheets/<int:pk>/", views.sheet, "sheet", "GET", label="page.title", of="page.task"),
    own("sheets/<int:pk>/lines/<int:line>/", views.line, "sheet-line", "POST"),
    own("sheets/<int:pk>/submit/", views.submit, "sheet-submit", "POST"),
    own("sheets/<int:pk>/hand-back/", views.hand_back, "sheet-hand-back", "GET POST",
        label=_("Hand back")),
]  # fmt: skip

api_patterns = [
    rest("", api.Sheets.as_view(), "api-sheets", "GET"),
    rest("<int:pk>/", api.SheetDetail.as_view(), "api-sheet", "GET"),
    rest("<int:pk>/submit/", api.SheetSubmit.as_view(), "api-sheet-submit", POST="expert"),
    rest("<int:pk>/lines/<str:criterion>/", api.SheetLines.as_view(), "api-sheet-line",
         PUT="expert"),
]  # fmt: skip
