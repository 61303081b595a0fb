"""The rules of review: reading, changing on the record, and fixing them for a task."""

from django.conf import settings
from django.core.exceptions import ValidationError
from django.utils.translation import gettext as _

from curation.joining.domains.policies import Faults, RuleBook, out_of_range
from curation.tasks.task.models import Task
from review.policy.models import RULES, ReviewPolicy, ReviewPolicyChange, ReviewTerms

RANGES = {"reviewers": (1, 9), "quorum": (1, 9), "rounds": (1, 9), "days": (1, 60)}


def common_policy() -> ReviewPolicy:
    """Return the rules of domains without their own; created from the settings on first use."""
    asked = settings.REVIEWERS_PER_TASK
    policy, _created = ReviewPolicy.objects.get_or_create(
        domain=None, defaults={"reviewers": asked, "quorum": asked}
    )
    return policy


def policy_for(domain_id: int) -> ReviewPolicy:
    """Return the rules of a domain: its own, or the general ones."""
    return ReviewPolicy.objects.filter(domain_id=domain_id).first() or common_policy()


def _faults(policy: ReviewPolicy) -> Faults:
    problems = out_of_range(policy, RANGES)
    if not problems and policy.quorum > policy.reviewers:
        problems["quorum"] = [_("A line cannot need more approvals than there are reviewers.")]
    try:
        policy.clean_fields(exclude=["domain", *problems])
    except ValidationError as found:
        problems |= found.message_dict
    return problems


# Changed rules apply to reviews that begin afterwards.
BOOK = RuleBook(ReviewPolicy, ReviewPolicyChange, RULES, common_policy, _faults)
rules_of, change_policy = BOOK.rules_of, BOOK.change


def terms_of(task: Task) -> ReviewTerms:
    """Return the rules of this task's review, fixed now if it has none yet.

    They never change, so they are loaded once per task object.
    """
    try:
        return task.review_terms
    except ReviewTerms.DoesNotExist:
        pass
    terms, _created = ReviewTerms.objects.get_or_create(
        task_id=task.pk, defaults=rules_of(policy_for(task.domain_id))
    )
    return terms
