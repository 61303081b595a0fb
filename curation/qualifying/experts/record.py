"""Registry of facts about a person's work, with counts and evidence, for staff.

Staff read it before they suspend somebody. Every app registers a source. A source states facts and
does not judge: how many, of how many, and where to look.
"""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any

MOST_EVIDENCE = 5  # maximum number of links per fact, the newest


@dataclass(frozen=True, slots=True)
class Evidence:
    """A link to a page that shows a case; the address may be empty."""

    label: str
    url: str


@dataclass(frozen=True, slots=True)
class Fact:
    """A count with its denominator.

    Attributes:
        sentence: the fact with its figures, for staff.
        n, of: count and denominator; facts with a denominator of 0 are not shown.
        evidence: the newest cases.
    """

    sentence: str
    n: int
    of: int
    evidence: tuple[Evidence, ...] = ()


Source = Callable[[Any], Iterable[Fact]]
_sources: list[Source] = []


def register(source: Source) -> None:
    """Register a source: person -> facts. Idempotent."""
    if source not in _sources:
        _sources.append(source)


def facts_about(person: Any) -> list[Fact]:
    """Return the facts about a person's work, those with cases first."""
    found = [fact for source in _sources for fact in source(person) if fact.of]
    return sorted(found, key=lambda fact: not fact.n)
