"""The monthly budget of calls outside of runs and orders, by purpose."""

from datetime import datetime

from django.db.models import Max, Sum
from django.utils import timezone
from django.utils.translation import gettext as _

from judge.asking.calls.cost import MILLION, Rates
from judge.asking.calls.models import Call, MonthlyBudget

_P = Call.Purpose
PURPOSES = (_P.DRAFT, _P.PROBE, _P.LINT, _P.LABELS, _P.BASELINE)


def why_no_call(purpose: str, rates: Rates | None, model: str) -> str:
    """Return why a purpose may not spend more this month; "" if it may.

    Calls under way are not counted before they end, so a budget may be exceeded by their cost.

    Args:
        rates: the price of the model to ask; None if unknown.
        model: its name with its provider, as in "openai:gpt-x".
    """
    limit = limits().get(purpose)
    if limit is None:
        return ""
    if rates is None:
        return _(
            "no price is known for the model %(model)s, so the monthly budget for “%(purpose)s” "
            "cannot be kept; staff enter the price under Runs → Prices, or remove the budget"
        ) % {"model": model, "purpose": Call.Purpose(purpose).label}
    if spent_in_month(purpose) >= limit:
        return _("the monthly budget of $%(dollars)s is used up") % {
            "dollars": f"{limit / MILLION:,.2f}"
        }
    return ""


def limits() -> dict[str, int | None]:
    """Return the limits in force in micro-dollars by purpose; None for no limit."""
    current = MonthlyBudget.objects.first() or MonthlyBudget()
    return {purpose.value: getattr(current, purpose.value) for purpose in PURPOSES}


def charged_in_month(purpose: str, provider: str, model: str, bound: int) -> int | None:
    """Return what an attempt without a token count is charged; None where nothing limits it.

    It may have been billed, as a timeout after the model wrote. As in a run, it is charged the
    dearest call so far, here of this month, or `bound` where there is none.

    Args:
        bound: the most it can have cost, in micro-dollars.
    """
    if limits().get(purpose) is None:
        return None
    rows = Call.objects.filter(
        purpose=purpose, provider=provider, model=model, error="", at__gte=start_of_month()
    )
    return rows.aggregate(most=Max("cost_micro"))["most"] or bound


def spent_in_month(purpose: str) -> int:
    """Return what the calls of a purpose cost this month, in micro-dollars as charged."""
    rows = Call.objects.filter(purpose=purpose, at__gte=start_of_month())
    return int(rows.aggregate(spent=Sum("cost_micro"))["spent"] or 0)


def start_of_month() -> datetime:
    """Return the first moment of this month, in the programme's time zone."""
    today = timezone.localtime(timezone=timezone.get_default_timezone())
    return today.replace(day=1, hour=0, minute=0, second=0, microsecond=0)
