"""Addresses of spot checks."""

from curation.base.access.page import Pages, page
from review.spot_checks import finding_views, views

spot_checks = Pages("spot-checks/", menu="spot-checks", POST="senior")

urlpatterns = [
    spot_checks("", views.spot_checks, "spot-checks", GET="senior_or_staff"),
    spot_checks("<int:pk>/take/", views.take, "spot-check-take", "POST"),
    spot_checks("<int:pk>/", views.spot_check, "spot-check", "POST", GET="senior"),
    page(
        "staff/reviews/", finding_views.findings, "staff-reviews", menu="staff-tasks", GET="staff"
    ),
]
