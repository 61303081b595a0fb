"""What calls of every purpose cost, as a list and by month, and the monthly limit."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from typing import Any

from django.db import transaction
from django.db.models import Count, Q, QuerySet, Sum
from django.utils.translation import gettext as _

from curation.base.access.action import action
from curation.joining.domains.policies import next_state
from judge.asking.calls.budgets import PURPOSES, limits, start_of_month
from judge.asking.calls.cost import MILLION, all_schedules, cost_of, in_dollars
from judge.asking.calls.models import Call, MonthlyBudget
from judge.methods.base import registry
from judge.runs.pages import failure_kinds

FAILED, FURTHER = "failed", "again"
HISTORY_SHOWN = 20


@dataclass(frozen=True, slots=True)
class CallRow:
    """A call as a row of the list; `cost` in dollars, None if unknown.

    Attributes:
        kind: of its failure; "" if it was answered.
        did: what it did in a further role of its run's method, "" for others.
    """

    call: Call
    cost: float | None
    kind: str
    did: str


@dataclass(frozen=True, slots=True)
class Spent:
    """What a purpose cost this month, in dollars as charged.

    Attributes:
        unpriced: calls whose cost is unknown.
        limit: of the month, None for none.
        own_budget: whether each run or order of this purpose has a budget of its own.
    """

    purpose: str
    label: str
    calls: int
    failed: int
    unpriced: int
    dollars: float
    limit: float | None
    own_budget: bool

    @property
    def used_up(self) -> bool:
        return self.limit is not None and self.dollars >= self.limit


def call_rows(keys: Collection[int]) -> list[CallRow]:
    """Return calls as rows, without what was asked and answered. Two queries."""
    shown = list(
        Call.objects.filter(pk__in=keys)
        .select_related("task", "run", "judgment__response__candidate")
        .defer(
            "request", "reply", "task__scenario", "task__materials", "task__requirements",
            "task__reference_answer", "judgment__response__text",
        )
    )  # fmt: skip
    prices = all_schedules({(call.provider, call.model) for call in shown})
    return [
        CallRow(
            call,
            in_dollars(cost_of(call, prices[call.provider, call.model])),
            failure_kinds.name_of(call.error) if call.error else "",
            registry.done_in(call.run.method, call.role) if call.run else "",
        )
        for call in shown
    ]


def narrowed(wanted: Mapping[str, Any]) -> "QuerySet[Call]":
    """Select the calls that fit a filter, in any order."""
    calls = Call.objects.order_by()
    if wanted.get("purpose"):
        calls = calls.filter(purpose=wanted["purpose"])
    if wanted.get("model"):
        provider, _colon, model = wanted["model"].partition(":")
        calls = calls.filter(provider=provider, model=model)
    if wanted.get("outcome") == FAILED:
        calls = calls.filter(error__gt="")  # so that the index on it serves
    elif wanted.get("outcome") == FURTHER:
        calls = calls.filter(attempt__gt=1)
    for name, condition in (("run", "run"), ("before", "pk__lt"), ("after", "pk__gt")):
        if wanted.get(name):
            calls = calls.filter(**{condition: wanted[name]})
    return calls


def models_asked() -> list[tuple[str, str]]:
    """Return every (provider, model) with a call, sorted. One query, read from an index alone."""
    rows = Call.objects.order_by("provider", "model").values_list("provider", "model")
    return list(rows.distinct())


def spent_this_month() -> list[Spent]:
    """Return what each purpose has cost since the first of the month. Two queries."""
    rows = {
        purpose: counts
        for purpose, *counts in Call.objects.filter(
            purpose__in=Call.Purpose.values,  # all of them, so that the index on both serves
            at__gte=start_of_month(),
        )
        .order_by()
        .values_list("purpose")
        .annotate(
            calls=Count("id"),
            failed=Count("id", filter=~Q(error="")),
            unpriced=Count("id", filter=Q(cost_micro__isnull=True)),
            spent=Sum("cost_micro", default=0),
        )
    }
    most, none = limits(), (0, 0, 0, 0)
    found = []
    for purpose in Call.Purpose:
        calls, failed, unpriced, micro = rows.get(purpose.value, none)
        found.append(
            Spent(
                purpose=purpose.value,
                label=str(purpose.label),
                calls=calls,
                failed=failed,
                unpriced=unpriced,
                dollars=in_dollars(micro) or 0.0,
                limit=in_dollars(most.get(purpose.value)),
                own_budget=purpose in (Call.Purpose.JUDGE, Call.Purpose.ANSWER),
            )
        )
    return found


def _limits_of(row: MonthlyBudget) -> list[tuple[str, int | None]]:
    return [(str(purpose.label), getattr(row, purpose.value)) for purpose in PURPOSES]


def budget_history() -> list[tuple[MonthlyBudget, str]]:
    """Return the latest monthly budgets, newest first, each with its limits in words. One query."""
    rows = MonthlyBudget.objects.select_related("set_by")[:HISTORY_SHOWN]
    return [
        (
            row,
            ", ".join(
                _("%(purpose)s: $%(dollars)s")
                % {"purpose": label, "dollars": f"{micro / MILLION:,.2f}"}
                for label, micro in _limits_of(row)
                if micro is not None
            )
            or _("no limits"),
        )
        for row in rows
    ]


@action("staff.administration")
@transaction.atomic
def set_monthly_budget(
    *, actor: Any, read: int | None = None, **limits: int | None
) -> MonthlyBudget:
    """Set the monthly limits of all purposes; the earlier ones stay on record.

    Args:
        read: the number of the limits on the page, to refuse a stale one.
        limits: purpose -> micro-dollars, None for no limit.

    Raises:
        Conflict: `changed_meanwhile`.
    """
    return next_state(MonthlyBudget, read=read, **limits, set_by=actor)
