"""The rules of practice and drift: reading, and changing on the record."""

from curation.joining.domains.policies import Faults, RuleBook, out_of_range
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


def policy_for(domain_id: int) -> ScorerPolicy:
    """Return the rules of a domain: its own, or the general ones."""
    return ScorerPolicy.objects.filter(domain_id=domain_id).first() or common_policy()


def _faults(policy: ScorerPolicy) -> Faults:
    return out_of_range(policy, RANGES)


BOOK = RuleBook(ScorerPolicy, ScorerPolicyChange, RULES, common_policy, _faults)
rules_of, change_policy = BOOK.rules_of, BOOK.change
