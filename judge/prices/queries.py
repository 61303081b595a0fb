"""The price table on staff's page: known prices, and models used without one."""

from dataclasses import dataclass
from typing import Any

from judge.prices import uses
from judge.prices.actions import paid_providers
from judge.prices.cost import dollar_figure
from judge.prices.models import Price, PriceEvent
from judge.prices.uses import Use
from judge.providers import label_of

_HISTORY = 20


@dataclass(frozen=True, slots=True)
class PriceRow:
    """A model with its prices per million tokens and the number of its uses."""

    provider: str
    label: str
    model: str
    known: bool
    input: str
    cached: str
    output: str
    since: Any
    runs: int
    candidates: int


def price_rows() -> list[PriceRow]:
    """Return the models that have a price or are used, those without one first. Four queries."""
    runs, candidates = uses.count(Use.RUN), uses.count(Use.CANDIDATE)
    prices = {(price.provider, price.model): price for price in Price.objects.all()}
    paid = set(paid_providers())
    names = {name for name in (*runs, *candidates) if name[0] in paid} | prices.keys()
    rows = []
    for provider, model in sorted(names, key=lambda name: (name in prices, *name)):
        price = prices.get((provider, model))
        rows.append(
            PriceRow(
                provider=provider,
                label=label_of(provider),
                model=model,
                known=price is not None,
                input=f"${dollar_figure(price.input_micro)}" if price else "",
                cached=f"${dollar_figure(price.cached_micro)}" if price else "",
                output=f"${dollar_figure(price.output_micro)}" if price else "",
                since=price.since if price else None,
                runs=runs[provider, model],
                candidates=candidates[provider, model],
            )
        )
    return rows


def price_history() -> list[dict[str, Any]]:
    """Return the latest entries of prices, newest first. One query."""
    return [
        {
            "at": event.at,
            "who": event.actor,
            "label": label_of(event.provider),
            "model": event.model,
            "input": f"${dollar_figure(event.input_micro)}",
            "cached": f"${dollar_figure(event.cached_micro)}",
            "output": f"${dollar_figure(event.output_micro)}",
        }
        for event in PriceEvent.objects.select_related("actor")[:_HISTORY]
    ]
