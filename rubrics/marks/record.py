"""How often each rule's marks are kept or set aside, for staff."""

from dataclasses import dataclass
from typing import Any

from django.db.models import Count, Sum

from rubrics.linter.rule import Rule
from rubrics.linter.rules import RULES
from rubrics.marks import model_opinions
from rubrics.marks.models import SentMarks, Waiver

REASONS = 3  # newest reasons shown for each rule
READ = 500  # newest reasons searched for them


@dataclass(frozen=True)
class RuleRecord:
    """What became of one rule's marks in all rubrics that were sent.

    Attributes:
        rubrics: sent versions with at least one of its marks.
        standing: marks left open.
        set_aside: marks set aside with a reason.
        reasons: the newest of those reasons.
    """

    rule: Rule
    rubrics: int
    standing: int
    set_aside: int
    reasons: tuple[str, ...]

    @property
    def marks(self) -> int:
        return self.standing + self.set_aside

    @property
    def percent(self) -> int | None:
        """Share of its marks that were set aside, in whole percent; None without a mark."""
        return round(100 * self.set_aside / self.marks) if self.marks else None


def record_of_rules() -> list[RuleRecord]:
    """Return every rule with what became of its marks, most set aside first. Two queries."""
    counts: dict[str, Any] = {
        row["code"]: row
        for row in SentMarks.objects.order_by()
        .values("code")
        .annotate(rubrics=Count("version"), left=Sum("standing"), aside=Sum("set_aside"))
    }
    reasons: dict[str, list[str]] = {}
    newest = Waiver.objects.exclude(reason="").order_by("-id").values_list("code", "reason")
    for code, reason in newest[:READ]:
        if len(reasons.setdefault(code, [])) < REASONS:
            reasons[code].append(reason)
    found = []
    for rule in (*RULES, model_opinions.RULE):
        row = counts.get(rule.code, {"rubrics": 0, "left": 0, "aside": 0})
        found.append(
            RuleRecord(
                rule, row["rubrics"], row["left"], row["aside"], tuple(reasons.get(rule.code, ()))
            )
        )
    return sorted(found, key=lambda record: -record.set_aside)
