"""Addresses of the rules of rubrics."""

from django.utils.translation import gettext_lazy as _

from curation.base.access.page import Pages
from rubrics.policy.views import RULES

page = Pages("staff/rubrics/rules/", menu="staff-tasks", GET="staff", POST="staff.editing")

urlpatterns = [
    page("", RULES.table, "staff-rubric-rules", "GET", label=_("Rules of the rubrics")),
    page("<key:key>/", RULES.rules, "staff-rubric-rule", "GET POST"),
]
