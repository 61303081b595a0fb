"""Staff's pages of scorers."""

from curation.base.access.page import page
from judge.scoring.practice import drift_views as views

urlpatterns = [
    page("staff/scorers/", views.scorers, "scorers", menu="alignment", GET="staff"),
    page("staff/scorers/<key:key>/", views.domain, "scorers-domain", menu="alignment", GET="staff"),
    page(
        "staff/scorers/<key:key>/rules/",
        views.rules,
        "scorers-rules",
        menu="alignment",
        GET="staff",
        POST="staff.scoring",
    ),
    page(
        "staff/scorers/<key:key>/<int:pk>/",
        views.scorer,
        "domain-scorer",
        menu="alignment",
        GET="staff",
        POST="staff.scoring",
    ),
]
