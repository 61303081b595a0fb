"""The rules of rubrics, changed by staff on the record, in force from the next sending."""

from django.utils.translation import gettext as _

from curation.joining.domains.policies import Faults, RuleBook, out_of_range
from rubrics.policy.policy import HIGHEST, RubricPolicy, RubricPolicyChange, policy_for

RULES = ("fewest", "most", "beyond", "reference")


def _common() -> RubricPolicy:
    return policy_for(None)


def _faults(policy: RubricPolicy) -> Faults:
    problems = out_of_range(policy, {"fewest": (1, HIGHEST), "most": (1, HIGHEST)})
    if not problems and policy.fewest > policy.most:
        problems["most"] = [_("The maximum cannot be less than the minimum.")]
    if policy.beyond not in RubricPolicy.Beyond.values:
        problems["beyond"] = [_("Choose one of the two.")]
    if policy.reference not in RubricPolicy.Reference.values:
        problems["reference"] = [_("Choose one of the three.")]
    return problems


BOOK = RuleBook(RubricPolicy, RubricPolicyChange, RULES, _common, _faults)
rules_of, change_rules = BOOK.rules_of, BOOK.change
