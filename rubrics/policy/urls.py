"""Addresses of the rules of rubrics."""

from curation.base.access.page import Pages
from rubrics.policy import views

page = Pages("staff/rubrics/rules/", menu="staff-tasks", GET="staff", POST="staff.editing")

urlpatterns = [
    page("", views.staff_rules, "staff-rubric-rules", "GET"),
    page("<key:key>/", views.staff_rule, "staff-rubric-rule", "GET POST"),
]
