"""What speaks for and against a person's work, with counts and evidence: filled by every app.

Staff read it before they suspend somebody. A source states facts and never judges: how many, of
how many, and where to look.
"""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any

MOST_EVIDENCE = 5  # links with one fact; the newest


@dataclass(frozen=True, slots=True)
class Evidence:
    """One place where a fact can be seen; without an address only its name."""

    label: str
    url: str


@dataclass(frozen=True, slots=True)
class Fact:
    """One count with its denominator.

    Attributes:
        sentence: with the figures in it, for staff.
        n, of: the count and what it is out of; a fact is shown where `of` is not zero.
        evidence: the newest cases.
    """

    sentence: str
    n: int
    of: int
    evidence: tuple[Evidence, ...] = ()


Source = Callable[[Any], Iterable[Fact]]
_sources: list[Source] = []


def register(source: Source) -> None:
    """Add a source: person -> facts. Twice counts once."""
    if source not in _sources:
        _sources.append(source)


def facts_about(person: Any) -> list[Fact]:
    """Every fact about a person's work that has something to count, those with cases first."""
    found = [fact for source in _sources for fact in source(person) if fact.of]
    return sorted(found, key=lambda fact: not fact.n)
