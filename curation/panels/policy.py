"""The rules a panel goes by: read, and changed on the record."""

from typing import Any

from django.conf import settings
from django.core.exceptions import ValidationError
from django.utils.translation import gettext as _

from curation.domains.policies import Faults, RuleBook, out_of_range
from curation.panels.models import PolicyChange, Screening, ScreeningPolicy
from curation.tasks.models import Task

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


def policy_for(domain_id: int) -> ScreeningPolicy:
    """The rules of a domain: its own, or those of all others."""
    own = ScreeningPolicy.objects.filter(domain_id=domain_id).first()
    return own or common_policy()


def common_policy() -> ScreeningPolicy:
    """The rules of all domains without their own; written down when first asked for."""
    policy, _created = ScreeningPolicy.objects.get_or_create(
        domain=None, defaults={"quorum": settings.PANEL_QUORUM}
    )
    return policy


def _faults(policy: ScreeningPolicy) -> Faults:
    problems = out_of_range(policy, RANGES)
    if not problems and policy.suspect_percent >= policy.easy_percent:
        problems["suspect_percent"] = [_("This limit lies under the limit of too easy.")]
    try:
        policy.clean_fields(exclude=["domain", *problems])
    except ValidationError as found:
        problems |= found.message_dict
    return problems


# They hold for the screenings that open from now on.
BOOK = RuleBook(ScreeningPolicy, PolicyChange, RULES, common_policy, _faults)
rules_of, change_policy = BOOK.rules_of, BOOK.change


def screening_of(task: Task) -> Screening:
    """The screening a task is in, with its rules; made now for a task that came by another way."""
    screening = Screening.objects.filter(task_id=task.pk, round=task.screening_round).first()
    return screening or write_down(task)


def write_down(task: Task, **found: Any) -> Screening:
    """Open a screening's record with the rules of its domain.

    Args:
        found: `finding` and `probing`, where probing took place.
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
