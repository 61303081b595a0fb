"""The words by which people appear on pages of questions: by what they are, never by name."""

from typing import Any

from django.utils.translation import gettext_lazy as _

from curation.base.process.roles import STAFF, Role
from curation.tasks.task.queries import is_its_author, seat_role

EXPERT, SENIOR = "expert", "senior"
WORDS: dict[str, Any] = {
    Role.AUTHOR: _("The author"),
    Role.RUBRIC_AUTHOR: _("The author of the rubric"),
    Role.SCREENER: _("A screener"),
    Role.CHECKER: _("A checker"),
    Role.SOLVER: _("A solver"),
    Role.REVIEWER: _("A reviewer"),
    Role.SCORER: _("A scorer"),
    Role.ADJUDICATOR: _("An adjudicator"),
    Role.VERIFIER: _("A verifier"),
    EXPERT: _("An expert"),
    SENIOR: _("A senior"),
    STAFF: _("Staff"),
}
ROLES = tuple(str(getattr(role, "value", role)) for role in WORDS)


def role_of_asker(user: Any, task: Any) -> str:
    """Return as what a person asks.

    Args:
        task: None for a question about a rule.
    """
    if task is not None:
        if is_its_author(user, task):
            return Role.AUTHOR.value
        seat = seat_role(user, task)
        if seat in WORDS:
            return str(seat)
        if seat is not None:
            return SENIOR
    return STAFF if user.is_staff else EXPERT


def role_of_answerer(user: Any) -> str:
    """Return as what a person answers: as staff, or as a senior."""
    return STAFF if user.is_staff else SENIOR
