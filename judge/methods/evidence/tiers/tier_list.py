"""Which domain has which tier: the list, its rules, and looking an address up. Pure.

Source: JADE (arXiv 2602.06486), appendix G, table 14. An entry is a full domain and covers its
subdomains; the longest entry counts, so a site for everybody's texts (sites.google.com) can stand
lower than the domain it lies in. Academic and government domains are entries as well (edu, ac.uk,
go.jp), each by its country: edu.pl, for one, is open to everybody and therefore no entry.
"""

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from django.utils.translation import gettext_lazy as _

from judge.methods.evidence.tiers.hosts import ascii_name, host_of, is_number, suffixes
from judge.methods.evidence.tiers.quality import Advice

TIERS = (1, 2, 3, 4)
UNKNOWN = 4  # the tier of what no entry covers
MOST_ENTRIES = 5000
SHOWN = 20  # changes of a kind that a page shows


@dataclass(frozen=True, slots=True)
class TierOf:
    """The tier of one address.

    Attributes:
        host: as a browser would ask it; "" if there is none.
        entry: the entry that covers it; "" if none does.
        why: "" with an entry; else "not_listed" or a `why` of `hosts.Host`.
    """

    address: str
    tier: int
    host: str
    entry: str
    why: str

    @property
    def listed(self) -> bool:
        """Whether an entry covers it, of whatever tier."""
        return bool(self.entry)


@dataclass(frozen=True, slots=True)
class TierList:
    """Domain (lower case, ASCII) -> tier; `number` is 0 for the built-in list."""

    entries: Mapping[str, int]
    number: int = 0

    def tier_of(self, address: str) -> TierOf:
        """Look an address up by its host alone."""
        host = host_of(address)
        if not host.name:
            return TierOf(address, UNKNOWN, "", "", host.why)
        for domain in suffixes(host.name):
            if domain in self.entries:
                return TierOf(address, self.entries[domain], host.name, domain, "")
        return TierOf(address, UNKNOWN, host.name, "", "not_listed")

    def of_tier(self, tier: int) -> tuple[str, ...]:
        """Return the domains of a tier, sorted."""
        return tuple(sorted(domain for domain, one in self.entries.items() if one == tier))


@dataclass(frozen=True, slots=True)
class Change:
    """What one list has against the one before; `moved` are (domain, before, after)."""

    added: tuple[tuple[str, int], ...]
    removed: tuple[tuple[str, int], ...]
    moved: tuple[tuple[str, int, int], ...]

    @property
    def hidden(self) -> int:
        """How many changes are beyond the first `SHOWN` of a kind."""
        return sum(max(len(one) - SHOWN, 0) for one in (self.added, self.removed, self.moved))


@cache
def built_in() -> TierList:
    """Return the list that holds until staff set one."""
    path = Path(__file__).with_name("built_in_tiers.json")
    by_tier: Mapping[str, Sequence[str]] = json.loads(path.read_text(encoding="utf-8"))["tiers"]
    return TierList({domain: int(tier) for tier, domains in by_tier.items() for domain in domains})


def change(before: Mapping[str, int], after: Mapping[str, int]) -> Change:
    """Compare two lists; each part is sorted by domain."""
    return Change(
        tuple((one, after[one]) for one in sorted(after.keys() - before.keys())),
        tuple((one, before[one]) for one in sorted(before.keys() - after.keys())),
        tuple(
            (one, before[one], after[one])
            for one in sorted(before.keys() & after.keys())
            if before[one] != after[one]
        ),
    )


def read_domains(names: Iterable[str]) -> tuple[list[str], list[str]]:
    """Read domains; return them in ASCII, and the names that are none; empty ones are left out.

    No scheme, path, port, user or wildcard: an entry with one of them would never match, or match
    more than it says. A single label (gov) is an entry, a number is none.
    """
    found, wrong = [], []
    for one in names:
        text = one.strip()
        if not text:
            continue
        name = ascii_name(text)
        if name and not is_number(name):
            found.append(name)
        else:
            wrong.append(text)
    return found, wrong


TIER_NAMES: dict[int, Any] = {
    1: _("Official"),
    2: _("Research, data and news"),
    3: _("Professional and technical"),
    4: _("Unknown, or anybody's texts"),
}
TIER_HINTS: dict[int, Any] = {
    1: _("Governments, universities, international bodies, and the own sites of firms."),
    2: _("Journals, research firms, news of international standing."),
    3: _("Technical media, communities of developers, databases of an industry."),
    4: _(
        "What is in no list has this tier. Name here what lies in a better domain and is written "
        "by anybody, such as a site for blogs."
    ),
}
WHY: dict[str, Any] = {
    "not_listed": _("In no list"),
    "number": _("A number instead of a domain"),
    "one_label": _("No full domain"),
    "no_web_address": _("No web address"),
    "unreadable": _("Cannot be read for certain"),
}
ADVICE: dict[Advice, Any] = {
    Advice.OFFICIAL: _("No source is official: look for the government's or the firm's own page."),
    Advice.ORDER: _("The first sources count most: cite the best ones first."),
    Advice.WEAK: _("At least half of the sources are of tier 3 or 4: look for better ones."),
    Advice.FEW: _("There is one source only: support it by a second."),
}
