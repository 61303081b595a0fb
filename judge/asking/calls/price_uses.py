"""Counts of the uses of models: each noun that asks models registers how to count its own."""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from enum import StrEnum
from typing import Any

from django.db.models import Count, QuerySet

Model = tuple[str, str]  # provider and model


class Use(StrEnum):
    """The kinds of uses that the price table counts separately."""

    RUN = "run"  # judge runs and orders of answers
    CANDIDATE = "candidate"


_counters: dict[str, tuple[Use, Callable[[], Iterable[tuple[str, str, int]]]]] = {}


def register(name: str, use: Use, counter: Callable[[], Iterable[tuple[str, str, int]]]) -> None:
    """Register a counter of uses; the same name again replaces it.

    Args:
        counter: returns rows of (provider, model, count); one query.
    """
    _counters[name] = (use, counter)


def count(use: Use) -> Counter[Model]:
    """Return how often each model is used in this way."""
    found: Counter[Model] = Counter()
    for counted, counter in _counters.values():
        if counted == use:
            for provider, model, n in counter():
                found[provider, model] += n
    return found


def used(rows: QuerySet[Any]) -> Iterator[tuple[str, str, int]]:
    """Yield how often rows name each provider and model."""
    yield from rows.order_by().values_list("provider", "model").annotate(n=Count("id"))
