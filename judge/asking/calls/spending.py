"""The cost of stored calls at the price of their time."""

from datetime import datetime

from django.db.models import Max, Q, Sum

from judge.asking.calls.cost import Prices, Schedule, cost_in_sql
from judge.asking.calls.models import Call
from judge.asking.providers.base import Usage


def cost_of(call: Call, prices: Schedule) -> int | None:
    """Return the cost of a call in micro-dollars; what it was charged if it has no token counts."""
    usage = Usage(
        call.input_tokens, call.cached_tokens, call.output_tokens, call.cache_write_tokens
    )
    if usage.input_tokens is None or usage.output_tokens is None:
        return call.cost_micro
    rates = prices.at(call.at)
    return None if rates is None else rates.cost(usage, batch=call.batch_id is not None)


def spent_and_dearest(run: int, prices: Prices, now: datetime) -> tuple[int, int]:
    """Return the cost of all calls of a run, and what the dearest would cost now. One query.

    Both in micro-dollars. The dearest stands for the next call, so it is priced as of `now`.
    """
    current = {
        pair: Schedule(((None, rates),) if (rates := schedule.at(now)) else ())
        for pair, schedule in prices.items()
    }
    found = Call.objects.filter(run=run).aggregate(
        spent=Sum(cost_in_sql(prices)),
        dearest=Max(cost_in_sql(current), filter=Q(error="")),
    )
    return int(found["spent"] or 0), int(found["dearest"] or 0)
