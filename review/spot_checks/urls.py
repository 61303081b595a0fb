"""Addresses of spot checks."""

from curation.base.access.page import page
from review.spot_checks import finding_views, views

urlpatterns = [
    page(
        "spot-checks/", views.spot_checks, "spot-checks", menu="spot-checks", GET="senior_or_staff"
    ),
    page(
        "spot-checks/<int:pk>/take/",
        views.take,
        "spot-check-take",
        menu="spot-checks",
        POST="senior",
    ),
    page(
        "spot-checks/<int:pk>/",
        views.spot_check,
        "spot-check",
        menu="spot-checks",
        GET="senior",
        POST="senior",
    ),
    page(
        "staff/reviews/", finding_views.findings, "staff-reviews", menu="staff-tasks", GET="staff"
    ),
]
