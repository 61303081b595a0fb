"""Pages and API of graded sheets."""

from django.utils.translation import gettext_lazy as _

from curation.base.access.page import Pages, page
from judge.scoring.graded_sheets import api, views

graded_sheets = Pages("graded-sheets/<int:pk>/", menu="scoring", GET="expert", POST="expert")
rest = Pages("graded-sheets/", GET="expert", POST="expert", PUT="expert")

urlpatterns = [
    graded_sheets("", views.sheet, "graded-sheet", "GET POST", label="page.title", of="page.task"),
    graded_sheets("save/", views.save, "graded-sheet-save", "POST"),
    graded_sheets("hand-back/", views.hand_back, "graded-sheet-hand-back", "GET POST",
                  label=_("Hand back")),
    page("staff/graded-sheets/<int:pk>/release/", views.release, "staff-graded-sheet-release",
         menu="alignment", GET="staff", POST="staff.scoring", label="task.title"),
]  # fmt: skip

api_patterns = [
    rest("", api.GradedSheets.as_view(), "api-graded-sheets", "GET"),
    rest("<int:pk>/", api.GradedSheetDetail.as_view(), "api-graded-sheet", "GET PUT"),
    rest("<int:pk>/submit/", api.GradedSheetSubmit.as_view(), "api-graded-sheet-submit", "POST"),
]
