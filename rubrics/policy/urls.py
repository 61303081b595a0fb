"""Addresses of the rules of rubrics."""

from curation.base.access.page import page
from rubrics.policy import views

urlpatterns = [
    page(
        "staff/rubrics/rules/",
        views.staff_rules,
        "staff-rubric-rules",
        menu="staff-tasks",
        GET="staff",
    ),
    page(
        "staff/rubrics/rules/<key:key>/",
        views.staff_rule,
        "staff-rubric-rule",
        menu="staff-tasks",
        GET="staff",
        POST="staff.editing",
    ),
]
