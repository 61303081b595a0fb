"""The rules of review: read, changed on the record, and written down for each task."""

from django.conf import settings
from django.core.exceptions import ValidationError
from django.utils.translation import gettext as _

from curation.domains.policies import Faults, RuleBook, out_of_range
from curation.tasks.models import Task
from review.policy.models import RULES, ReviewPolicy, ReviewPolicyChange, ReviewTerms

RANGES = {"reviewers": (1, 9), "quorum": (1, 9), "rounds": (1, 9), "days": (1, 60)}


def common_policy() -> ReviewPolicy:
    """The rules of all domains without their own; written down when first asked for."""
    asked = settings.REVIEWERS_PER_TASK
    policy, _created = ReviewPolicy.objects.get_or_create(
        domain=None, defaults={"reviewers": asked, "quorum": asked}
    )
    return policy


def policy_for(domain_id: int) -> ReviewPolicy:
    """The rules of a domain: its own, or those of all others."""
    return ReviewPolicy.objects.filter(domain_id=domain_id).first() or common_policy()


def _faults(policy: ReviewPolicy) -> Faults:
    problems = out_of_range(policy, RANGES)
    if not problems and policy.quorum > policy.reviewers:
        problems["quorum"] = [_("No more approvals can settle a line than there are reviewers.")]
    try:
        policy.clean_fields(exclude=["domain", *problems])
    except ValidationError as found:
        problems |= found.message_dict
    return problems


# They hold for the reviews that begin from now on.
BOOK = RuleBook(ReviewPolicy, ReviewPolicyChange, RULES, common_policy, _faults)
rules_of, change_policy = BOOK.rules_of, BOOK.change


def terms_of(task: Task) -> ReviewTerms:
    """The rules this task's review goes by; written down now where it has none yet. They never
    change, so they are read once per task object."""
    try:
        return task.review_terms
    except ReviewTerms.DoesNotExist:
        pass
    terms, _created = ReviewTerms.objects.get_or_create(
        task_id=task.pk, defaults=rules_of(policy_for(task.domain_id))
    )
    return terms
