"""The price table as staff see it: what is known, and which models are used without a price."""

from collections import Counter
from dataclasses import dataclass
from typing import Any

from django.db.models import Count

from judge.actions.prices import priced
from judge.models import Candidate, Generation, JudgeRun, Price, PriceEvent
from judge.pricing import MILLION
from judge.providers import label_of

_HISTORY = 20


def dollars(micro: int) -> str:
    """Millionths of a dollar as people write them: “$2.50”, “$0.075”."""
    amount = f"{micro / MILLION:,.6f}".rstrip("0")
    whole, _point, cents = amount.partition(".")
    return f"${whole}.{cents:0<2}"


@dataclass(frozen=True, slots=True)
class PriceRow:
    """One model: its prices per million tokens, and what uses it."""

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
    """Models that have a price or are used; those without one first. Four queries."""
    runs: Counter[tuple[str, str]] = Counter()
    for kind in (JudgeRun, Generation):
        used = kind.objects.order_by().values_list("provider", "model").annotate(n=Count("id"))
        for provider, model, n in used:
            runs[provider, model] += n
    candidates = Counter(
        Candidate.objects.exclude(model="").order_by().values_list("provider", "model")
    )
    prices = {(price.provider, price.model): price for price in Price.objects.all()}
    costly = set(priced())
    names = {name for name in (*runs, *candidates) if name[0] in costly} | prices.keys()
    rows = []
    for provider, model in sorted(names, key=lambda name: (name in prices, *name)):
        price = prices.get((provider, model))
        rows.append(
            PriceRow(
                provider=provider,
                label=label_of(provider),
                model=model,
                known=price is not None,
                input=dollars(price.input_micro) if price else "",
                cached=dollars(price.cached_micro) if price else "",
                output=dollars(price.output_micro) if price else "",
                since=price.since if price else None,
                runs=runs[provider, model],
                candidates=candidates[provider, model],
            )
        )
    return rows


def price_history() -> list[dict[str, Any]]:
    """The latest prices entered, newest first. One query."""
    return [
        {
            "at": event.at,
            "who": event.actor,
            "label": label_of(event.provider),
            "model": event.model,
            "input": dollars(event.input_micro),
            "cached": dollars(event.cached_micro),
            "output": dollars(event.output_micro),
        }
        for event in PriceEvent.objects.select_related("actor")[:_HISTORY]
    ]
