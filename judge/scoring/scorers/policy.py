"""The rules of practice and drift: reading, and changing on the record."""

from curation.joining.domains.policies import RuleBook
from judge.scoring.scorers.models import RULES, ScorerPolicy, ScorerPolicyChange

RANGES = {
    "practice_share": (0, 100),
    "known_rate": (0, 50),
    "pause_below": (0, 100),
    "pause_lines": (10, 1000),
}


def common_policy() -> ScorerPolicy:
    """Return the rules of domains without their own; nothing is on until staff set it."""
    return ScorerPolicy.objects.filter(domain=None).first() or ScorerPolicy()


BOOK = RuleBook(ScorerPolicy, ScorerPolicyChange, RULES, common_policy, RANGES)
rules_of, change_policy, policy_for = BOOK.rules_of, BOOK.change, BOOK.policy_for
