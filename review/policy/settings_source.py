"""The rules of review, for staff's page of settings."""

from django.utils.translation import gettext_lazy

from curation.staff.programme_settings.declared import of_book
from review.policy.actions import BOOK
from review.policy.forms import ReviewPolicyForm
from review.policy.models import Rules

SOURCES = (
    of_book(
        "review",
        gettext_lazy("Rules of review"),
        BOOK,
        "staff-review-policy",
        lambda: {name: field.label for name, field in ReviewPolicyForm.base_fields.items()},
        lambda: dict(Rules.Colleagues.choices),
        place=3,
    ),
)
