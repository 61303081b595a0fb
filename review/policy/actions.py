"""The rules of review: reading, changing on the record, and fixing them for a task."""

from django.conf import settings
from django.utils.translation import gettext as _

from curation.joining.domains.policies import Faults, RuleBook
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


def _faults(policy: ReviewPolicy) -> Faults:
    if policy.quorum <= policy.reviewers:
        return {}
    return {"quorum": [_("A line cannot need more approvals than there are reviewers.")]}


# Changed rules apply to reviews that begin afterwards.
BOOK = RuleBook(ReviewPolicy, ReviewPolicyChange, RULES, common_policy, RANGES, _faults)
rules_of, change_policy, policy_for = BOOK.rules_of, BOOK.change, BOOK.policy_for


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
