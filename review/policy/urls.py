"""Addresses of the rules of review."""

from curation.base.access.page import page
from review.policy import views

urlpatterns = [
    page(
        "staff/reviews/rules/",
        views.policies,
        "staff-review-policies",
        menu="staff-tasks",
        GET="staff",
    ),
    page(
        "staff/reviews/rules/<key:key>/",
        views.policy,
        "staff-review-policy",
        menu="staff-tasks",
        GET="staff",
        POST="staff.editing",
    ),
]
