"""Addresses of the rules of review."""

from curation.base.access.page import Pages
from review.policy import views

page = Pages("staff/reviews/rules/", menu="staff-tasks", GET="staff", POST="staff.editing")

urlpatterns = [
    page("", views.policies, "staff-review-policies", "GET"),
    page("<key:key>/", views.policy, "staff-review-policy", "GET POST"),
]
