"""The cost of calls, in whole millionths of a dollar; None where it is unknown."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import date, datetime, time
from decimal import Decimal
from typing import Any

from django.db.models import BigIntegerField, Case, Count, F, Max, Q, QuerySet, Sum, Value, When
from django.db.models.functions import Cast, Coalesce, Least
from django.utils import timezone

from judge.asking import providers
from judge.asking.calls.models import Call
from judge.asking.calls.price_models import Price, start_of
from judge.asking.providers.base import Prompt, Usage
from judge.asking.providers.inputs import Picture
from judge.asking.providers.vendor import stated

MILLION = 1_000_000
# Writing a prompt into a cache costs 5/4 of other input (Anthropic's price list for caches of five
# minutes, the most expensive of the vendors that report written tokens).
CACHE_WRITE_QUARTERS = 5


def start_of_day(day: date) -> datetime:
    """Return the first moment of a day in the programme's time zone."""
    return timezone.make_aware(datetime.combine(day, time.min), timezone.get_default_timezone())


def in_dollars(micro: int | None) -> float | None:
    """Convert millionths of a dollar to dollars; None stays None."""
    return None if micro is None else micro / MILLION


def in_micro_dollars(dollars: Decimal | None) -> int | None:
    """Convert dollars to millionths of a dollar, cut to whole ones; None stays None."""
    return None if dollars is None else int(dollars * MILLION)


def dollar_figure(micro: int, places: int = 6) -> str:
    """Format millionths of a dollar as dollars without the sign: “2.50”, “0.075”."""
    whole, _point, cents = f"{micro / MILLION:,.{places}f}".rstrip("0").partition(".")
    return f"{whole}.{cents:0<2}"


@dataclass(frozen=True)
class Rates:
    """Prices of a model in millionths of a dollar per million tokens."""

    input: int
    cached: int
    output: int

    def cost(self, usage: Usage, *, batch: bool = False) -> int | None:
        """Return the micro-dollars of one call, rounded up; None if its tokens are not known.

        A call in a batch costs half (both vendors' price lists).
        """
        if usage.input_tokens is None or usage.output_tokens is None:
            return None
        cached = min(usage.cached_tokens or 0, usage.input_tokens)
        written = min(usage.cache_write_tokens or 0, usage.input_tokens - cached)
        fresh = usage.input_tokens - cached - written
        quarters = (
            4 * (fresh * self.input + cached * self.cached + usage.output_tokens * self.output)
            + CACHE_WRITE_QUARTERS * written * self.input
        )
        return -(-quarters // ((8 if batch else 4) * MILLION))

    def bound(self, input_tokens: int, output_tokens: int, *, batch: bool = False) -> int:
        """Return the highest cost of a call of this size in micro-dollars, rounded up.

        It assumes that no token is read from a cache and that all input is written to one.
        """
        return -(
            -(input_tokens * self.input * CACHE_WRITE_QUARTERS + 4 * output_tokens * self.output)
            // ((8 if batch else 4) * MILLION)
        )

    def repriced_bound(self, amount: int, before: "Rates") -> int:
        """Return the most that an amount charged at earlier rates can be at these, never less."""
        pairs = ((self.input, before.input), (self.cached, before.cached))
        known = [pair for pair in (*pairs, (self.output, before.output)) if pair[1]]
        return max([amount, *(-(-amount * now // earlier) for now, earlier in known)])


FREE = Rates(0, 0, 0)


@dataclass(frozen=True)
class Schedule:
    """The prices of a model by date.

    Attributes:
        entries: (start, rates) in order of their start; None as a start is the beginning.
    """

    entries: tuple[tuple[datetime | None, Rates], ...]

    def at(self, moment: datetime) -> Rates | None:
        """Return the price in force at a moment; None before the first."""
        found = None
        for start, rates in self.entries:
            if start is None or start <= moment:
                found = rates
        return found

    @property
    def unknown_before(self) -> datetime | None:
        """The start of the first price; None if it is known from the beginning."""
        return self.entries[0][0] if self.entries else None


NEVER = Schedule(())
ALWAYS_FREE = Schedule(((None, FREE),))


Prices = Mapping[tuple[str, str], Schedule]  # (provider, model) -> its prices


def schedule_for(provider: str, model: str) -> Schedule:
    """Return the prices of a model; `NEVER` if none is entered. The offline rules cost nothing."""
    return all_schedules([(provider, model)])[provider, model]


def all_schedules(pairs: Iterable[tuple[str, str]]) -> Prices:
    """Return the prices of each (provider, model). One query."""
    wanted = set(pairs)
    found: dict[tuple[str, str], list[Price]] = {}
    names = {model for provider, model in wanted if not providers.is_offline(provider)}
    for price in Price.objects.filter(model__in=names) if names else ():
        found.setdefault((price.provider, price.model), []).append(price)
    return {
        pair: ALWAYS_FREE if providers.is_offline(pair[0]) else _schedule(found.get(pair, []))
        for pair in wanted
    }


def _schedule(prices: Iterable[Price]) -> Schedule:
    rows = sorted(prices, key=start_of)
    return Schedule(tuple((row.since, rates_of(row)) for row in rows))


def rates_of(price: Price) -> Rates:
    """Return the rates of a row."""
    return Rates(price.input_micro, price.cached_micro, price.output_micro)


def rates_for(provider: str, model: str) -> Rates | None:
    """Return the price in force now; None if none is. The offline rules cost nothing. One query."""
    return schedule_for(provider, model).at(timezone.now())


# -- the cost of calls at the price of their time --------------------------------------------------
#
# A call stores the amount charged to its budget. Pages and summaries price its tokens by the price
# that was in force when it ended, so that a price corrected later counts without a new call.


def costs_by_run(calls: QuerySet[Any], prices: Prices) -> dict[int, int | None]:
    """Return run -> micro-dollars of its calls; None if a price is unknown. One query.

    Args:
        calls: the calls of those runs.
        prices: of all models that they asked.
    """
    sums = (
        calls.order_by()
        .values_list("run")
        .annotate(cost=Sum(cost_in_sql(prices)), unknown=Count("id", filter=_unpriced(prices)))
    )
    return {run: None if unknown else int(cost or 0) for run, cost, unknown in sums}


def _unpriced(prices: Prices) -> Q:
    """Select calls whose model has no price, or none yet when they were made with tokens."""
    found = Q(pk__in=[])
    for (provider, model), schedule in prices.items():
        mine = Q(provider=provider, model=model)
        if not schedule.entries:
            found |= mine
        elif schedule.unknown_before is not None:
            early = mine & Q(at__lt=schedule.unknown_before)
            found |= early & Q(input_tokens__isnull=False, output_tokens__isnull=False)
    return found


def cost_in_sql(prices: Prices) -> Any:
    """Return the SQL expression of a call's micro-dollars, the same as `cost_of`.

    A call from before the first price counts as nothing here.
    """

    def of(field: str) -> Any:
        chosen = [
            When(
                provider=provider,
                model=model,
                **({} if start is None else {"at__gte": start}),
                then=Value(getattr(rates, field)),
            )
            for (provider, model), schedule in prices.items()
            for start, rates in reversed(schedule.entries)
        ]
        return Case(*chosen, default=Value(0), output_field=BigIntegerField())

    total, out = _big("input_tokens"), _big("output_tokens")
    cached = Least(_big("cached_tokens"), total)
    written = Least(_big("cache_write_tokens"), total - cached)
    quarters = (
        Value(4) * ((total - cached - written) * of("input") + cached * of("cached"))
        + Value(4) * out * of("output")
        + Value(CACHE_WRITE_QUARTERS) * written * of("input")
    )
    divisor = Case(
        When(batch__isnull=True, then=Value(4 * MILLION)),
        default=Value(8 * MILLION),
        output_field=BigIntegerField(),
    )
    counted = When(
        input_tokens__isnull=False,
        output_tokens__isnull=False,
        then=(quarters + divisor - Value(1)) / divisor,
    )
    return Case(counted, default=_big("cost_micro"), output_field=BigIntegerField())


def _big(field: str) -> Any:
    return Cast(Coalesce(F(field), 0), BigIntegerField())


def prompt_tokens(prompt: Prompt, parameters: Mapping[str, Any]) -> int:
    """Estimate the tokens of a prompt from above, with what the parameters add to it in words."""
    sent, _left = stated(prompt, parameters)
    return tokens_of(sent.prefix) + tokens_of(sent.suffix) + picture_tokens(sent.pictures)


PIXELS_PER_TOKEN = 500
"""Of a picture. Anthropic's documentation says width × height / 750, OpenAI's counts come out lower
at the sizes that are sent here: an estimate from above."""


def picture_tokens(pictures: Iterable[Picture]) -> int:
    """Estimate the tokens of the pictures of a prompt from above."""
    return sum(1 + p.width * p.height // PIXELS_PER_TOKEN for p in pictures)


def tokens_of(text: str) -> int:
    """Estimate the tokens of a text from above: 3 ASCII or 2/3 other characters per token.

    English has 4 to 5 characters per token and Chinese about one, so real counts are lower.
    """
    ascii_letters = len(text.encode("ascii", "ignore"))
    return 1 + ascii_letters // 3 + (3 * (len(text) - ascii_letters)) // 2


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
