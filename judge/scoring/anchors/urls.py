"""Pages of anchors."""

from curation.base.access.page import page
from judge.scoring.anchors import views

urlpatterns = [
    page(
        "staff/gold/anchors/",
        views.staff_anchors,
        "gold-anchors",
        menu="gold",
        GET="staff",
        POST="staff.gold",
    ),
    page(
        "staff/gold/anchors/<int:pk>/baseline/",
        views.replace,
        "gold-baseline",
        menu="gold",
        GET="staff",
        POST="staff.gold",
    ),
]
