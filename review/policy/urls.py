"""Addresses of the rules of review."""

from django.utils.translation import gettext_lazy as _

from curation.base.access.page import Pages
from review.policy.views import RULES

page = Pages("staff/reviews/rules/", menu="staff-tasks", GET="staff", POST="staff.editing")

urlpatterns = [
    page("", RULES.table, "staff-review-policies", "GET", label=_("Rules of review")),
    page("<key:key>/", RULES.rules, "staff-review-policy", "GET POST"),
]
