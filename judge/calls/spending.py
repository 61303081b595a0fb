"""The cost of stored calls at today's price."""

from django.db.models import Max, Q, Sum

from judge.calls.models import Call
from judge.prices.cost import Rates, cost_in_sql
from judge.providers.base import Usage


def cost_of(call: Call, rates: Rates | None) -> int | None:
    """Return the cost of a call in micro-dollars; what it was charged if it has no token counts."""
    usage = Usage(
        call.input_tokens, call.cached_tokens, call.output_tokens, call.cache_write_tokens
    )
    if usage.input_tokens is None or usage.output_tokens is None:
        return call.cost_micro
    return None if rates is None else rates.cost(usage, batch=call.batch_id is not None)


def spent_and_dearest(run: int, rates: Rates) -> tuple[int, int]:
    """Return the cost in micro-dollars of all calls of a run and of the dearest. One query."""
    cost = cost_in_sql({run: rates})
    found = Call.objects.filter(run=run).aggregate(
        spent=Sum(cost), dearest=Max(cost, filter=Q(error=""))
    )
    return int(found["spent"] or 0), int(found["dearest"] or 0)
