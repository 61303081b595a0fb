"""The rules of rubrics on staff's page of settings."""

from curation.staff.programme_settings import declared
from rubrics.policy.views import RULES

declared.register(declared.of_book("rubrics", RULES, place=2))
