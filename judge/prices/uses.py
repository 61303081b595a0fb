"""Who uses which model: each noun that asks models registers how to count its own."""

from collections import Counter
from collections.abc import Callable, Iterable
from enum import StrEnum

Model = tuple[str, str]  # provider and model


class Use(StrEnum):
    """What the price table counts apart."""

    RUN = "run"  # judge runs and orders of answers
    CANDIDATE = "candidate"


_counters: dict[str, tuple[Use, Callable[[], Iterable[tuple[str, str, int]]]]] = {}


def register(name: str, use: Use, counter: Callable[[], Iterable[tuple[str, str, int]]]) -> None:
    """Count further uses. Twice by the same name counts once.

    Args:
        counter: gives (provider, model, how many); one query.
    """
    _counters[name] = (use, counter)


def count(use: Use) -> Counter[Model]:
    """How often each model is used in this way."""
    found: Counter[Model] = Counter()
    for counted, counter in _counters.values():
        if counted == use:
            for provider, model, n in counter():
                found[provider, model] += n
    return found
