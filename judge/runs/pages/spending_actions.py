"""Set what calls outside of runs and orders may cost in a month."""

from typing import Any

from django.db import transaction

from curation.base.access.action import action
from curation.joining.domains.policies import next_state
from judge.asking.calls.models import MonthlyBudget


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
