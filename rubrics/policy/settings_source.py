"""The rules of rubrics, for staff's page of settings."""

from django.utils.translation import gettext_lazy

from curation.staff.programme_settings.declared import of_book
from rubrics.policy.actions import BOOK
from rubrics.policy.forms import RulesForm
from rubrics.policy.policy import RubricPolicy

SOURCES = (
    of_book(
        "rubrics",
        gettext_lazy("Rules of the rubrics"),
        BOOK,
        "staff-rubric-rule",
        lambda: RulesForm.Meta.labels,
        lambda: dict(RubricPolicy.Beyond.choices) | dict(RubricPolicy.Reference.choices),
        place=2,
    ),
)
