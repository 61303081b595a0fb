"""The rules of rubrics, for staff's page of settings."""

from curation.staff.programme_settings.declared import of_book
from rubrics.policy.views import RULES

SOURCES = (of_book("rubrics", RULES, place=2),)
