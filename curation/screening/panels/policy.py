"""The rules of panels: reading them, and changing them on the record."""

from typing import Any

from django.conf import settings
from django.utils.translation import gettext as _

from curation.joining.domains.policies import Faults, RuleBook
from curation.screening.panels.models import PolicyChange, Screening, ScreeningPolicy
from curation.tasks.task.models import Task

RULES = (
    "quorum",
    "tie",
    "days",
    "draw",
    "samples",
    "solved_percent",
    "easy_percent",
    "suspect_percent",
)
RANGES = {
    "quorum": (1, 15),
    "days": (1, 60),
    "samples": (1, 20),
    "solved_percent": (1, 100),
    "easy_percent": (1, 100),
    "suspect_percent": (0, 99),
}


def common_policy() -> ScreeningPolicy:
    """Return the rules of all domains without their own; created when first needed."""
    policy, _created = ScreeningPolicy.objects.get_or_create(
        domain=None, defaults={"quorum": settings.PANEL_QUORUM}
    )
    return policy


def _faults(policy: ScreeningPolicy) -> Faults:
    if policy.suspect_percent < policy.easy_percent:
        return {}
    return {"suspect_percent": [_("This limit must be below the limit for “too easy”.")]}


# A change applies to the screenings that open after it.
BOOK = RuleBook(ScreeningPolicy, PolicyChange, RULES, common_policy, RANGES, _faults)
rules_of, change_policy, policy_for = BOOK.rules_of, BOOK.change, BOOK.policy_for


def screening_of(task: Task) -> Screening:
    """Return the current screening of a task; create it if the task came here by another way."""
    screening = Screening.objects.filter(task_id=task.pk, round=task.screening_round).first()
    return screening or open_record(task)


def open_record(task: Task, **found: Any) -> Screening:
    """Return the record of a task's current screening; create it with the rules of the domain.

    Args:
        found: `finding` and `probing`, if probing took place.
    """
    policy = policy_for(task.domain_id)
    screening, _created = Screening.objects.get_or_create(
        task=task,
        round=task.screening_round,
        defaults={
            "quorum": policy.quorum,
            "tie": policy.tie,
            "days": policy.days,
            "draw": policy.draw,
            **found,
        },
    )
    return screening
