"""What the models of a run were asked and what they cost, by the role in which they were asked."""

from dataclasses import dataclass
from typing import Any

from django.db.models import Count, Sum

from judge.asking import providers
from judge.asking.calls.cost import all_schedules, cost_in_sql, costs_by_run, in_dollars
from judge.asking.calls.models import Call
from judge.methods.base import registry
from judge.methods.base.values import JUDGE
from judge.runs.engine.models import JudgeRun
from judge.runs.engine.roles import models_of


@dataclass(frozen=True, slots=True)
class RoleRow:
    """One role of a run.

    Attributes:
        words: what the model does in it; "" for the judge.
        cost: in dollars; None where a price is unknown.
    """

    role: str
    words: Any
    provider: str
    model: str
    calls: int
    input_tokens: int
    output_tokens: int
    cost: float | None

    def as_dict(self) -> dict[str, Any]:
        """Return the row as `judge --json` prints it."""
        return {
            "role": self.role,
            "provider": self.provider,
            "model": self.model,
            "calls": self.calls,
            "input_tokens": self.input_tokens,
            "output_tokens": self.output_tokens,
            "cost_usd": self.cost,
        }


def role_rows(run: JudgeRun) -> list[RoleRow]:
    """Return the roles of a run, the judge last; [] for a method that asks one model."""
    method = registry.METHODS.get(run.method)
    if method is None or not method.further_roles:
        return []
    asked = models_of(run)
    prices = all_schedules({model.pair for model in asked.values()})
    mine = Call.objects.filter(run=run.pk)
    known = {
        role: cost is not None
        for role in (*method.further_roles, JUDGE)
        for cost in [costs_by_run(mine.filter(role=role), prices).get(run.pk, 0)]
    }
    sums = {
        role: totals
        for role, *totals in mine.order_by()
        .values_list("role")
        .annotate(
            calls=Count("id"),
            sent=Sum("input_tokens"),
            written=Sum("output_tokens"),
            cost=Sum(cost_in_sql(prices)),
        )
    }
    rows = []
    for role in (*method.further_roles, JUDGE):
        calls, sent, written, cost = sums.get(role, (0, 0, 0, 0))
        rows.append(
            RoleRow(
                role,
                method.further_roles[role].does if role in method.further_roles else "",
                providers.label_of(asked[role].provider),
                asked[role].model,
                calls,
                sent or 0,
                written or 0,
                in_dollars(int(cost or 0)) if known[role] else None,
            )
        )
    return rows
