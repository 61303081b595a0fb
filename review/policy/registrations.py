"""The rules of review on staff's page of settings, and how they rest on a task's text."""

from django.utils.translation import gettext_lazy as _

from curation.staff.programme_settings import declared
from curation.tasks.task import text_basis
from curation.tasks.task.text_basis import independent
from review.policy.views import RULES

text_basis.register(
    *independent(_("It says who reviews, by which rules."), "review.ReviewTerms"),
)
declared.register(declared.of_book("review", RULES, place=3))
