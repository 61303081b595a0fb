"""The price table on staff's page: known prices, and models used without one."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.utils import timezone

from judge.asking.calls import price_uses as uses
from judge.asking.calls.cost import dollar_figure
from judge.asking.calls.price_models import Price, PriceEvent, start_of
from judge.asking.calls.price_uses import Use
from judge.asking.providers import is_offline, labels

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
    later: Sequence["DatedPrice"]
    runs: int
    candidates: int


@dataclass(frozen=True, slots=True)
class DatedPrice:
    """A price with its start; None as a start is the beginning."""

    since: datetime | None
    entered_at: datetime
    input: str
    cached: str
    output: str
    in_force: bool = False


def prices_in_force() -> dict[tuple[str, str], Price]:
    """Return the price of each (provider, model) that is in force now. One query."""
    return {name: row for name, (row, _later) in _by_model(Price.objects.all()).items() if row}


def _by_model(
    prices: Iterable[Price],
) -> dict[tuple[str, str], tuple[Price | None, list[Price]]]:
    """Return the price in force and the later ones of each (provider, model)."""
    now = timezone.now()
    found: dict[tuple[str, str], tuple[Price | None, list[Price]]] = {}
    for price in sorted(prices, key=start_of):
        in_force, later = found.get((price.provider, price.model), (None, []))
        if price.since is None or price.since <= now:
            in_force = price
        else:
            later = [*later, price]
        found[price.provider, price.model] = in_force, later
    return found


def prices_of(provider: str, model: str) -> list[DatedPrice]:
    """Return the prices of a model, the latest start first. One query."""
    prices = Price.objects.filter(provider=provider, model=model)
    in_force = _by_model(prices).get((provider, model), (None, []))[0]
    rows = sorted(prices, key=start_of, reverse=True)
    return [_dated(row, in_force=in_force is not None and row.pk == in_force.pk) for row in rows]


def _dated(price: Price, *, in_force: bool = False) -> DatedPrice:
    return DatedPrice(
        since=price.since,
        entered_at=price.entered_at,
        input=f"${dollar_figure(price.input_micro)}",
        cached=f"${dollar_figure(price.cached_micro)}",
        output=f"${dollar_figure(price.output_micro)}",
        in_force=in_force,
    )


def price_rows() -> list[PriceRow]:
    """Return the models that have a price or are used, those without one first. Six queries."""
    runs, candidates = uses.count(Use.RUN), uses.count(Use.CANDIDATE)
    prices = _by_model(Price.objects.all())
    known = labels()
    names = {name for name in (*runs, *candidates) if not is_offline(name[0])} | prices.keys()
    rows = []
    for provider, model in sorted(names, key=lambda name: (name in prices, *name)):
        price, later = prices.get((provider, model), (None, []))
        rows.append(
            PriceRow(
                provider=provider,
                label=known.get(provider, provider),
                model=model,
                known=price is not None,
                input=f"${dollar_figure(price.input_micro)}" if price else "",
                cached=f"${dollar_figure(price.cached_micro)}" if price else "",
                output=f"${dollar_figure(price.output_micro)}" if price else "",
                since=(price.since or price.entered_at) if price else None,
                later=[_dated(row) for row in later],
                runs=runs[provider, model],
                candidates=candidates[provider, model],
            )
        )
    return rows


def price_history() -> list[dict[str, Any]]:
    """Return the latest entries of prices, newest first. Two queries."""
    known = labels()
    return [
        {
            "at": event.at,
            "who": event.actor,
            "since": event.since,
            "label": known.get(event.provider, event.provider),
            "model": event.model,
            "input": f"${dollar_figure(event.input_micro)}",
            "cached": f"${dollar_figure(event.cached_micro)}",
            "output": f"${dollar_figure(event.output_micro)}",
        }
        for event in PriceEvent.objects.select_related("actor")[:_HISTORY]
    ]
