"""The cost of calls, in whole millionths of a dollar; None where it is unknown."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from django.db.models import BigIntegerField, Case, F, QuerySet, Sum, Value, When
from django.db.models.functions import Cast, Coalesce, Least

from judge import providers
from judge.prices.models import Price
from judge.providers.base import Usage
from judge.providers.inputs import Picture

MILLION = 1_000_000
# Writing a prompt into a cache costs 5/4 of other input (Anthropic's price list for caches of five
# minutes, the most expensive of the vendors that report written tokens).
CACHE_WRITE_QUARTERS = 5


def in_dollars(micro: int | None) -> float | None:
    """Convert millionths of a dollar to dollars; None stays None."""
    return None if micro is None else micro / MILLION


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


def rates_for(provider: str, model: str) -> Rates | None:
    """Return the price of a model; None if none is entered. The offline rules cost nothing."""
    if providers.is_offline(provider):
        return FREE
    price = Price.objects.filter(provider=provider, model=model).first()
    if price is None:
        return None
    return Rates(price.input_micro, price.cached_micro, price.output_micro)


# -- the cost of calls at the present price --------------------------------------------------------
#
# A call stores the amount charged to its budget. Pages and summaries price its tokens by the table
# as it is now, so that a price entered or corrected later counts without a new call.


def all_rates(pairs: Iterable[tuple[str, str]]) -> dict[tuple[str, str], Rates]:
    """Return the known prices of (provider, model) pairs. One query."""
    wanted = set(pairs)
    found = {
        (p.provider, p.model): Rates(p.input_micro, p.cached_micro, p.output_micro)
        for p in Price.objects.filter(model__in={model for _provider, model in wanted})
    }
    return {
        pair: FREE if providers.is_offline(pair[0]) else found[pair]
        for pair in wanted
        if pair in found or providers.is_offline(pair[0])
    }


def costs_by_run(calls: QuerySet[Any], rates: dict[int, Rates | None]) -> dict[int, int | None]:
    """Return run -> micro-dollars of its calls; None for an unknown price. One query.

    Args:
        calls: the calls of those runs.
        rates: run -> the price of its model; None if none is entered.
    """
    known = {run for run, found in rates.items() if found is not None}
    rows = calls.filter(run__in=rates).order_by().values_list("run")
    sums = rows.annotate(cost=Sum(cost_in_sql(rates)))
    return {run: int(cost) if run in known else None for run, cost in sums}


def cost_in_sql(rates: dict[int, Rates | None]) -> Any:
    """Return the SQL expression of a call's micro-dollars, the same as `cost_of`.

    Args:
        rates: run -> the price of its model.
    """

    def of(field: str) -> Any:
        chosen = [When(run=run, then=Value(getattr(r, field))) for run, r in rates.items() if r]
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
