"""The list of tiers in force, its history, and the sources of a text, as pages show them."""

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from judge.methods.evidence.tiers.citations import cited_addresses
from judge.methods.evidence.tiers.hosts import shown_name
from judge.methods.evidence.tiers.models import SourceTiers
from judge.methods.evidence.tiers.quality import SCORES, quality
from judge.methods.evidence.tiers.tier_list import (
    ADVICE,
    TIER_HINTS,
    TIER_NAMES,
    TIERS,
    WHY,
    Change,
    TierList,
    TierOf,
    built_in,
    change,
)

SHOWN = 20  # lists of the history


@dataclass(frozen=True, slots=True)
class TierRow:
    """A tier with its score and its domains as people write them."""

    tier: int
    name: str
    hint: str
    score: Fraction
    domains: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Source:
    """An address that a text cites; `why` says why no entry covers it, "" if one does."""

    place: int
    address: str
    tier: int
    name: str
    host: str
    entry: str
    why: str


@dataclass(frozen=True, slots=True)
class Sources:
    """The sources of a text: Q from 0.25 to 1, its grade, and sentences of advice."""

    rows: tuple[Source, ...]
    q: Fraction
    grade: str
    advice: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class ListPage:
    """The list in force by tier, and the newest lists, each with what it changed."""

    tiers: tuple[TierRow, ...]
    number: int
    history: tuple[tuple[SourceTiers, Change], ...]


def tiers_in_force() -> TierList:
    """Return the newest list, else the built-in one. One query."""
    row = SourceTiers.objects.first()
    return TierList(row.entries, row.number) if row else built_in()


def list_page() -> ListPage:
    """Return what staff see of the list. One query."""
    rows: list[Any] = list(SourceTiers.objects.select_related("set_by")[: SHOWN + 1])
    found = TierList(rows[0].entries, rows[0].number) if rows else built_in()
    before: list[Mapping[str, int]] = [row.entries for row in rows[1:]]
    if len(rows) <= SHOWN:
        before.append(built_in().entries)
    history = tuple(
        (row, change(earlier, row.entries))
        for row, earlier in zip(rows[:SHOWN], before, strict=False)
    )
    return ListPage(tuple(_tier_row(tier, found) for tier in TIERS), found.number, history)


def sources_of(text: str) -> Sources | None:
    """Return the sources that a text cites; None if it cites none. One query, or none."""
    addresses = cited_addresses(text)
    if not addresses:
        return None
    tiers = tiers_in_force()
    found = [tiers.tier_of(address) for address in addresses]
    total = quality([one.tier for one in found])
    if total is None:
        return None
    rows = tuple(source(one, place) for place, one in enumerate(found, start=1))
    return Sources(rows, total.q, total.grade, tuple(str(ADVICE[one]) for one in total.advice))


def source(found: TierOf, place: int = 1) -> Source:
    """Return an address that was looked up, in words."""
    return Source(
        place,
        found.address,
        found.tier,
        str(TIER_NAMES[found.tier]),
        shown_name(found.host),
        shown_name(found.entry),
        str(WHY[found.why]) if found.why else "",
    )


def _tier_row(tier: int, found: TierList) -> TierRow:
    domains = tuple(shown_name(domain) for domain in found.of_tier(tier))
    return TierRow(tier, str(TIER_NAMES[tier]), str(TIER_HINTS[tier]), SCORES[tier], domains)
