"""The rules of rubrics, changed by staff on the record, in force from the next sending."""

from django.utils.translation import gettext as _

from curation.joining.domains.policies import Faults, RuleBook
from rubrics.policy.policy import HIGHEST, RubricPolicy, RubricPolicyChange, policy_for

NAMES = ("fewest", "most", "beyond", "reference")


def _common() -> RubricPolicy:
    return policy_for(None)


def _faults(policy: RubricPolicy) -> Faults:
    if policy.fewest <= policy.most:
        return {}
    return {"most": [_("The maximum cannot be less than the minimum.")]}


BOOK = RuleBook(
    RubricPolicy,
    RubricPolicyChange,
    NAMES,
    _common,
    {"fewest": (1, HIGHEST), "most": (1, HIGHEST)},
    _faults,
)
rules_of, change_rules = BOOK.rules_of, BOOK.change
