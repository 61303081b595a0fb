"""The rules of review, for staff's page of settings."""

from curation.staff.programme_settings.declared import of_book
from review.policy.views import RULES

SOURCES = (of_book("review", RULES, place=3),)
