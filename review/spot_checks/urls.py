"""Addresses of spot checks."""

from django.utils.translation import gettext_lazy as _

from curation.base.access.page import Pages, page
from review.spot_checks import finding_views, views

spot_checks = Pages("spot-checks/", menu="spot-checks", POST="senior")

urlpatterns = [
    spot_checks("", views.spot_checks, "spot-checks", GET="senior_or_staff", label=_("Spot checks"),
                go="c", counts="spot_checks"),
    spot_checks("<int:pk>/take/", views.take, "spot-check-take", "POST"),
    spot_checks("<int:pk>/", views.spot_check, "spot-check", "POST", GET="senior",
                label="task.title"),
    page("staff/reviews/", finding_views.findings, "staff-reviews", menu="staff-tasks", GET="staff",
         label=_("Reviews and spot checks")),
]  # fmt: skip
