"""Pages of practice."""

from curation.base.access.page import page
from judge.scoring.practice import views

urlpatterns = [
    page(
        "scoring/practice/<key:key>/start/",
        views.start,
        "practice-start",
        menu="scoring",
        POST="expert",
    ),
    page(
        "scoring/practice/<int:pk>/", views.result, "practice-result", menu="scoring", GET="expert"
    ),
    page(
        "staff/scorers/<key:key>/practice/",
        views.add,
        "practice-add",
        menu="alignment",
        GET="staff",
        POST="staff.scoring",
    ),
    page(
        "staff/practice/<int:pk>/",
        views.practice_sheet,
        "practice-sheet",
        menu="alignment",
        GET="staff",
        POST="staff.scoring",
    ),
    page(
        "staff/practice/<int:pk>/use/",
        views.use,
        "practice-use",
        menu="alignment",
        POST="staff.scoring",
    ),
]
